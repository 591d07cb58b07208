"""A home from its copies, beside the one that it came from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from relay_tui.room import backup, exports, schema
from relay_tui.room.attachments import read_kept
from relay_tui.room.restoring import Restored, restore
from relay_tui.room.rooms import Room
from relay_tui.room.store import Store
from tests.room_fixture import OPERATOR, House


def home_at(folder: Path | str, like: House) -> Room:
    """A home that is not there yet, with the clock of another."""
    return Room(Store(str(folder)), None, like.repository, clock=like.clock, new_id=like.new_id)


def bring_back(room: Room, path: Path | str, *, as_new: bool = False) -> Restored:
    return restore(room, OPERATOR, str(path), None, as_new=as_new)


def contents(room: Room) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the ledger and of every projection."""
    tables = {"events": "seq", "base": "place", **schema.PROJECTIONS}
    with room.store.reading() as db:
        return {name: db.execute(f"SELECT * FROM {name} ORDER BY {order}").fetchall() for name, order in tables.items()}


def assert_sound(room: Room) -> None:
    house = House.__new__(House)
    house.room = room
    house.assert_whole()


def assert_same(room: Room, like: House) -> None:
    """Every row is the same, every chain holds, and every file sent along is there."""
    assert_sound(room)
    assert contents(room) == contents(like.room)
    for (sha256,) in like.rows("SELECT sha256 FROM attachments"):
        assert read_kept(room.store.home, sha256) is not None


def assert_comes_back(house: House) -> None:
    """From a backup the very same home; from an export every event and table of it, and beside it a copy that holds."""
    path = os.path.join(house.folder, "round-trip")
    backup.write_backup(house.room, f"{path}.db", force=True)
    room = home_at(f"{path}-1", house)
    bring_back(room, f"{path}.db")
    assert_same(room, house)
    room.store.close()
    exports.write_export(house.room, f"{path}.ndjson", all_=True, force=True)
    room = home_at(f"{path}-2", house)
    bring_back(room, f"{path}.ndjson")
    found, wanted = contents(room), contents(house.room)
    assert set(wanted["events"]) <= set(found["events"]), "what was archived is there again"
    assert {table: found[table] for table in schema.PROJECTIONS} == {
        table: wanted[table] for table in schema.PROJECTIONS
    }
    bring_back(room, f"{path}.ndjson", as_new=True)
    assert_sound(room)
    room.store.close()
