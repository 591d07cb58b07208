from __future__ import annotations

import pytest

from relay_tui.base.times import DAY, HOUR
from relay_tui.room import claims, handoffs, registry
from relay_tui.room.held import list_claims
from relay_tui.room.ledger import Actor
from relay_tui.room.mishaps import Mishap, note_mishap
from relay_tui.room.rooms import Room
from relay_tui.tui import app
from relay_tui.tui.frame import TabLine
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House
from tests.tui.branch_scenes import furnish_branches
from tests.tui.visits import Visit, visit

CODEX = Actor("codex-3")


@pytest.fixture
def busy(tmp_path, monkeypatch) -> House:
    isolate_git(monkeypatch)
    made = House(str(tmp_path))
    furnish_branches(made)
    return made


async def go_to(here: Visit, kind: str) -> None:
    await here.go_to(next(id for id in here.ids if id.partition(":")[0] == kind))


async def test_what_needs_the_person_stands_most_urgent_first_with_what_is_calm_below(busy: House):
    async with visit(busy, "attention") as here:
        kinds = [id.partition(":")[0] for id in here.ids]
        assert kinds == [
            "question", "contested", "orphaned", "missing", "mail", "unhandled", "blocked", "wrong_worktree", "overlap",
        ]  # fmt: skip
        assert here.here == here.ids[0]
        assert str(here.row_list.rows[-1].cells[0]) == "nothing else: 1 branch clear"
        assert [str(cell) for cell in here.row_list.rows[1].cells[:2]] == ["! contested", "feat/shared-room"]


async def test_a_quiet_room_needs_nothing(house: House):
    async with visit(house, "attention") as here:
        assert here.ids == []
        assert "Nothing needs you." in here.drawn


async def test_what_a_hook_failed_at_is_shown_and_forgotten_with_a(house: House):
    note_mishap(house.home, Mishap(house.clock.now, "hook prompt", "/x/[b]y", "it\x1b[31m broke"))
    async with visit(house, "attention") as here:
        assert here.ids == ["fault:hook prompt:/x/[b]y"]
        assert "it\\x1b[31m broke (in /x/[b]y)" in here.detail.replace("\n", " ")
        assert "a forget it" in here.detail
        await here.press("a")
        assert here.lines == ["relay doctor --forget"]
        assert here.ids == []


async def test_the_detail_says_who_why_and_which_keys_settle_it(busy: House):
    async with visit(busy, "attention") as here:
        await go_to(here, "contested")
        for words in (
            "nimbus-2  heard from 45s", "also there  ● live  harbor-1", "W1 in-progress", "../wt-room",
            "harbor-1 is live on it", "m message harbor-1   d diff", "Y copies    relay send --to harbor-1",
        ):  # fmt: skip
            assert words in here.detail, words
        await go_to(here, "missing")
        assert "c claim it as planned" in here.detail and "free it" not in here.detail


async def test_w_goes_from_thing_to_thing_and_round_again(busy: House):
    async with visit(busy, "attention") as here:
        first, *others = here.ids
        for id in [*others, first]:
            await here.press("w")
            assert here.here == id
        await here.press("5", "w")
        assert here.app.current_mode == "attention"


async def test_enter_or_r_answers_a_question(busy: House):
    for key in ("enter", "R"):
        async with visit(busy, "attention") as here:
            await go_to(here, "question")
            await here.press(key)
            assert "codex-3 asks: Which base, main or 開発?" in here.dialog
            await here.press("escape")
    async with visit(busy, "attention") as here:
        await go_to(here, "question")
        await here.press("enter")
        await here.fill("main")
        assert here.lines[0].startswith("relay send --message main --reply-to Q")
        assert here.lines[1].startswith("relay ack M") and len(here.lines) == 2
        assert busy.events("message.handled")[-1].data["messages"] == [here.lines[1].split()[2]]
        assert "message.sent" in [event.kind for event in busy.events()]
        assert "question" not in {id.partition(":")[0] for id in here.ids}


async def test_mail_is_read_with_enter_and_handled_with_a(busy: House):
    async with visit(busy, "attention") as here:
        await go_to(here, "mail")
        assert "Try it." not in here.detail
        await here.press("enter")
        assert "Try it." in here.dialog
        await here.press("escape")
        assert "Try it." in here.detail
        mail = here.here
        await here.press("a")
        assert here.lines[-1].startswith("relay ack M")
        assert mail not in here.ids
    assert [event.kind for event in busy.events("message.handled")]


