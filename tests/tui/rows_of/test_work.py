"""From items to rows, details, summaries and filters: no app, no room."""

from __future__ import annotations

import pytest

from relay_tui.base.text import inert
from relay_tui.base.times import DAY
from relay_tui.room.work import Item
from relay_tui.tui.rows_of.item_detail import item_detail, path_of
from relay_tui.tui.rows_of.work import (
    MOST_AT_START,
    due_words,
    fitting_items,
    item_row,
    make_first_look,
    make_outline,
    opened_kinds,
    searchable,
    summary,
)
from relay_tui.tui.widgets.content import block, one_line
from relay_tui.tui.widgets.glyphs import LETTERS, UNICODE
from relay_tui.tui.widgets.row_filter import parse_filter
from tests.room_fixture import STARTED_AT
from tests.tui.items import one, stored, tree
from tests.tui.stages import HOSTILE

TODAY = "2026-11-30"


def row_text(item: Item, flags: dict[str, str] | None = None) -> list[str]:
    return [str(cell) for cell in item_row(item, flags or {}, TODAY, UNICODE).cells]


LAUNCH = (
    stored("W1", kind="roadmap", title="Launch"),
    stored("W2", "W1", "phase", title="Phase one", due="2026-12-24"),
    stored("W3", "W2", title="Ship", status="done", owner="codex-3", due="2026-11-01"),
    stored("W4", "W2", title="Tell", status="in-progress", labels=["news"], blocked_by=["W3", "W9"]),
    stored("W5", "W2", title="Rest", status="cancelled"),
    stored("W6", "W4", "todo", title="Write it", due="2026-11-27"),
    stored("W7", "W4", "todo", title="Read it", status="blocked"),
)


def test_a_row_has_status_owner_due_and_branch_with_its_flag():
    item = one(status="in-progress", owner="codex-3", due="2026-12-04", branch="feat/auth")
    assert row_text(item) == ["title of W1", "", "", "", "◧ in-progress", "codex-3", "2026-12-04", "feat/auth"]
    assert row_text(item, {"feat/auth": "contested"})[-1] == "! feat/auth"
    assert row_text(item, {"main": "clear"})[-1] == "feat/auth"


def test_progress_is_said_at_three_lengths_and_only_where_something_is_below():
    phase = tree(*LAUNCH)[0].children[0]
    assert row_text(phase)[1:4] == ["███░░░░░░░  33%  1/3", "█░░░░  33%  1/3", "33%  1/3"]
    assert row_text(phase.children[0])[1:4] == ["", "", ""]


def test_a_parent_whose_leaves_are_all_cancelled_has_no_percentage():
    parent = tree(stored("W1"), stored("W2", "W1", status="cancelled"))[0]
    assert row_text(parent)[1] == "all cancelled"


@pytest.mark.parametrize(
    ("due", "status", "words"),
    [
        ("2026-11-29", "todo", "overdue 1d"),
        ("2026-11-29", "blocked", "overdue 1d"),
        ("2025-11-30", "review", "overdue 365d"),
        ("2020-01-01", "todo", "overdue 6y"),
        ("2026-11-30", "todo", "today"),
        ("2026-12-01", "todo", "2026-12-01"),
        ("2026-11-29", "done", "2026-11-29"),
        ("2026-11-29", "cancelled", "2026-11-29"),
        (None, "todo", ""),
    ],
)
def test_what_is_due_is_said_in_words(due: str | None, status: str, words: str):
    assert due_words(one(due=due, status=status), TODAY) == words


def test_the_day_is_the_persons_own():
    assert make_outline([], STARTED_AT + DAY).today == "2026-12-01"


def test_headings_start_unfolded_and_tasks_do_not_unless_there_are_too_many():
    assert opened_kinds(MOST_AT_START) == {"roadmap", "phase", "epic"}
    assert opened_kinds(MOST_AT_START + 1) == {"roadmap", "phase"}
    assert make_outline(tree(*LAUNCH), STARTED_AT).opened == opened_kinds(5)


def test_the_summary_counts_leaves_statuses_and_what_is_late():
    said = str(summary(make_outline(tree(*LAUNCH), STARTED_AT, 7)))
    assert said == "1 of 3 done · 1 overdue · 1 blocked · 1 in-progress"
    assert str(summary(make_outline([], STARTED_AT))) == ""


