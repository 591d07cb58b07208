"""Bytes inside of relay.db that are not what was written: it is told, writes stop, and nothing is mended in place."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.room.rooms import Room
from relay_tui.room.store import Store
from tests.actions.acting import act
from tests.room_fixture import House, refusal

PAGE = 4096
# What each command reads or writes, by one of the tables or indexes in which it must notice.
NOTICED = {
    "events": ("send --to b --message x", "log", "log verify", "claim docs"),
    "messages": ("send --to b --message x", "ack M0000001"),
    "deliveries": ("send --to b --message x", "inbox", "history"),
    "agents": ("send --to b --message x", "agents", "claim docs"),
    "presence": ("agents",),
    "claims": ("claim docs", "claims", "release src"),
    "items": ("work add --title x", "work tree"),
    "rooms": ("send --to b --message x", "claims", "work tree", "log"),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A room whose every word stands in the file itself."""
    house = House(str(tmp_path_factory.mktemp("whole")))
    a, b = house.join("a"), house.join("b")
    for number in range(20):
        house.send(b, "a", f"{number} " + "word " * 100)
    house.claim(a, "src")
    act(house.room, "a", "work add --title first")
    house.room.store.close()
    house.send(a, "b", "last")  # nobody reads: the last to close leaves no -wal
    assert sorted(os.listdir(house.home)) == ["relay.db", "relay.line", "relay.lock"]
    return house


def damaged(whole: House, folder: Path, at: int, content: bytes) -> House:
    """The same room in a home of its own, with other bytes at one place."""
    house = House.__new__(House)
    house.home = str(folder / "home")
    shutil.copytree(whole.home, house.home)
    os.chmod(house.home, 0o700)
    house.repository, house.clock, house.new_id = whole.repository, whole.clock, whole.new_id
    with open(os.path.join(house.home, "relay.db"), "r+b") as file:
        file.seek(at)
        file.write(content)
    return house


def said(house: House, line: str) -> Any:
    """The answer to a's line; where no room can be opened, `doctor` looks without one, as at the command line."""
    try:
        house.room = house.enter(house.repository)
    except RelayError:
        if line != "doctor":
            raise
        house.room = Room(Store(house.home), None, house.repository)
    try:
        return act(house.room, "a", line)
    finally:
        house.room.store.close()


@pytest.mark.parametrize("table", NOTICED)
def test_a_page_that_is_none_stops_what_needs_it(whole: House, tmp_path: Path, table: str) -> None:
    ((root,),) = whole.rows("SELECT rootpage FROM sqlite_schema WHERE name = ?", table)
    house = damaged(whole, tmp_path, (root - 1) * PAGE, b"\xff" * 8)
    before = Path(house.home, "relay.db").read_bytes()
    for line in NOTICED[table]:
        fault = refusal(said, house, line)
        assert (fault.code, fault.exit_code) == ("corrupt", 4), line
        assert "damaged" in fault.message and "relay restore" in fault.hint, line
    checks = {check.name: check for check in said(house, "doctor").checks}
    assert checks["database"].ok is False
    assert Path(house.home, "relay.db").read_bytes() == before


@pytest.mark.parametrize("piece", [b'"', b"\0", b"\xff", b"x"])
def test_one_byte_of_an_event_is_found_by_its_hash(whole: House, tmp_path: Path, piece: bytes) -> None:
    """SQLite sees nothing wrong with it: the chain does, whatever the byte makes of the event."""
    content = Path(whole.home, "relay.db").read_bytes()
    house = damaged(whole, tmp_path, content.index(b'"body":"7 word') + 12, piece)
    assert not said(house, "log verify").ok
    diagnosis = said(house, "doctor")
    assert diagnosis.exit_code == 4
    (told,) = [check.text for check in diagnosis.checks if check.name == "chain"]
    assert "does not hold" in told
    for line in ("log --limit 100", "inbox", "log rebuild --check", "search word", "log --at 1m"):
        try:
            said(house, line)
        except RelayError as fault:
            assert fault.code in ("corrupt", "unknown_room"), (line, fault)
