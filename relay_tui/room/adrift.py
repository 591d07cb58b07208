"""Rooms whose folder is gone, most likely because it was moved: from its new place they are found no more.

Nothing in a repository tells that it is the one of before, so relay says which rooms there are and lets a person
decide.
"""

from __future__ import annotations

import os

from relay_tui.base.errors import RelayError
from relay_tui.base.text import shell_word
from relay_tui.room.rooms import RoomRow, list_rooms

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from relay_tui.room.store import Store


def rooms_adrift(db: sqlite3.Connection) -> list[RoomRow]:
    return [row for row in list_rooms(db) if row.attached and not os.path.isdir(row.repository or row.root)]


def way_back(row: RoomRow) -> str:
    """The line that gives a room the folder where it is typed."""
    return f"relay init --room {shell_word(row.name)}"


def remark_on_moving(store: Store) -> str:
    """What to know before a folder is given a new room; empty where every room has its folder."""
    if not store.exists:
        return ""
    with store.reading() as db:
        adrift = rooms_adrift(db)
    if len(adrift) > 1:
        return f"{len(adrift)} rooms have lost their folder: relay doctor names them."
    return "".join(
        f"The folder of room {row.name} is gone ({row.root}): if it was moved here, run: {way_back(row)}"
        for row in adrift
    )


def no_room_yet(store: Store, folder: str) -> RelayError:
    """For a folder in which nobody has written, or from which its room is found no more."""
    moved = remark_on_moving(store)
    hint = f"For a new one, run: relay init. {moved}" if moved else "Run: relay init"
    return RelayError("unknown_room", f"There is no room for {folder} yet.", hint)


def repository_gone(row: RoomRow) -> RelayError:
    message = f"The repository of room {row.name} is not there any more ({row.repository or row.root})."
    return RelayError("no_file", message, f"Where it was moved to, run: {way_back(row)}")
