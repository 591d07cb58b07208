from __future__ import annotations

import os

import pytest

from relay_tui.base.times import DAY, HOUR, MINUTE
from relay_tui.room import claims, handoffs
from relay_tui.room.held import list_claims, require_holder
from relay_tui.room.ledger import Actor
from tests.repo.git_fixture import write
from tests.room_fixture import House, refusal
from tests.tui.visits import Visit, visit

CODEX, CLAUDE = Actor("codex-3"), Actor("claude-1")


def holders(house: House) -> dict[str, str]:
    return {claim.resource: claim.holder for claim in list_claims(house.room).claims}


def offer(house: House, me: Actor, to: str, *typed: str, reason: str | None = None) -> str:
    house.claim(me, *typed)
    return handoffs.request(house.room, me, house.resources(*typed), to, reason).handoff.id


def state_of(house: House, id: str) -> str:
    return next(one.state for one in handoffs.list_handoffs(house.room, answered=True).handoffs if one.id == id)


def headings(here: Visit) -> list[str]:
    return [str(row.cells[0]) for row in here.row_list.rows if row.heading]


# What is shown


async def test_rows_stand_by_scope_and_holder_and_handovers_below(house: House):
    house.claim(CODEX, "machine:native", "src/cart")
    waits, answered = offer(house, CODEX, "operator", "src/auth"), offer(house, CODEX, "operator", "README.md")
    handoffs.respond(house.room, house.operator, answered, accept=False, only=[], reason=None)
    house.clock.advance(2 * HOUR)
    house.claim(CLAUDE, "branch:main")
    async with visit(house, "claims") as here:
        assert headings(here) == [
            "paths · codex-3   ◐ quiet, heard from 2h ago", "branches · claude-1   ● live, heard from 0s ago",
            "machine · codex-3   ◐ quiet, heard from 2h ago", "handovers that wait for an answer", "handovers answered",
        ]  # fmt: skip
        assert here.ids == [
            "project:README.md", "project:src/auth", "project:src/cart", "branch:main", "machine:native", waits,
            answered,
        ]  # fmt: skip
        assert "1 offered to you" in str(here.app.screen.query_one(".banner").visual)


async def test_the_views_are_the_scopes_and_the_handovers(house: House):
    house.claim(CODEX, "machine:native", "src/cart")
    waits = offer(house, CODEX, "claude-1", "src/auth", reason="done with it")
    async with visit(house, "claims") as here:
        shown = []
        for _ in range(5):
            await here.press("right_square_bracket")
            shown.append(here.ids)
        paths, everything = ["project:src/auth", "project:src/cart"], [*shown[0], "machine:native", waits]
        assert shown == [paths, [], ["machine:native"], [waits], everything]
        await here.press("left_square_bracket")
        titles = [str(column.title) for column in here.app.screen.columns]
        assert titles == ["state", "from → to", "age", "what", "reason"]
        await here.press("escape")
        assert here.ids == everything and "resource" in [column.title for column in here.app.screen.columns]


@pytest.mark.parametrize(("steps", "words"), [
    (0, "c claims a path, or type :claim src/auth"), (2, "type :branch claim NAME"), (3, ":claim machine:native"),
    (4, "t on a claim offers it, or asks its holder for it."),
])  # fmt: skip
async def test_an_empty_view_says_what_to_type(house: House, steps: int, words: str):
    async with visit(house, "claims") as here:
        await here.press(*["right_square_bracket"] * steps)
        shown = "".join(strip.text for strip in here.app.screen._compositor.render_strips())
        assert words in shown


async def test_the_filter_finds_a_holder_and_keeps_its_heading(house: House):
    house.claim(CODEX, "src/cart")
    house.claim(CLAUDE, "README.md")
    async with visit(house, "claims") as here:
        await here.press("slash")
        await here.type("holder:claude")
        await here.press("enter")
        assert here.ids == ["project:README.md"] and len(headings(here)) == 1


