from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import time

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.base.times import MINUTE, system_clock
from relay_tui.room.ledger import Actor
from relay_tui.room.rooms import Room
from relay_tui.tui.app import RelayApp
from relay_tui.tui.frame import HeaderLine, KeysLine, TabLine
from relay_tui.tui.readings.pulse import Rang
from relay_tui.tui.screens.agents import AgentsScreen
from relay_tui.tui.screens.claims import ClaimsScreen
from tests.room_fixture import House
from tests.tui.stages import HOSTILE
from tests.tui.visits import KEY_OF, Visit, make_app, visit

CODEX = Actor("codex-3")


def relay(house: House, *words: str) -> None:
    """A real `relay` in a process of its own, as an agent runs it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RELAY")}
    environment = {**kept, "RELAY_HOME": house.home, "PYTHONPATH": os.getcwd()}
    command = [sys.executable, "-m", "relay_tui", *words]
    subprocess.run(command, cwd=house.repository, env=environment, check=True, capture_output=True)


async def test_every_screen_opens_by_its_number(house: House):
    async with visit(house, "attention") as here:
        for name, key in KEY_OF.items():
            await here.press(key)
            assert here.app.current_mode == name == here.app.room_screen.NAME
            assert here.app.focused is here.row_list


async def test_what_another_process_does_appears_by_itself(house: House):
    house.clock.now = system_clock()  # the process has the real clock, and mail expires
    app = make_app(house, live=True)
    async with app.run_test(size=(120, 36)) as pilot:
        here = Visit(app, pilot)
        await here.press("5")
        assert here.ids == []
        await asyncio.to_thread(
            relay, house, "send", "--as", "codex-3", "--to", "operator", "--message", "From elsewhere"
        )
        for _ in range(200):
            await pilot.pause(0.02)
            if here.ids:
                break
        assert [str(cell) for cell in here.row_list.row.cells[1:3]] == ["codex-3 → operator", "From elsewhere"]
        assert "unhandled 1" in str(app.screen.query_one(HeaderLine).render())
        assert "5 Inbox 1" in str(app.screen.query_one(TabLine).render())


async def test_a_burst_of_writes_keeps_the_cursor_on_its_row_and_the_refreshes_apart(house: House):
    first = house.send(CODEX, "operator", "first")
    second = house.send(CODEX, "operator", "second")
    app = make_app(house, live=True)
    async with app.run_test(size=(120, 36)) as pilot:
        here = Visit(app, pilot)
        await here.press("5", "j")
        reads = 0
        read = app.room_screen.read

        def counted(room):
            nonlocal reads
            reads += 1
            return read(room)

        app.room_screen.read = counted
        began = time.monotonic()
        for place in range(50):
            house.send(CODEX, "operator", f"burst {place}")
            await pilot.pause(0.005)
        for _ in range(200):
            await pilot.pause(0.1)
            if len(here.ids) == 52:
                break
        assert len(here.ids) == 52
        assert here.here == second.id and here.ids[0] == first.id
        assert 1 <= reads <= 20 * (time.monotonic() - began) + 5  # ten a second, and as many for git and the tick


async def test_the_room_is_read_once_for_a_screen_that_comes_up(house: House, monkeypatch):
    readings = 0
    read = AgentsScreen.read

    def counted(screen: AgentsScreen, room: Room) -> object:
        nonlocal readings
        readings += 1
        return read(screen, room)

    monkeypatch.setattr(AgentsScreen, "read", counted)
    async with visit(house, "agents") as here:
        assert readings == 1
        await here.press("1", "2")
        assert readings == 2
        await here.press("question_mark", "escape")
        assert readings == 3


async def test_a_ring_after_which_nothing_is_new_reads_nothing(house: House, monkeypatch):
    refreshed = rang = 0
    refresh, hear = RelayApp.refresh_room, RelayApp.on_rang

    def count_refresh(app: RelayApp) -> None:
        nonlocal refreshed
        refreshed += 1
        refresh(app)

    def count_ring(app: RelayApp, message: Rang) -> None:
        nonlocal rang
        rang += 1
        hear(app, message)

    monkeypatch.setattr(RelayApp, "refresh_room", count_refresh)
    monkeypatch.setattr(RelayApp, "on_rang", count_ring)
    async with make_app(house, live=True).run_test(size=(120, 36)) as pilot:
        for _ in range(200):
            await pilot.pause(0.05)
            if refreshed and rang >= 3:
                break
        assert rang >= 3 and refreshed == 1


async def test_hostile_text_is_shown_as_text_on_every_screen(house: House):
    for text in HOSTILE:
        house.send(CODEX, "operator", f"{text} body\n{text}", summary=text.replace("\n", " "))
        house.claim(CODEX, f"src/{text.replace('/', '-')}.py", note=text)
    async with visit(house, "inbox") as here:
        for mode in KEY_OF.values():
            await here.press(mode)
            for _ in range(len(here.ids)):
                await here.pilot.press("j")
                assert not any(char in here.drawn for char in "\x1b\x9b\x07\u202e")
            if mode in "67":
                assert any("[@click=app.quit]x[/]" in str(row.cells) for row in here.row_list.rows)
        assert here.app.is_running


async def test_a_line_is_carried_out_and_stands_in_the_command_log(house: House):
    async with visit(house, "claims") as here:
        await here.command("relay claim src --note 'the whole tree'")
        assert here.ids == ["project:src"]
        await here.press("at")
        assert "relay claim src --note 'the whole tree'" in str(here.app.screen.query_one("RowList").row.cells)


async def test_a_dry_run_that_was_typed_says_so_and_names_no_way_back(house: House):
    async with visit(house, "claims") as here:
        await here.command("claim src --dry-run")
        assert "This was a dry run: nothing of it was kept." in here.toasts
        assert "Back: " not in here.toasts
        assert here.ids == []


@pytest.mark.parametrize(("line", "told"), [
    ("claim --bogus", "No such option: --bogus"),
    ("frobnicate", "No such command 'frobnicate'."),
    ("send --to 'codex-3", "The line has a quote left open."),
    ("send --to codex-3", "Missing option '--message'."),
    ("send --to codex-4 --message x", "codex-3"),
    ("send --to codex-3 --message -", "There is no standard input here."),
    ("screen", "relay screen cannot run inside the screen."),
    ("watch", "relay watch cannot run inside the screen."),
    ("guard --stdin0", "There is no standard input here."),
    ("restore - --as-new", "There is no standard input here."),
    ("export -", "relay export says more as time goes on, which has no place here."),
    ("claim src --wait 1h", "--wait would keep everything else waiting that is asked for here."),
])  # fmt: skip
async def test_a_line_that_cannot_be_carried_out_says_why(house: House, capsys, line: str, told: str):
    async with visit(house, "claims") as here:
        await here.command(line)
        assert told in here.toasts
        assert here.app.acts.log.last.outcome == "failed"
    captured = capsys.readouterr()
    assert captured.out == captured.err == ""


@pytest.mark.parametrize(("line", "shown"), [
    ("claim --help", "Usage: relay claim"),
    ("claims --holder codex-3", "src"),
    ("log verify", "every hash holds"),
])  # fmt: skip
async def test_what_a_line_answers_is_a_page_to_read(house: House, capsys, line: str, shown: str):
    house.claim(CODEX, "src")
    async with visit(house, "claims") as here:
        await here.command(line)
        assert shown in here.dialog
        await here.press("escape")
        assert len(here.app.screen_stack) == 1
    assert capsys.readouterr().out == ""


async def test_the_bar_completes_commands_options_and_names(house: House):
    async with visit(house, "claims") as here:
        await here.press("colon")
        await here.type("sen")
        assert here.app.room_screen.bar.suggestions == ["send"]
        await here.press("tab")
        await here.type(" --to c")
        assert here.app.room_screen.bar.suggestions == ["send --to claude-1", "send --to codex-3"]
        await here.press("escape", "colon")
        await here.type("branch claim ma")
        assert here.app.room_screen.bar.suggestions == ["branch claim main"], "as git has it"


async def test_the_filter_narrows_and_esc_backs_out_one_step_at_a_time(house: House):
    house.claim(CODEX, "src")
    house.claim(house.operator, "README.md")
    async with visit(house, "claims") as here:
        await here.press("slash")
        await here.type("holder:codex")
        await here.press("enter")
        assert here.ids == ["project:src"]
        assert "1 of 2" in here.banner
        await here.press("space", "tab")
        assert here.app.focused is here.app.room_screen.detail
        await here.press("escape")
        assert here.app.focused is here.row_list and here.row_list.marked
        await here.press("escape")
        assert not here.row_list.marked and here.ids == ["project:src"]
        await here.press("escape")
        assert sorted(here.ids) == ["project:README.md", "project:src"]


async def test_leaving_the_filter_brings_back_what_it_had_been(house: House):
    house.claim(CODEX, "src")
    async with visit(house, "claims") as here:
        await here.press("slash")
        await here.type("nobody")
        assert here.ids == []
        await here.press("escape")
        assert here.ids == ["project:src"]


async def test_the_keys_page_lists_what_works_here(house: House):
    async with visit(house, "claims") as here:
        await here.press("question_mark")
        for words in ("Keys of Claims", "Claim", "Filter", "Log", "Quit", "Half a page down"):
            assert words in here.dialog


async def test_kin_of_a_key_stands_beside_it_on_the_keys_page(house: House):
    async with visit(house, "roadmap") as here:
        await here.press("question_mark")
        keys = [line.split()[0] for line in here.dialog.splitlines() if line.strip()]
        at = keys.index("^j")
        assert keys[at : at + 4] == ["^j", "^k", "<", ">"]
        assert keys[keys.index("]") + 1] == "["


async def test_a_dialog_takes_away_the_toasts_that_were_told_before_it(house: House):
    async with visit(house, "claims") as here:
        here.app.notify("told before")
        await here.settle()
        assert here.toasts == "told before"
        await here.press("question_mark")
        assert "Keys of Claims" in here.dialog and here.toasts == ""
        await here.press("escape")
        assert here.toasts == ""


async def test_a_person_can_give_keys_other_letters(house: House):
    os.makedirs(house.home, exist_ok=True)
    with open(os.path.join(house.home, "relay.toml"), "w", encoding="utf-8") as file:
        file.write('theme = "relay-light"\n[keys]\n"act.claim" = "h"\n')
    async with visit(house, "claims") as here:
        assert here.app.theme == "relay-light"
        assert "h claim" in str(here.app.screen.query_one(KeysLine).render())
        await here.press("c")
        assert len(here.app.screen_stack) == 1
        await here.press("h")
        assert len(here.app.screen_stack) == 2


async def test_the_palette_finds_an_action_and_opens_its_form(house: House):
    async with visit(house, "log") as here:
        await here.press("ctrl+p")
        await here.type("release")
        await here.pilot.pause(0.3)
        await here.press("enter")
        await here.settle()
        assert "Give back what you hold" in here.dialog


async def test_ages_and_states_move_on_without_a_write(house: House):
    async with visit(house, "agents") as here:
        house.clock.advance(31 * MINUTE)
        await here.press("r")
        assert "0 live · 3 quiet" in here.banner


async def test_a_folder_without_a_room_says_what_to_type_and_init_makes_it(tmp_path, repository: str):
    house = House(str(tmp_path), repository=repository)
    async with visit(house, "agents") as here:
        assert "no room yet" in str(here.app.screen.query_one(HeaderLine).render())
        assert "Run: relay init" in here.drawn
        await here.command("init")
        assert here.ids == ["operator"]


async def test_a_room_of_its_own_is_asked_about_and_the_screen_says_that_it_shows_the_other_one(house: House):
    name = house.room.row.name if house.room.exists else house.enter(house.repository).row.name
    async with visit(house, "claims") as here:
        await here.command("init --room foo")
        assert f"would be foo from then on, and no more {name}" in here.dialog
        await here.press("n")
        assert house.enter(house.repository).row.name == name
        await here.command("init --room foo")
        await here.press("y", "r")
        assert house.enter(house.repository).row.name == "foo"
        header = str(here.app.screen.query_one(HeaderLine).render())
        assert name in header and "this folder's room is foo" in header
        assert here.app.desk.compose("init").values == {}, "the room that is shown would get the folder back in passing"
        house.clock.advance(MINUTE)
        await here.command("claim src/q")
        assert here.lines[-1] == f"relay claim src/q --room {name}"
        assert f"relay release src/q --as operator --room {name}" in here.toasts
        await here.command(f"init --room {name}")
        await here.press("y", "r")
        assert house.enter(house.repository).row.name == name
        assert "this folder's room" not in str(here.app.screen.query_one(HeaderLine).render())


async def test_below_sixty_by_fifteen_it_asks_for_room(house: House):
    for size in ((59, 24), (80, 14)):
        async with visit(house, "claims", size=size) as here:
            assert here.app.screen.query_one(".cramped").display
            assert not here.row_list.display or not here.app.screen.query_one(".body").display
    async with visit(house, "claims", size=(60, 15)) as here:
        assert not here.app.screen.query_one(".cramped").display
        assert here.row_list.size.height >= 3


async def test_a_room_that_breaks_is_told_and_the_screen_goes_on(house: House):
    async with visit(house, "claims") as here:
        here.app.desk.room.store.close()
        with open(os.path.join(house.home, "relay.db"), "r+b") as file:
            file.write(b"not a database at all" * 10)
        await here.press("r")
        header = str(here.app.screen.query_one(HeaderLine).render())
        assert "×" in header and "updated" not in header
        assert "damaged" in here.drawn and "BACKUP" in here.drawn
        await here.press("slash", "x")
        assert "damaged" in here.drawn and "Nobody holds anything" not in here.drawn
        await here.press("escape", "5")
        assert "BACKUP" in here.drawn


async def test_what_reads_the_room_after_an_act_or_for_a_form_is_told_where_it_cannot(house: House):
    def read(_: object) -> None:
        raise RelayError("corrupt", "relay.db is damaged now.", "Keep a copy.")

    async with visit(house, "claims") as here:
        here.app.acts.act(here.app.desk.compose("claim", resources=["src"]), read)
        await here.settle()
        assert "relay.db is damaged now." in here.toasts
        here.app.desk.room.store.close()
        with open(os.path.join(house.home, "relay.db"), "r+b") as file:
            file.write(b"not a database at all" * 10)
        here.app.acts.start("claim")
        await here.settle()
        assert "is damaged" in here.toasts and len(here.app.screen_stack) == 1


async def test_the_header_says_so_where_only_what_the_screen_shows_cannot_be_read(house: House, monkeypatch):
    def fail(screen: ClaimsScreen, room: Room) -> None:
        raise RelayError("corrupt", "relay.db is damaged.", "Keep a copy.")

    async with visit(house, "claims") as here:
        assert "updated now" in str(here.app.screen.query_one(HeaderLine).render())
        monkeypatch.setattr(ClaimsScreen, "read", fail)
        await here.press("r")
        assert "× relay.db is damaged." in str(here.app.screen.query_one(HeaderLine).render())
        monkeypatch.undo()
        await here.press("r")
        assert "updated now" in str(here.app.screen.query_one(HeaderLine).render())


async def test_no_write_makes_an_empty_home_in_place_of_one_that_is_gone(house: House):
    async with visit(house, "claims") as here:
        shutil.rmtree(house.home)
        await here.command("send --to codex-3 --message hi")
        assert "is gone, and the room with it" in here.toasts
        assert not os.path.exists(house.home)


async def test_what_was_asked_before_quitting_is_done(house: House):
    async with visit(house, "claims") as here:
        here.app.acts.act(here.app.desk.compose("claim", resources=["src"]))
        await here.pilot.press("q")
    assert [event.kind for event in house.events("claim")] == ["claim.taken"]
