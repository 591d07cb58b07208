from __future__ import annotations

from relay_tui.actions.call import make_call
from relay_tui.actions.plan_files.exporting import Exported
from relay_tui.base.times import DAY, HOUR
from relay_tui.room.followups import FollowUp, OpenDelivery
from relay_tui.room.messages import Acknowledged
from relay_tui.room.persons import Person
from relay_tui.room.receipts import Receipt
from relay_tui.room.registry import AgentChange
from relay_tui.room.sweep_records import Candidate, Skipped, Sweep
from relay_tui.room.work_moves import Removal
from relay_tui.tui.rows_of.previews import forced_release, preview
from relay_tui.tui.widgets.content import lines
from tests.tui.items import one
from tests.tui.rows_of.test_agents import AGENT, CLAIM, NOW

OPERATOR = Person(CLAIM.room, "operator")


def told(action: str, result) -> tuple[str, bool]:
    found = preview(make_call(action, {}, {}), result, NOW)
    return lines(found.lines).plain, found.does


def test_a_sweep_says_who_and_who_not_and_why():
    text, does = told("prune", Sweep(True, [Candidate("a", NOW - 8 * DAY)], [Skipped("b", ["1 claim", "it is live"])]))
    assert does
    assert text.split("\n") == [
        "1 agent would be set aside as dormant; it keeps its inbox, and any act of its own brings it back:",
        "  a   heard from 8d ago", "", "Silent as long, but skipped (1):", "  b   1 claim, it is live",
    ]  # fmt: skip


def test_a_sweep_of_nobody_asks_nothing():
    assert told("prune", Sweep(True, [], [])) == ("Nobody would be set aside.", False)


def test_retiring_says_what_stays_behind():
    text, does = told("retire", AgentChange(AGENT, ["state"]))
    assert does
    assert "codex-3, heard from 2m ago, would be retired" in text
    assert "1,234 messages in its inbox would stay unhandled." in text and "2 claims would stay" in text
    assert told("retire", AgentChange(AGENT, [])) == ("codex-3 is retired already.", False)


def test_joining_says_what_would_be_recorded():
    text, does = told("join", AgentChange(AGENT, ["state", "session", "branch"]))
    assert does
    assert text == "codex-3 would be here, and live.\nA new session would begin under its name.\n  branch   feat/auth"
    assert told("join", AgentChange(AGENT, [])) == ("codex-3 is here already; nothing would change.", False)


def test_an_ack_is_counted():
    assert told("ack", Acknowledged(["M1", "M2"], [])) == (
        "2 messages would be handled, which cannot be taken back.", True,
    )  # fmt: skip
    assert not told("ack", Acknowledged([], ["M1"]))[1]


def test_reminders_name_who_gets_one_and_why_others_do_not():
    due = OpenDelivery("M1", "Review", Receipt("a", "live", "stored", NOW - 2 * HOUR, *[None] * 10), NOW)
    had = due._replace(receipt=due.receipt._replace(agent="b"), reminded_at=NOW - HOUR)
    gone = due._replace(receipt=due.receipt._replace(agent="c", agent_state="left"), reminded_at=None)
    text, does = told("followup", FollowUp([due, had, gone], ["M1"]))
    assert does
    assert text.split("\n") == [
        "1 reminder would be sent, each a reply to what is open:", "  a   Review   sent 2h ago, never fetched", "",
        "Left alone (2):", "  b   Review   reminded 1h ago, once a day is enough", "  c   Review   it has left",
    ]  # fmt: skip
    assert not told("followup", FollowUp([had], []))[1]
    assert told("followup", FollowUp([], [])) == ("Nothing that you sent is open.", False)


def test_a_forced_release_says_what_will_be_recorded_and_who_is_told():
    gone = CLAIM._replace(resource="b", holder="vector-4", holder_state="left", handoff="H1")
    assert lines(forced_release([CLAIM, gone], OPERATOR)).plain.split("\n") == [
        "What will be recorded:",
        f"claim.released by operator, forced, with your reason: {CLAIM.resource} of codex-3, b of vector-4",
        "handoff.cancelled by operator: H1, which waits; its recipient is told",
        f'message.sent to codex-3: operator released "{CLAIM.resource}", which you held. Reason: …',
        "message.sent to nobody, since vector-4 has left",
    ]
    hostile = lines(forced_release([CLAIM._replace(resource="[/]\x1b[31m")], OPERATOR)).plain
    assert "[/]" in hostile and "\x1b" not in hostile


def test_a_removal_says_how_much_goes_along_and_an_export_how_much_is_written():
    item = one()
    assert told("work remove", Removal(item, ["removed"], ["W1"])) == ("W1 title of W1 would be removed.", True)
    with_more = told("work remove", Removal(item, ["removed"], ["W1", "W2", "W3"]))
    assert with_more == ("W1 title of W1 would be removed, with 2 items below it:", True)
    left = "line 9 stays: its title is struck out."
    written = told("work export", Exported("ROADMAP.md", [4, 7], [left]))
    assert written == (f"2 lines of ROADMAP.md would change, and no other byte.\n{left}", True)
    nothing = told("work export", Exported("ROADMAP.md", [], []))
    assert nothing == ("ROADMAP.md says what the room says; nothing would be written.", False)
    cannot = told("work export", Exported("ROADMAP.md", [], [left]))
    assert cannot == (f"ROADMAP.md: nothing would be written.\n{left}", False)


def test_hostile_names_become_visible():
    text, _ = told("prune", Sweep(True, [Candidate("a\x1b[31m", None)], [Skipped("b\u202e", ["c\x9b"])]))
    assert not set(text) & set("\x1b\u202e\x9b")