async def test_the_keys_line_names_what_can_be_done_about_the_row(house: House):
    mine = offer(house, house.operator, "codex-3", "README.md")
    theirs = offer(house, CODEX, "operator", "src/auth")
    async with visit(house, "claims", size=(160, 40)) as here:
        for id, words in (
            (theirs, "a accept   d decline   x take it back   m message codex-3"),
            ("project:src/auth", "t ask for it   X force   m message   c claim"),
            (mine, "x take it back   m message codex-3   c claim"),
        ):
            await here.go_to(id)
            assert words in str(here.app.screen.query_one("KeysLine").render())


async def test_a_row_and_its_detail_say_who_waits_and_whom_it_is_offered_to(house: House):
    id = offer(house, CODEX, "claude-1", "src/auth", "src/cart", reason="over to you")
    house.clock.advance(4 * MINUTE)
    async with visit(house, "claims") as here:
        assert "offered to claude-1" in str(here.row_list.row.cells[3])
        assert f"⇄ waiting for 4m: {id} to claude-1, with 1 more" in " ".join(here.detail.split())
        await here.go_to(id)
        for words in ("codex-3  heard from 4m ago", "over to you", "stays with codex-3 until claude-1 accepts"):
            assert words in here.detail, words


async def test_what_another_process_does_shows_by_itself_and_the_cursor_stays(house: House):
    house.claim(CODEX, "src/auth", "src/cart")
    async with visit(house, "claims") as here:
        await here.go_to("project:src/cart")
        claims.give_back(house.room, CODEX, house.resources("src/auth"))
        house.claim(CLAUDE, "README.md")
        await here.press("r")
        assert here.ids == ["project:README.md", "project:src/cart"] and here.here == "project:src/cart"


# Claiming


async def test_c_claims_a_typed_path_and_the_toast_names_the_way_back(house: House):
    async with visit(house, "claims") as here:
        await here.press("c")
        await here.type("src/auth")
        await here.press("enter")
        assert here.lines == ["relay claim src/auth --as operator"]
        assert "Back: relay release src/auth --as operator" in here.toasts
        assert here.ids == ["project:src/auth"]
    assert holders(house) == {"src/auth": "operator"}


async def test_a_path_is_completed_as_it_is_typed_folder_by_folder(house: House):
    async with visit(house, "claims") as here:
        await here.press("c")
        for typed in ("s", "au"):
            await here.type(typed)
            await here.settle()
            await here.press("right")
        assert here.app.screen.query_one("#field-0").value == "src/auth/"
        await here.type("l")
        await here.settle()
        await here.press("right", "enter")
    assert holders(house) == {"src/auth/login.py": "operator"}


async def test_what_somebody_holds_is_not_offered_and_branches_of_git_are(house: House):
    house.claim(CODEX, "src/auth")
    async with visit(house, "claims") as here:
        await here.press("c")
        await here.type("src/auth/login.py branch:m")
        await here.settle()
        await here.press("right")
        assert here.app.screen.query_one("#field-0").value == "src/auth/login.py branch:main"


async def test_a_note_and_the_gate_are_said_with_the_claim(house: House):
    with open(os.path.join(house.home, "relay.toml"), "w", encoding="utf-8") as file:
        file.write("[gate]\nmax_load_per_cpu = 1e9\nmax_swap = 1e18\nmin_free_disk = 0\n")
    async with visit(house, "claims") as here:
        await here.press("c")
        await here.type("README.md")
        await here.press("tab")
        await here.type("typos")
        await here.press("tab", "space", "ctrl+s")
        assert here.lines == ["relay claim README.md --note typos --gate --as operator"]
    assert house.events("claim.taken")[0].data["gate"]


async def test_a_conflict_names_the_holder_and_is_kept_in_the_log(house: House):
    house.claim(CODEX, "src", note="rewrite")
    async with visit(house, "claims") as here:
        await here.command("claim src/auth")
        assert 'src is held by codex-3 (live, heard from 0s ago: "rewrite")' in here.toasts
        assert here.app.acts.log.last.outcome == "failed"
    assert holders(house) == {"src": "codex-3"}


