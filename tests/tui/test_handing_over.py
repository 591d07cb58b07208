from __future__ import annotations

import os

from relay_tui.room import handoffs
from tests.room_fixture import House
from tests.tui.test_claims_screen import CLAUDE, CODEX, holders, offer, state_of
from tests.tui.visits import visit


async def test_one_resource_that_is_offered_is_taken_at_once(house: House):
    id = offer(house, CODEX, "operator", "src/auth")
    async with visit(house, "claims") as here:
        await here.go_to(id)
        await here.press("a")
        assert here.lines == [f"relay handoff respond {id} --accept --as operator"]
        assert f"{id}: accepted. operator holds src/auth." in here.toasts
    assert holders(house) == {"src/auth": "operator"} and state_of(house, id) == "accepted"


async def test_of_several_the_person_picks_all_ticked_at_first(house: House):
    id = offer(house, CODEX, "operator", "src/auth", "src/cart", "machine:native")
    async with visit(house, "claims") as here:
        await here.go_to(id)
        await here.press("a")
        assert "Take what codex-3 offers you" in here.dialog and "take 3 of 3" in here.dialog
        await here.press("j", "space", "enter")
        assert here.lines == [
            f"relay handoff respond {id} --accept --resource machine:native --resource src/cart --as operator"
        ]
    assert holders(house) == {"src/auth": "codex-3", "src/cart": "operator", "native": "operator"}
    assert state_of(house, id) == "partly"


async def test_picked_paths_are_typed_from_where_the_person_stands(house: House):
    id = offer(house, CODEX, "operator", "src/auth", "README.md")
    house.repository = os.path.join(house.repository, "src")
    async with visit(house, "claims") as here:
        await here.go_to(id)
        await here.press("a", "enter")
        assert here.lines[0].startswith(f"relay handoff respond {id} --accept --resource ../README.md --resource auth")
    assert state_of(house, id) == "accepted"


async def test_leaving_the_boxes_answers_nothing(house: House):
    id = offer(house, CODEX, "operator", "src/auth", "src/cart")
    async with visit(house, "claims") as here:
        await here.go_to(id)
        await here.press("a", "escape")
        assert here.lines == []
    assert state_of(house, id) == "waiting"


async def test_a_claim_that_is_offered_is_answered_on_its_own_row(house: House):
    id = offer(house, CODEX, "operator", "src/auth")
    async with visit(house, "claims") as here:
        await here.go_to("project:src/auth")
        await here.press("d")
        await here.type("not now")
        await here.press("ctrl+s")
        assert here.lines == [f"relay handoff respond {id} --decline --reason 'not now' --as operator"]
    assert state_of(house, id) == "declined" and "not now" in house.poll(CODEX).messages[-1].body


async def test_only_the_recipient_answers(house: House):
    id = offer(house, CODEX, "claude-1", "src/auth")
    async with visit(house, "claims") as here:
        await here.go_to(id)
        await here.press("a", "d")
        assert here.toasts.count("Only claude-1 can answer this.\nm writes to claude-1.") == 2 and here.lines == []


async def test_who_made_an_offer_is_told_how_to_take_it_back(house: House):
    id = offer(house, house.operator, "claude-1", "src/auth")
    async with visit(house, "claims") as here:
        await here.go_to(id)
        await here.press("a")
        assert "x takes it back." in here.toasts


async def test_what_is_not_offered_or_answered_already_cannot_be_answered(house: House):
    house.claim(CODEX, "README.md")
    id = offer(house, CODEX, "operator", "src/auth")
    handoffs.respond(house.room, house.operator, id, accept=False, only=[], reason=None)
    async with visit(house, "claims") as here:
        await here.press("a")
        assert "There is nothing to accept: this is not offered." in here.toasts
        await here.go_to(id)
        await here.press("a", "d", "x")
        assert here.toasts.count(f"{id} was declined before.") == 3 and here.lines == []


async def test_x_takes_back_what_is_offered_and_the_toast_names_the_way_back(house: House):
    id = offer(house, house.operator, "codex-3", "src/auth", reason="done")
    async with visit(house, "claims") as here:
        await here.go_to("project:src/auth")
        await here.press("x")
        assert here.lines == [f"relay handoff cancel {id} --as operator"]
        assert "Back: relay handoff request src/auth --to codex-3 --reason done --as operator" in here.toasts
        await here.press("x")
        assert here.lines[-1] == "relay release src/auth --as operator"
    assert holders(house) == {} and state_of(house, id) == "cancelled"


async def test_the_operator_is_asked_before_taking_back_the_offer_of_another(house: House):
    id = offer(house, CODEX, "claude-1", "src/auth")
    async with visit(house, "claims") as here:
        await here.go_to(id)
        await here.press("x")
        assert "only codex-3 can offer it again. claude-1 is told." in here.dialog
        await here.press("n")
        assert state_of(house, id) == "waiting"
        await here.press("x", "y")
    assert state_of(house, id) == "cancelled"


async def test_nobody_else_takes_an_offer_back(house: House):
    id = offer(house, CODEX, "operator", "src/auth")
    async with visit(house, "claims", me=CLAUDE) as here:
        await here.go_to(id)
        await here.press("x")
        assert "codex-3 offers this." in here.toasts and here.lines == []


async def test_marked_claims_that_are_offered_stay_with_the_way_out(house: House):
    house.claim(house.operator, "README.md")
    id = offer(house, house.operator, "codex-3", "src/auth")
    async with visit(house, "claims") as here:
        await here.press("space", "space", "x")
        assert f"src/auth is offered in {id}." in here.toasts and here.lines == []


async def test_t_offers_what_is_marked_to_a_completed_name(house: House):
    house.claim(house.operator, "README.md", "src/auth")
    async with visit(house, "claims") as here:
        await here.press("space", "space", "t")
        assert "Hand over 2 claims" in here.dialog
        await here.type("cod")
        await here.settle()
        await here.press("right", "tab")
        await here.type("done with these")
        await here.press("enter")
        assert here.lines == [
            "relay handoff request README.md src/auth --to codex-3 --reason 'done with these' --as operator"
        ]
        assert "Back: relay handoff cancel H0000001 --as operator" in here.toasts
        await here.go_to("project:src/auth")
        await here.press("t")
        assert "src/auth is offered in H0000001." in here.toasts


async def test_t_on_the_claim_of_another_asks_for_it(house: House):
    house.claim(CODEX, "src/auth", "machine:native")
    async with visit(house, "claims") as here:
        await here.press("t")
        assert "Ask codex-3 for src/auth" in here.dialog
        await here.type("the fix is there")
        await here.press("ctrl+s")
        assert here.lines == ["relay handoff ask src/auth --reason 'the fix is there' --as operator"]
    assert "operator asks for src/auth" in house.poll(CODEX).messages[-1].body
    assert holders(house)["src/auth"] == "codex-3"


async def test_t_does_not_mix_what_is_yours_with_what_is_not(house: House):
    house.claim(CODEX, "src/auth")
    house.claim(house.operator, "README.md")
    id = offer(house, CODEX, "claude-1", "lib")
    async with visit(house, "claims") as here:
        for row in here.ids[:3]:
            await here.go_to(row)
            await here.press("space")
        await here.press("t")
        assert "Some of these are yours, some are not." in here.toasts
        await here.press("escape")
        await here.go_to(id)
        await here.press("t")
        assert "This is a handover already." in here.toasts and here.lines == []
