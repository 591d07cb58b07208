from __future__ import annotations

from relay_tui.base.times import MINUTE, SECOND
from relay_tui.room.attention import AttentionItem
from relay_tui.tui.glyphs import LETTERS, UNICODE
from relay_tui.tui.rows_of.attention import item_detail, item_row

NOW = 1_796_029_200 * SECOND
ITEM = AttentionItem(
    "stale_claim:a b", "stale_claim", "a b", NOW - MINUTE, "held by x", ["relay", "release", "a b", "--force"]
)


def test_a_row_is_the_kind_in_words_the_subject_and_why():
    assert [str(cell) for cell in item_row(ITEM, NOW, LETTERS).cells] == ["S stale claim", "a b", "held by x", "1m"]
    assert item_row(ITEM._replace(since=None), NOW, UNICODE).cells[3] == ""


def test_the_detail_has_the_line_that_settles_it_quoted_for_a_shell():
    text = item_detail(ITEM, NOW, UNICODE).plain
    assert "settle  relay release 'a b' --force" in text
    assert "not known" in item_detail(ITEM._replace(since=None), NOW, UNICODE).plain
