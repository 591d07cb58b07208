from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.content import Content

from relay_tui.tui.widgets.columns import GAP, MEASURED, Column, fit, laid_out, measure

COLUMNS = (
    Column("flag", width=6),
    Column("name", minimum=10),
    Column("note", minimum=5, drop=1),
    Column("age", width=4, number=True, drop=2),
)


def places(width: int) -> list[int]:
    return [column.place for column in fit(COLUMNS, width)]


def test_columns_share_what_is_left_to_the_last_cell():
    widths = [column.width for column in fit(COLUMNS, 61)]
    assert widths[0] == 6 and widths[3] == 4
    assert sum(widths) + 3 * GAP == 61
    assert widths[1] - widths[2] == 5


def test_the_highest_drop_goes_first_and_columns_without_one_stay():
    assert places(31) == [0, 1, 2, 3]
    assert places(30) == [0, 1, 2]
    assert places(24) == [0, 1]
    assert places(3) == [0, 1]


def test_columns_get_what_their_cells_need_before_the_rest_is_shared():
    widths = [column.width for column in fit(COLUMNS, 71, [9, 10, 40, 4])]
    assert widths == [9, 11, 41, 4]
    assert sum(widths) + 3 * GAP == 71


def test_where_not_every_need_is_met_the_small_ones_are_and_the_others_share_alike():
    widths = [column.width for column in fit(COLUMNS, 61, [7, 60, 60, 4])]
    assert widths == [7, 24, 20, 4]


def test_needs_are_those_of_the_title_and_of_the_first_rows():
    columns = (Column("a", "title"), Column("b"))
    rows = [("日本語日", "x")] * MEASURED
    assert measure(columns, [*rows, ("longer than the rest", "y")]) == [8, 1]
    assert measure(columns, [("ab",)]) == [5, 0]


@pytest.mark.parametrize(
    "text",
    ["plain", "日本語日本語日本語", "🚀🚀🚀🚀🚀🚀🚀", "👩‍👩‍👧 family 👩‍👩‍👧", "e\u0301" * 12, "", "x" * 99],
)
def test_every_line_is_as_wide_as_its_columns_in_cells(text: str):
    for width in range(22, 40):
        fitted = fit(COLUMNS, width)
        line = laid_out((text, text, text, text), fitted).plain
        assert cell_len(line) == sum(column.width for column in fitted) + GAP * (len(fitted) - 1)


def test_numbers_stand_right_and_words_left():
    line = laid_out(("ab", "name", "note", "7"), fit(COLUMNS, 31)).plain
    assert line.startswith("ab      name")
    assert line.endswith("   7")


def test_what_does_not_fit_ends_in_an_ellipsis():
    assert laid_out(("abcdefghij",), fit(COLUMNS[:1], 6)).plain == "abcde…"


def test_a_missing_cell_is_blank():
    assert laid_out((), fit(COLUMNS[:1], 6)).plain == " " * 6


def test_styles_stay_on_their_cell():
    fitted = fit(COLUMNS[:2], 18)
    line = laid_out(("a", Content.styled("b", "$error")), fitted)
    assert [(line.plain[span.start : span.end], span.style) for span in line.spans] == [("b", "$error")]
