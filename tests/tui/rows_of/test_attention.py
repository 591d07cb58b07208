from __future__ import annotations

from relay_tui.base.times import MINUTE, SECOND
from relay_tui.room.attention import Attention, AttentionItem
from relay_tui.tui.rows_of.attention import item_detail, item_row, keys_for, rest_rows
from relay_tui.tui.widgets.glyphs import LETTERS, UNICODE

NOW = 1_796_029_200 * SECOND
ITEM = AttentionItem(
    "stale_claim:a b", "stale_claim", "a b", NOW - MINUTE, "held by x", ["relay", "release", "a b", "--force"]
)


def test_a_row_is_the_kind_in_words_the_subject_and_why():
    assert [str(cell) for cell in item_row(ITEM, NOW, LETTERS).cells] == ["S stale claim", "a b", "held by x", "1m"]
    assert item_row(ITEM._replace(since=None), NOW, UNICODE).cells[3] == ""


def test_the_detail_has_what_it_is_about_the_keys_and_the_line_that_settle_it():
    text = item_detail(ITEM, [("claim", "codex-3")], [("X", "free it")], UNICODE).plain
    lines = [line.split(maxsplit=1) for line in text.split("\n")]
    assert ["claim", "codex-3"] in lines and ["why", "held by x"] in lines and ["do", "X free it"] in lines
    assert "Y copies  relay release 'a b' --force" in text


def test_a_key_is_offered_only_where_it_can_act():
    assert keys_for("orphaned", "vector-4", held=True)["act.message"] == "message vector-4"
    assert keys_for("missing", None, held=False) == {"act.claim": "claim it as planned"}
    assert keys_for("of a later relay", None, held=False) == {"list.open": "do what is proposed"}


def test_what_is_calm_is_one_line_below():
    found = Attention([ITEM], {"stale_claim": 1}, [], [])
    rows = rest_rows(["clear", "clear", "quiet"], found)
    assert [row.cells[0] for row in rows] == [" ", "nothing else: 2 branches clear"]
    assert all(row.heading for row in rows)
    assert rest_rows(None, found) == []
    much = found._replace(counts={"stale_claim": 1, "mail": 450})
    assert [row.cells[0] for row in rest_rows(None, much)] == [" ", "and 450 more messages to you in the Inbox"]


def test_the_reasons_of_a_flag_stand_below_one_another_and_anybodys_words_as_they_are():
    asked = ITEM._replace(kind="question", text="Do A; or B?")
    assert "Do A; or B?" in item_detail(asked, [], [], UNICODE).plain
    reasons = ['task W1 "a; b" is todo', "nobody is there"]
    told = item_detail(asked, [], [], UNICODE, reasons=reasons).plain.split("\n")
    assert [line[10:] for line in told if " is " in line] == reasons