# Releasing


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


async def test_marked_claims_are_released_in_one_line(house: House):
    house.claim(house.operator, "README.md", "src/auth", "machine:native")
    async with visit(house, "claims") as here:
        await here.press("space", "space", "x")
        assert here.lines == ["relay release README.md src/auth --as operator"]
        assert here.ids == ["machine:native"] and not here.row_list.marked


async def test_force_lists_who_is_affected_and_wants_the_name_and_a_reason(house: House):
    house.claim(CODEX, "src", note="rewrite")
    house.clock.advance(2 * HOUR)
    async with visit(house, "claims") as here:
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


async def test_force_shows_what_will_be_recorded_and_that_is_what_is_recorded(house: House):
    id = offer(house, CODEX, "claude-1", "src/auth")
    before = {event.seq for event in house.events()}
    async with visit(house, "claims") as here:
        await here.press("X")
        told = here.dialog
        for words in (
            "claim.released by operator, forced, with your reason: src/auth of codex-3",
            f"handoff.cancelled by operator: {id}",
            "message.sent to codex-3: operator released src/auth, which you held. Reason: …",
        ):
            assert words in told, words
        await here.type("src/auth")
        await here.press("enter")
        await here.type("idle")
        await here.press("enter")
    kinds = {event.kind for event in house.events() if event.seq not in before}
    assert kinds == {"claim.released", "handoff.cancelled", "message.sent"}


async def test_leaving_the_forced_dialog_changes_nothing(house: House):
    house.claim(CODEX, "src")
    async with visit(house, "claims") as here:
        await here.press("X", "escape")
        assert len(here.app.screen_stack) == 1
    assert holders(house) == {"src": "codex-3"}


async def test_force_takes_one_claim_of_another_at_a_time(house: House):
    house.claim(house.operator, "README.md")
    house.claim(CODEX, "src/auth", "src/cart")
    id = offer(house, CODEX, "claude-1", "lib")
    async with visit(house, "claims") as here:
        await here.go_to("project:README.md")
        await here.press("X")
        assert "This claim is yours." in here.toasts
        await here.go_to(id)
        await here.press("X")
        assert "A handover is not released." in here.toasts
        await here.go_to("project:src/auth")
        await here.press("space", "space", "X")
        assert "One claim at a time is released by force." in here.toasts and here.lines == []


async def test_a_row_is_typed_relative_to_where_the_person_stands(house: House):
    house.claim(house.operator, "README.md")
    house.repository = os.path.join(house.repository, "src")
    async with visit(house, "claims") as here:
        await here.press("x")
        assert here.lines == ["relay release ../README.md --as operator"]
    assert holders(house) == {}


# Other keys


async def test_m_writes_to_the_other_party(house: House):
    mine, theirs = offer(house, house.operator, "codex-3", "src/auth"), offer(house, CLAUDE, "operator", "README.md")
    async with visit(house, "claims") as here:
        for id, name in ((mine, "codex-3"), (theirs, "claude-1"), ("project:README.md", "claude-1")):
            await here.go_to(id)
            await here.press("m")
            assert here.app.screen.query_one("#field-0").value == name
            await here.press("escape")


async def test_who_holds_a_part_of_the_machine_in_another_room_is_asked_from_here(house: House, tmp_path):
    other = House(str(tmp_path / "other"))
    other.home, other.clock, other.new_id = house.home, house.clock, house.new_id
    other.room = other.enter(other.repository)
    other.claim(other.join("vector-4"), "machine:native")
    async with visit(house, "claims") as here:
        assert headings(here) == ["machine · vector-4 of room repo   ● live, heard from 0s ago"]
        await here.press("m")
        assert "Mail does not reach vector-4 of room repo from here." in here.toasts
        await here.press("t", "ctrl+s")
        assert here.lines == ["relay handoff ask machine:native --as operator"]
    assert "operator of room shop-api asks for machine:native" in other.poll(Actor("vector-4")).messages[-1].body