async def test_mail_is_answered_with_r(busy: House):
    async with visit(busy, "attention") as here:
        await go_to(here, "mail")
        await here.press("R")
        await here.fill("Thanks")
        assert "--reply-to M" in here.lines[-1]


async def test_enter_on_a_contested_branch_begins_the_message_that_is_proposed(busy: House):
    async with visit(busy, "attention") as here:
        await go_to(here, "contested")
        await here.press("enter")
        assert "Write to harbor-1" in here.dialog
        assert here.app.screen.query_one("PlainTextArea").text == "Please leave feat/shared-room."
        await here.press("ctrl+s")
        assert here.lines == ["relay send --message 'Please leave feat/shared-room.' --to harbor-1 --as operator"]


@pytest.mark.parametrize("key", ["enter", "X"])
async def test_an_orphaned_branch_is_freed_with_a_reason(busy: House, key: str):
    async with visit(busy, "attention") as here:
        await go_to(here, "orphaned")
        await here.press(key)
        await here.type_out("feat/work-tree", "gone")
        assert here.lines[-1] == "relay branch release feat/work-tree --force --reason gone --as operator"
        await here.settle()
        assert "orphaned:feat/work-tree" not in here.ids
    assert "feat/work-tree" not in {claim.resource for claim in list_claims(busy.room).claims}


async def test_c_plans_a_missing_branch_and_refuses_a_held_one(busy: House):
    async with visit(busy, "attention") as here:
        await go_to(here, "contested")
        await here.press("c")
        assert "nimbus-2 holds branch:feat/shared-room." in here.toasts
        await go_to(here, "missing")
        await here.press("c", "enter")
        assert here.lines == ["relay branch claim feat/payments --new --as operator"]


async def test_d_shows_the_diff_of_a_branch(busy: House):
    async with visit(busy, "attention", read_only=True) as here:
        await go_to(here, "contested")
        await here.press("d")
        assert here.app.screen.query("DiffView")


async def test_unhandled_and_blocked_open_what_they_are_about(busy: House):
    async with visit(busy, "attention") as here:
        await go_to(here, "unhandled")
        await here.press("enter")
        assert "stored" in here.dialog
        await here.press("escape")
        await go_to(here, "blocked")
        assert "⊘ blocked  Reject cycles" in here.detail
        await here.press("enter")
        assert "Reject cycles" in here.dialog
        await here.press("escape", "s")
        assert "Status of W2 Reject cycles" in here.dialog
        await here.press("1")
        assert "Back: relay work set W2 --status blocked --as operator" in here.toasts


async def test_m_writes_to_the_owner_of_what_is_blocked(busy: House):
    async with visit(busy, "attention") as here:
        await go_to(here, "blocked")
        await here.press("m")
        await here.fill("What do you need?")
        assert here.lines == ["relay send --message 'What do you need?' --to codex-3 --as operator"]


async def test_a_stale_claim_is_freed_as_it_is_typed_where_one_stands(house: House):
    house.claim(CODEX, "src/auth", note="rewrite")
    house.clock.advance(2 * DAY)
    async with visit(house, "attention") as here:
        assert here.ids == ["stale_claim:src/auth"]
        assert '"rewrite"' in here.detail
        await here.press("X")
        await here.type_out("src/auth", "idle")
        assert here.lines[-1] == "relay release src/auth --force --reason idle --as operator"
        assert here.ids == []


async def test_an_agent_in_the_wrong_worktree_is_written_to(busy: House):
    async with visit(busy, "attention") as here:
        await go_to(here, "wrong_worktree")
        await here.press("enter")
        assert "Write to claude-1" in here.dialog
        assert here.app.screen.query_one("PlainTextArea").text.startswith(
            "Please check your worktree: claude-1 reports"
        )


async def test_who_changes_what_another_claims_is_written_to(busy: House):
    async with visit(busy, "attention") as here:
        await go_to(here, "overlap")
        said = "dirty in 1 tree (wt-room), changed on feat/shared-room, claimed by codex-3"
        assert said in " ".join(here.detail.split())
        assert "m message harbor-1" in here.detail
        await here.press("enter")
        assert "Write to harbor-1" in here.dialog
        asked = f"Please settle with codex-3 who goes on with src/auth.py: {said}."
        assert here.app.screen.query_one("PlainTextArea").text == asked