def test_the_detail_says_where_an_item_stands_and_everything_about_it():
    outline = make_outline(tree(*LAUNCH), STARTED_AT)
    told = str(item_detail(outline.by_id["W4"], outline, {}, UNICODE))
    assert told.startswith("Launch › Phase one\nW4   Tell\n")
    for line in (
        "◧ in-progress", "░░░░░░░░░░   0%  0/2", "owner      nobody", "labels     news",
        "waits for  W3  ☑ done  Ship", "W9, which is not here", "  W7  ⊘ blocked  Read it",
    ):  # fmt: skip
        assert line in told, line
    assert "source    ROADMAP.md:7" in str(item_detail(outline.by_id["W2"], outline, {}, UNICODE))
    assert "2026-11-27, overdue 3d" in str(item_detail(outline.by_id["W6"], outline, {}, UNICODE))


def test_the_detail_names_the_flag_of_the_branch():
    outline = make_outline([one(branch="feat/a")], STARTED_AT)
    assert "feat/a   ? orphaned" in str(item_detail(outline.by_id["W1"], outline, {"feat/a": "orphaned"}, UNICODE))


def test_a_long_list_below_an_item_is_cut_and_said_so():
    outline = make_outline(tree(stored("W1"), *(stored(f"W{n}", "W1") for n in range(2, 30))), STARTED_AT)
    assert str(item_detail(outline.by_id["W1"], outline, {}, UNICODE)).endswith("and 8 more")


def test_of_a_title_and_a_note_of_a_megabyte_the_beginning_is_shown():
    huge = "x" * 1_000_000
    outline = make_outline(tree(stored("W1", title=huge), stored("W2", "W1", title=huge, note=huge)), STARTED_AT)
    for item in outline.by_id.values():
        assert len(str(item_detail(item, outline, {}, UNICODE))) < 10_000
        assert sum(map(len, row_text(item))) < 1000


def test_the_path_is_told_from_the_top():
    outline = make_outline(tree(*LAUNCH), STARTED_AT)
    assert [item.id for item in path_of(outline.by_id["W7"], outline.by_id)] == ["W1", "W2", "W4"]


def fitting(text: str) -> tuple[list[str], set[str], int]:
    outline = make_outline(tree(*LAUNCH), STARTED_AT)
    words = {item.id: searchable(item, TODAY) for item in outline.by_id.values()}
    found = fitting_items(outline.items, parse_filter(text), words)
    return [item.id for item in make_outline(found.items, STARTED_AT).by_id.values()], set(found.opened), found.found


@pytest.mark.parametrize("text", ["write", "due:overdue", "w6", "kind:todo !blocked"])
def test_the_filter_keeps_and_unfolds_what_leads_to_a_match(text: str):
    assert fitting(text) == (["W1", "W2", "W4", "W6"], {"W1", "W2", "W4"}, 1)


def test_what_fits_keeps_what_is_below_it_folded():
    assert fitting("tell") == (["W1", "W2", "W4", "W6", "W7"], {"W1", "W2"}, 1)
    assert fitting("owner:codex")[0] == ["W1", "W2", "W3"]
    assert fitting("nowhere") == ([], set(), 0)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_and_obeyed_by_nobody(text: str):
    item = one(title=text, owner=text, branch=text, note=text, labels=[text], artifacts=[text])
    row = item_row(item, {text: "clear"}, TODAY, UNICODE)
    outline = make_outline([item], STARTED_AT)
    for words in (*row.cells, item_detail(item, outline, {text: "clear"}, UNICODE, 40)):
        assert str(block(words)).replace("\n", "").isprintable()
    assert str(row.cells[0]) == inert(text)
    assert not any("click" in str(span.style) for cell in map(one_line, row.cells) for span in cell.spans)


def test_letters_stand_in_where_glyphs_cannot_be_shown():
    phase = tree(*LAUNCH)[0].children[0]
    cells = [str(cell) for cell in item_row(phase, {}, TODAY, LETTERS).cells]
    assert cells[1] == "###.......  33%  1/3" and cells[4] == "[ ] todo"
    assert all(str(cell).isascii() for cell in cells)


def test_the_detail_of_what_says_done_over_open_work_says_what_is_counted():
    above = stored("W1", title="Ship", status="done"), stored("W2", "W1", "todo", title="Tag it")
    outline = make_outline(tree(*above), STARTED_AT)
    told = str(item_detail(outline.by_id["W1"], outline, {}, UNICODE))
    assert "1 below it not done; its own status is not counted" in told
    settled = make_outline(tree(above[0], above[1]._replace(status="done")), STARTED_AT)
    assert "not counted" not in str(item_detail(settled.by_id["W1"], settled, {}, UNICODE))


def test_an_item_that_is_called_as_a_stand_in_is_drawn_is_one_to_act_on():
    look = make_first_look(tree(stored("W1", title="…")), STARTED_AT, frozenset())
    assert list(look.by_id) == ["W1"]