async def test_a_namesake_in_another_room_is_somebody_else(house: House, tmp_path):
    other = House(str(tmp_path / "other"))
    other.home, other.clock, other.new_id = house.home, house.clock, house.new_id
    other.room = other.enter(other.repository)
    other.join("vector-4")
    other.claim(other.operator, "machine:native")
    assert list_claims(house.room, holder="operator").claims == []
    assert [claim.resource for claim in list_claims(other.room, holder="operator").claims] == ["native"]
    assert [claim.resource for claim in list_claims(house.room, holder="operator@repo").claims] == ["native"]
    async with visit(house, "claims", size=(160, 40)) as here:
        assert "t ask for it   X force   c claim" in str(here.app.screen.query_one("KeysLine").render())
        await here.press("x")
        assert "operator of room repo holds machine:native." in here.toasts
        await here.press("t")
        assert "Ask operator of room repo for machine:native" in here.dialog
        await here.press("escape", "X")
        await here.type_out("machine:native", "it is mine")
    assert holders(house) == {}
    house.claim(CODEX, "machine:gpu")
    fault = refusal(require_holder, other.room, "codex-3")
    assert (fault.code, fault.hint) == ("unknown_agent", "Say which: --holder codex-3@shop-api")


async def test_y_copies_the_resource_or_the_id_and_shift_y_the_line(house: House):
    house.claim(CODEX, "machine:native")
    foreign = "src/e\x1b[201~x"  # in a terminal this would end what is pasted, and type the rest
    house.claim(CODEX, foreign)
    theirs, other = offer(house, CODEX, "operator", "src/auth"), offer(house, CODEX, "claude-1", "README.md")
    async with visit(house, "claims") as here:
        for id, copied, line in (
            (f"project:{foreign}", foreign, r"relay claims --over $'src/e\033[201~x'"),
            ("machine:native", "machine:native", "relay claims --over machine:native"),
            (theirs, theirs, f"relay handoff respond {theirs} --accept --as operator"),
            (other, other, "relay handoff list"),
        ):
            await here.go_to(id)
            await here.press("y")
            assert here.app.clipboard == copied
            await here.press("Y")
            assert here.app.clipboard == line


async def test_keys_without_a_row_say_what_to_do(house: House):
    async with visit(house, "claims") as here:
        await here.press("x", "X", "t", "a", "d")
        assert here.toasts.count("There is nothing here to act on.") == 5 and here.lines == []


async def test_read_only_offers_no_act(house: House):
    id = offer(house, CODEX, "operator", "src/auth")
    async with visit(house, "claims", read_only=True) as here:
        await here.go_to(id)
        await here.press("a", "x")
        assert here.toasts.count("This screen is read-only.") >= 1 and here.lines == []
    assert state_of(house, id) == "waiting"


async def test_hostile_names_are_drawn_and_acted_on_as_they_are(tmp_path, house: House):
    made = House(str(tmp_path / "hostile"))
    made.join("codex-3")
    name = "[@click=app.quit]x[/] \u65e5\u672c\u8a9e \U0001f680.py"
    write(made.repository, {name: "x\n"})
    made.claim(made.operator, name, note="\x1b]52;c;aGk=\x07[/]")
    made.clock.advance(DAY)
    async with visit(made, "claims", size=(80, 24)) as here:
        shown = "".join(strip.text for strip in here.app.screen._compositor.render_strips())
        assert "[@click=app.quit]x[/]" in shown and not set(shown) & set("\x1b\x07")
        for y in range(4, 14):
            await here.pilot.click(offset=(14, y))
        await here.press("x")
        assert here.app.is_running and here.lines[0].startswith("relay release '[@click=app.quit]x[/]")
    assert holders(made) == {}
