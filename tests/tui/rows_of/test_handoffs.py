from __future__ import annotations

from relay_tui.base.times import DAY, HOUR, MINUTE, SECOND
from relay_tui.room.handoffs import Handoff, HandoffResource
from relay_tui.tui.rows_of.handoffs import handoff_detail, handoff_row, handoff_rows
from relay_tui.tui.widgets.glyphs import LETTERS, UNICODE
from tests.tui.rows_of.test_agents import AGENT

NOW = 1_796_029_200 * SECOND
PARTS = [HandoffResource("project", "src/auth", None), HandoffResource("branch", "feat/検索", None)]
WAITING = Handoff("H1", "codex-3", "claude-1", "done with it", "waiting", PARTS, NOW - 4 * MINUTE, None, "shop", "shop")
PARTLY = WAITING._replace(
    id="H2", state="partly", answered_at=NOW - HOUR, requested_at=NOW - DAY,
    resources=[PARTS[0]._replace(accepted=True), PARTS[1]._replace(accepted=False)],
)  # fmt: skip


def test_those_that_wait_stand_before_those_answered():
    listed = handoff_rows([PARTLY, WAITING], "shop", NOW, UNICODE)
    assert [row.id for row, _ in listed] == [
        "heading:handovers that wait for an answer", "H1", "heading:handovers answered", "H2",
    ]  # fmt: skip
    assert [thing for _, thing in listed] == [None, WAITING, None, PARTLY]
    assert [row.id for row, _ in handoff_rows([WAITING], "shop", NOW, UNICODE)][1:] == ["H1"]
    assert handoff_rows([], "shop", NOW, UNICODE) == []


def test_a_row_says_who_offers_what_to_whom_and_since_when():
    row = handoff_row(WAITING, "shop", NOW, LETTERS)
    assert [str(cell) for cell in row.cells] == [
        "w waiting", "codex-3 -> claude-1", "4m", "2: src/auth, branch:feat/検索", "done with it",
    ]  # fmt: skip
    assert row.fields == {"from": "codex-3", "to": "claude-1"}
    single = WAITING._replace(resources=PARTS[:1], reason=None)
    assert [str(cell) for cell in handoff_row(single, "shop", NOW, LETTERS).cells[3:]] == ["src/auth", ""]


def test_an_answered_row_has_the_age_of_its_answer():
    assert [str(cell) for cell in handoff_row(PARTLY, "shop", NOW, UNICODE).cells[:3]] == [
        "◐ partly", "codex-3 → claude-1", "1h",
    ]  # fmt: skip


def test_the_detail_says_when_both_were_heard_from():
    agents = {"claude-1": AGENT._replace(agent="claude-1", last_seen=NOW - HOUR)}
    text = handoff_detail(WAITING, agents, "shop", NOW, UNICODE).plain
    assert "claude-1  heard from 1h ago" in text and "codex-3" in text
    assert "stays with codex-3 until claude-1 accepts" in text and "answered" not in text
    far = handoff_detail(WAITING._replace(to_room="billing"), agents, "shop", NOW, UNICODE).plain
    assert "codex-3 → claude-1 of room billing" in far and "heard from" not in far, "that sign is a namesake's"


def test_the_detail_of_an_answer_says_what_was_taken_and_what_was_not():
    text = handoff_detail(PARTLY, {}, "shop", NOW, UNICODE).plain
    assert "taken      src/auth" in text and "not taken  branch:feat/検索" in text and "1h ago" in text
    assert "until" not in text
    gone = handoff_detail(PARTLY._replace(state="cancelled"), {}, "shop", NOW, UNICODE).plain
    assert "\ncancelled  " in gone and "taken" not in gone


def test_hostile_names_become_visible():
    hostile = WAITING._replace(
        reason="\x1b]52;c;aGk=\x07[/]", resources=[HandoffResource("project", "[@click=app.quit]x[/]\u202e", None)] * 2
    )
    row = handoff_row(hostile, "shop", NOW, UNICODE)
    assert "[@click=app.quit]x[/]" in str(row.cells[3]) and "\u202e" not in str(row.cells[3])
    text = handoff_detail(hostile, {}, "shop", NOW, UNICODE).plain
    assert "[@click=app.quit]x[/]" in text and not set(text) & set("\x1b\x07\u202e")
