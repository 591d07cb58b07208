from __future__ import annotations

import pytest
from rich.cells import cell_len

from relay_tui.tui.widgets import glyphs
from relay_tui.tui.widgets.glyphs import LETTERS, UNICODE, Glyphs, glyphs_for

TABLES = [
    (glyphs.AGENT_STATES, Glyphs.agent),
    (glyphs.BRANCH_FLAGS, Glyphs.branch),
    (glyphs.WORK_STATUSES, Glyphs.work),
    (glyphs.HANDOFF_STATES, Glyphs.handoff),
    (glyphs.ATTENTION_KINDS, Glyphs.attention),
    (glyphs.OUTCOMES, Glyphs.outcome),
]


@pytest.mark.parametrize(("table", "draw"), TABLES)
def test_every_state_is_a_mark_and_a_word_in_both_alphabets(table, draw):
    for word, mark in table.items():
        spoken = "handover" if word == "handoff" else word.replace("_", " ")
        assert draw(UNICODE, word).plain == f"{mark.glyph} {spoken}"
        assert draw(LETTERS, word).plain == f"{mark.letter} {spoken}"
        assert cell_len(mark.glyph) == 1
        assert mark.letter.isascii()


@pytest.mark.parametrize(("table", "draw"), TABLES[:3])
def test_marks_within_a_table_differ(table, draw):
    assert len({mark.glyph for mark in table.values()}) == len(table)
    assert len({mark.letter for mark in table.values()}) == len(table)


def test_an_unknown_state_is_shown_by_its_own_inert_word():
    assert UNICODE.agent("asleep").plain == "· asleep"
    assert LETTERS.agent("x\x1b[m").plain == "? x\\x1b[m"


def test_claims_are_held_or_stale():
    assert UNICODE.claim(stale=False).plain.endswith("Held")
    assert UNICODE.claim(stale=True).plain.endswith("Stale")


def test_each_stage_stands_for_its_own_fact_only():
    assert UNICODE.stages({"stored": 1, "handled": 4}).plain == "❶②③❹"
    assert LETTERS.stages({"stored": 1, "handled": 4}).plain == "1--4"
    assert UNICODE.stages({}).plain == "①②③④"
    assert UNICODE.stage_line("delivered", True).plain == "❸ Delivered"


def test_progress_is_a_bar_and_a_number():
    assert UNICODE.progress(27).plain == "██░░░░░░░░  27%"
    assert LETTERS.progress(100, width=4).plain == "#### 100%"
    assert UNICODE.progress(None).plain == ""


def test_letters_where_the_terminal_has_no_glyphs():
    assert glyphs_for("UTF-8", {"TERM": "xterm-256color", "LC_ALL": "de_DE.UTF-8"}) is UNICODE
    assert glyphs_for("utf8", {"TERM": "linux"}) is LETTERS
    assert glyphs_for("utf-8", {"TERM": "vt100"}) is LETTERS
    assert glyphs_for("ISO-8859-1", {"TERM": "xterm"}) is LETTERS
    assert glyphs_for("utf-8", {"TERM": "xterm", "LC_ALL": "C"}) is LETTERS, "Python writes UTF-8 there too"


def test_letters_are_ascii_throughout():
    drawn = [LETTERS.cursor, LETTERS.marked, LETTERS.arrow, LETTERS.progress(50).plain]
    assert all(text.isascii() for text in drawn)
