from __future__ import annotations

from relay_tui.base.times import HOUR
from relay_tui.room import registry
from relay_tui.room.ledger import Actor
from tests.room_fixture import House
from tests.tui.visits import visit

CODEX, CLAUDE = Actor("codex-3"), Actor("claude-1")


async def test_live_and_quiet_agents_are_listed_and_f_shows_the_others(house: House):
    house.clock.advance(2 * HOUR)
    house.join("harbor-1")
    registry.leave(house.room, CLAUDE)
    async with visit(house, "agents") as here:
        assert here.ids == ["codex-3", "harbor-1", "operator"]
        assert "1 live · 2 quiet   1 left   4 stored" in str(here.app.screen.query_one(".banner").visual)
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


async def test_a_reply_closes_the_question_of_the_row(house: House):
    registry.report_status(house.room, CODEX, {"status": "waiting"}, ("operator", "Which base?"))
    async with visit(house, "agents") as here:
        here.row_list.move_to("codex-3")
        await here.press("R")
        await here.type("main")
        await here.press("ctrl+s")
        assert "Which base?" not in here.detail
    assert [event.kind for event in house.events("question")] == ["question.asked", "question.closed"]


async def test_n_joins_an_agent_under_the_name_that_is_typed(house: House):
    async with visit(house, "agents") as here:
        await here.press("n")
        await here.type("nimbus-2")
        await here.press("enter")
        assert here.lines == ["relay join --as nimbus-2"]
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
        await here.press("x", "ctrl+s")
        assert "Would do: relay retire codex-3 --as operator" in here.dialog
        assert len(house.events()) == 3
        await here.press("y")
        assert "Back: relay revive codex-3 --as operator" in here.toasts
        assert "codex-3" not in here.ids
    assert house.events()[-1].kind == "agent.retired"


async def test_retiring_with_its_branches_is_typed_out(house: House):
    house.claim(CODEX, "branch:main")
    async with visit(house, "agents") as here:
        here.app.acts.act(here.app.desk.compose("retire", name="codex-3", relinquish=True))
        await here.settle()
        assert "retire codex-3 by force" in here.dialog
        await here.type("codex-3")
        await here.press("enter")
        await here.type("merged")
        await here.press("enter")
        assert here.lines[-1] == "relay retire codex-3 --relinquish --reason merged --as operator"
    assert house.rows("SELECT count(*) FROM claims") == [(0,)]
