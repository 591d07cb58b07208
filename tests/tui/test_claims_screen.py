from __future__ import annotations

import os

from relay_tui.base.times import HOUR
from relay_tui.room.held import list_claims
from relay_tui.room.ledger import Actor
from tests.room_fixture import House
from tests.tui.visits import visit

CODEX = Actor("codex-3")


def holders(house: House) -> dict[str, str]:
    return {claim.resource: claim.holder for claim in list_claims(house.room).claims}


async def test_c_claims_a_typed_path_and_the_toast_names_the_way_back(house: House):
    async with visit(house, "claims") as here:
        await here.press("c")
        await here.type("src/auth")
        await here.press("enter")
        assert here.lines == ["relay claim src/auth --as operator"]
        assert "Back: relay release src/auth --as operator" in here.toasts
        assert here.ids == ["project:src/auth"]
    assert holders(house) == {"src/auth": "operator"}


async def test_a_path_is_completed_as_it_is_typed(house: House):
    async with visit(house, "claims") as here:
        await here.press("c")
        await here.type("src/au")
        await here.press("right", "enter")
    assert holders(house) == {"src/auth": "operator"}


async def test_x_releases_what_is_your_own_and_says_why_it_leaves_the_rest(house: House):
    house.claim(CODEX, "README.md")
    house.claim(house.operator, "src")
    async with visit(house, "claims") as here:
        assert here.ids == ["project:README.md", "project:src"]
        await here.press("x")
        assert "codex-3 holds README.md." in here.toasts and "X releases it by force" in here.toasts
        await here.press("j", "x")
        assert here.ids == ["project:README.md"]
    assert holders(house) == {"README.md": "codex-3"}


async def test_a_conflict_names_the_holder_and_is_kept_in_the_log(house: House):
    house.claim(CODEX, "src", note="rewrite")
    async with visit(house, "claims") as here:
        await here.command("claim src/auth")
        assert 'src is held by codex-3 (live, heard from 0s ago: "rewrite")' in here.toasts
        assert here.app.acts.log.last.outcome == "failed"
    assert holders(house) == {"src": "codex-3"}


async def test_force_lists_who_is_affected_and_wants_the_name_and_a_reason(house: House):
    house.claim(CODEX, "src", note="rewrite")
    house.clock.advance(2 * HOUR)
    async with visit(house, "claims") as here:
        assert [row.id for row in here.row_list.rows if row.heading] == [
            "heading:stale: the holder is not live, the claim stays"
        ]
        await here.press("X")
        assert 'src · codex-3 · quiet, heard from 2h ago · "rewrite"' in here.dialog
        await here.type("scr")
        await here.press("enter", "enter")
        assert "This is not the name" in here.dialog
        assert holders(house) == {"src": "codex-3"}
        here.app.screen.query_one("#name").value = "src"
        await here.press("enter")
        await here.type("it is idle")
        await here.press("enter")
        assert here.lines[-1] == "relay release src --force --reason 'it is idle' --as operator"
    assert holders(house) == {}
    assert house.events("claim.released")[0].data["forced"]
    assert "it is idle" in house.poll(CODEX).messages[-1].body


async def test_leaving_the_forced_dialog_changes_nothing(house: House):
    house.claim(CODEX, "src")
    async with visit(house, "claims") as here:
        await here.press("X", "escape")
        assert len(here.app.screen_stack) == 1
    assert holders(house) == {"src": "codex-3"}


async def test_a_row_is_typed_relative_to_where_the_person_stands(house: House, monkeypatch):
    house.claim(house.operator, "README.md")
    repository = house.repository
    house.repository = os.path.join(repository, "src")
    async with visit(house, "claims") as here:
        await here.press("x")
        assert here.lines == ["relay release ../README.md --as operator"]
    assert holders(house) == {}


async def test_y_copies_the_resource_and_shift_y_the_line(house: House):
    house.claim(CODEX, "machine:native")
    async with visit(house, "claims") as here:
        await here.press("y")
        assert here.app.clipboard == "machine:native"
        await here.press("Y")
        assert here.app.clipboard == "relay claims --over machine:native"
