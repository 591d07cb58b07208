from __future__ import annotations

from relay_tui.base.times import DAY, HOUR
from relay_tui.room import registry, sweeps
from relay_tui.room.held import MACHINE
from relay_tui.room.ledger import Actor
from relay_tui.room.waiting import stand_in_line
from tests.room_fixture import House
from tests.tui.visits import visit

CODEX, CLAUDE = Actor("codex-3"), Actor("claude-1")


async def test_live_and_quiet_agents_are_listed_and_f_shows_the_others(house: House):
    house.clock.advance(2 * HOUR)
    house.join("harbor-1")
    registry.leave(house.room, CLAUDE)
    async with visit(house, "agents") as here:
        assert here.ids == ["codex-3", "harbor-1", "operator"]
        assert "1 live · 2 quiet   1 left   4 stored" in here.banner
        await here.press("f", "f")
        assert here.ids == ["claude-1"]
        await here.press("f", "f")
        assert here.ids == ["claude-1", "codex-3", "harbor-1", "operator"]


async def test_the_detail_has_facts_claims_and_the_question(house: House):
    house.claim(CODEX, "src/auth", note="rewrite")
    registry.report_status(house.room, CODEX, {"status": "waiting", "branch": "feat/auth"}, ("operator", "Which base?"))
    async with visit(house, "agents") as here:
        assert here.row_list.move_to("codex-3")
        await here.settle()
        for words in ("Which base?", "asks operator", "waiting", "feat/auth", "src/auth", '"rewrite"', "codex"):
            assert words in here.detail, words


async def test_a_place_in_line_is_shown_with_who_holds_it(house: House):
    house.claim(CODEX, "machine:native")
    with house.room.store.writing() as db:
        agent = db.execute("SELECT key FROM agents WHERE name = 'claude-1'").fetchone()[0]
        stand_in_line(db, agent, [(MACHINE, one) for one in house.resources("machine:native")], house.clock.now, HOUR)
    async with visit(house, "agents") as here:
        here.row_list.move_to("claude-1")
        await here.settle()
        assert "in line for machine:native" in str(here.row_list.row.cells[2])
        assert "machine:native   codex-3 holds it, next" in here.detail


async def test_the_branch_that_git_says_stands_beside_the_one_reported(house: House):
    house.join("codex-3", branch="feat/auth", worktree=house.repository)
    async with visit(house, "agents") as here:
        here.row_list.move_to("codex-3")
        await here.settle()
        assert "reports    feat/auth" in here.detail and "stands on  main" in here.detail


async def test_a_reply_closes_the_question_of_the_row(house: House):
    registry.report_status(house.room, CODEX, {"status": "waiting"}, ("operator", "Which base?"))
    async with visit(house, "agents") as here:
        here.row_list.move_to("codex-3")
        await here.press("R")
        await here.fill("main")
        assert "Which base?" not in here.detail
    assert [event.kind for event in house.events("question")] == ["question.asked", "question.closed"]


async def test_n_joins_an_agent_under_the_name_that_is_typed(house: House):
    async with visit(house, "agents") as here:
        await here.press("n")
        await here.type("nimbus-2")
        await here.press("enter")
        assert "nimbus-2 would be here, and live." in here.dialog
        assert len(house.events()) == 3
        await here.press("y")
        assert here.lines == ["relay join --as nimbus-2 --dry-run", "relay join --as nimbus-2"]
        assert "nimbus-2" in here.ids


async def test_a_key_that_cannot_act_says_why(house: House):
    async with visit(house, "agents") as here:
        await here.press("s", "t", "R")
        for why in (
            "Agents report their own status.", "t does nothing on this screen.", "This agent has asked nothing.",
        ):  # fmt: skip
            assert why in here.toasts
    assert len(house.events()) == 3


