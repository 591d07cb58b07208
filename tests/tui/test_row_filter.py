from __future__ import annotations

import pytest
from textual.content import Content

from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.row_filter import filter_rows
from relay_tui.tui.widgets.rows import Row, heading

COLUMNS = (Column("branch"), Column("holder"))
ROWS = [
    heading("needs you"),
    Row("a", ("feat/Auth", Content("nimbus-2")), fields={"state": "Stale"}),
    Row("b", ("fix/stale-cache", "codex-3"), fields={"state": "held"}),
    heading("calm"),
    Row("c", ("docs", "nimbus-1"), fields={"state": "held"}),
]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", "abc"),
        ("  ", "abc"),
        ("AUTH", "a"),
        ("nimbus", "ac"),
        ("nimbus docs", "c"),
        ("!nimbus", "b"),
        ("nimbus !auth", "c"),
        ("stale", "ab"),
        ("state:stale", "a"),
        ("!state:stale", "bc"),
        ("holder:codex", "b"),
        ("holder:auth", ""),
        ("nosuch:stale", ""),
        ("!", "abc"),
        ("state:", "abc"),
        ("[/]", ""),
    ],
)
def test_filter(text: str, ids: str):
    assert "".join(row.id for row in filter_rows(text, ROWS, COLUMNS) if not row.heading) == ids


def test_a_heading_stays_only_with_a_row_of_its_section():
    assert [row.id for row in filter_rows("docs", ROWS, COLUMNS)] == ["heading:calm", "c"]
    assert [row.id for row in filter_rows("auth", ROWS, COLUMNS)] == ["heading:needs you", "a"]
    assert filter_rows("absent", ROWS, COLUMNS) == []


def test_a_word_with_a_colon_is_plain_where_the_row_has_no_such_field():
    row = Row("m", ("machine:gpu", ""))
    assert filter_rows("machine:gpu", [row], COLUMNS) == [row]