async def test_a_blocked_agent_is_asked_what_it_needs(house: House):
    registry.report_status(house.room, CODEX, {"status": "blocked", "text": "no key"}, None)
    async with visit(house, "attention") as here:
        assert "no key" in here.detail
        await here.press("s")
        assert "Agents report their own status." in here.toasts
        await here.press("enter", "ctrl+s")
        assert here.lines == ["relay send --message 'What do you need?' --to codex-3 --as operator"]


async def test_a_key_that_cannot_act_says_why(house: House):
    house.send(Actor("claude-1"), "codex-3", "hello")
    house.clock.advance(2 * HOUR)
    async with visit(house, "attention") as here:
        assert here.ids == ["unhandled:codex-3"]
        for key, words in {
            "a": "There is nothing to accept about codex-3.", "R": "Nobody has asked you anything here.",
            "c": "codex-3 is not a branch.", "X": "codex-3 is not a branch.", "d": "codex-3 is not a branch.",
        }.items():  # fmt: skip
            await here.press(key)
            assert words in here.toasts
        assert here.lines == []


async def test_y_copies_the_subject_and_shift_y_the_command(busy: House):
    async with visit(busy, "attention") as here:
        await go_to(here, "orphaned")
        await here.press("y")
        assert here.app.clipboard == "feat/work-tree"
        await here.press("Y")
        assert here.app.clipboard == "relay branch release feat/work-tree --force --reason '…' --as operator"


async def test_branches_that_cannot_be_read_are_told_and_the_rest_is_shown(busy: House, monkeypatch):
    monkeypatch.setenv("PATH", busy.folder)
    async with visit(busy, "attention") as here:
        assert "branches could not be read: git was not found" in here.banner
        assert here.ids[0].startswith("question:")
        assert "nothing else" not in here.drawn
        assert "1 Attention 4?" in str(here.app.screen.query_one(TabLine).render())


async def test_where_git_cannot_be_read_nobody_says_that_nothing_needs_you(house: House, monkeypatch):
    monkeypatch.setenv("PATH", house.folder)
    async with visit(house, "attention") as here:
        assert "Everything else is settled" in here.drawn and "Nothing needs you." not in here.drawn
        assert "1 Attention ?" in str(here.app.screen.query_one(TabLine).render())


async def test_an_offer_is_accepted_with_a_and_declined_with_d(house: House):
    for key, state in (("a", "accepted"), ("d", "declined")):
        house.claim(CODEX, "src/auth", note="rewrite")
        handoffs.request(house.room, CODEX, house.resources("src/auth"), "operator", "done with it")
        async with visit(house, "attention") as here:
            await go_to(here, "handoff")
            for words in ("codex-3  heard from 0s ago", "offered   src/auth", "done with it", "a accept"):
                assert words in here.detail, words
            await here.press(key, *(["ctrl+s"] if key == "d" else []))
            assert here.lines[-1].startswith("relay handoff respond H")
        assert [one.state for one in handoffs.list_handoffs(house.room, answered=True).handoffs][-1] == state
        claims.give_back_all(house.room, Actor("operator") if key == "a" else CODEX)


async def test_an_offer_to_somebody_else_is_not_answered(house: House):
    house.claim(CODEX, "src/auth")
    handoffs.request(house.room, CODEX, house.resources("src/auth"), "claude-1", None)
    async with visit(house, "attention") as here:
        for key in ("a", "d"):
            await here.press(key)
        assert here.toasts.count("Only claude-1 can answer this.") == 2 and here.lines == []
        assert "handover" in str(here.row_list.rows[0].cells[0])
        assert " write" in here.detail and "decline" not in here.detail
        await here.press("enter")
        assert "Write to claude-1" in here.dialog


async def test_a_survey_that_fails_is_told(house: House, monkeypatch):
    def fail(room: Room) -> None:
        raise KeyError("x")

    monkeypatch.setattr(app, "read_survey", fail)
    async with visit(house, "attention") as here:
        assert "relay failed: KeyError: 'x'" in here.drawn, "in the header"
        assert "Looking at the branches" not in here.drawn