async def test_x_retires_after_the_dry_run_was_read_and_names_the_way_back(house: House):
    async with visit(house, "agents") as here:
        here.row_list.move_to("codex-3")
        await here.press("x")
        assert "Would run: relay retire codex-3 --as operator" in here.dialog
        assert "codex-3, heard from 0s ago, would be retired" in here.dialog
        assert len(house.events()) == 3
        await here.press("y")
        assert "Back: relay revive codex-3 --as operator" in here.toasts
        assert "codex-3" not in here.ids
    assert house.events()[-1].kind == "agent.retired"


async def test_retiring_with_its_branches_is_typed_out(house: House):
    house.claim(CODEX, "branch:main")
    async with visit(house, "agents") as here:
        here.row_list.move_to("codex-3")
        await here.press("x")
        assert "codex-3 holds main." in here.toasts and "X retires it and gives that up." in here.toasts
        await here.press("X")
        assert "Retire codex-3 by force" in here.dialog
        assert "branch:main · codex-3 · live, heard from 0s ago" in here.dialog
        await here.type_out("codex-3", "merged")
        assert here.lines[-1] == "relay retire codex-3 --relinquish --reason merged --as operator"
    assert house.rows("SELECT count(*) FROM claims") == [(0,)]


async def test_x_and_V_say_why_they_do_nothing(house: House):
    async with visit(house, "agents") as here:
        here.row_list.move_to("codex-3")
        await here.press("X", "V", "space", "space", "x")
        for why in ("codex-3 holds no branch.", "codex-3 is not retired.", "Agents are retired one at a time."):
            assert why in here.toasts
    assert len(house.events()) == 3


async def test_V_brings_a_retired_name_back(house: House):
    sweeps.retire(house.room, house.operator, "codex-3", relinquish=False, reason=None)
    async with visit(house, "agents") as here:
        await here.press("f", "f", "f", "x")
        assert "codex-3 is retired already." in here.toasts
        await here.press("V")
        assert here.ids == [] and here.lines == ["relay revive codex-3 --as operator"]
    assert house.events()[-1].kind == "agent.revived"


async def test_P_shows_who_would_be_set_aside_and_who_not_before_it_asks(house: House):
    house.claim(CLAUDE, "src/auth")
    house.clock.advance(8 * DAY)
    async with visit(house, "agents") as here:
        await here.press("P")
        assert "codex-3   heard from 8d ago" in here.dialog
        assert "claude-1   1 claim" in here.dialog
        await here.press("n", "P")
        assert house.events("agent.set_aside") == []
        await here.press("y")
        assert here.lines[-1] == "relay prune --apply --as operator"
        assert "codex-3" not in here.ids and "claude-1" in here.ids
        await here.press("f")
        assert here.ids == ["codex-3"]
    assert [event.data["agent"] for event in house.events("agent.set_aside")] == ["codex-3"]


async def test_P_asks_nothing_where_nobody_was_silent_for_long(house: House):
    async with visit(house, "agents") as here:
        await here.press("P")
        assert "Nobody would be set aside." in here.dialog
        await here.press("y", "escape")
        assert here.lines == ["relay prune --apply --as operator --dry-run"]
    assert len(house.events()) == 3


async def test_b_reads_the_agents_mailbox_and_changes_nothing(house: House):
    sent = house.send(CODEX, "claude-1", "for claude only")
    async with visit(house, "agents") as here:
        here.row_list.move_to("claude-1")
        await here.press("b")
        assert here.app.current_mode == "inbox" and here.ids == [sent.id]
        assert "claude-1's mailbox" in here.banner
    assert [event.kind for event in house.events("message")] == ["message.sent"]


async def test_b_is_the_operators(house: House):
    async with visit(house, "agents", me=Actor("codex-3", None, "cli", at_keyboard=True)) as here:
        await here.press("b")
        assert "Only the operator may read another's mailbox." in here.toasts
        assert here.app.current_mode == "agents"


async def test_read_only_offers_no_act(house: House):
    async with visit(house, "agents", read_only=True) as here:
        await here.press("P", "x")
        assert here.toasts.count("This screen is read-only.") == 2
        assert here.lines == []
