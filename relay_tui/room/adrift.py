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
    """Those that have lost their folder, or their repository."""
    return [row for row in list_rooms(db) if row.attached and not all(map(os.path.isdir, _folders(row)))]


def _folders(row: RoomRow) -> list[str]:
    return [row.root, row.repository] if row.repository else [row.root]


def require_loose(row: RoomRow, repository: str | None) -> None:
    """Raises `refused` where a room cannot come to a folder of `repository`."""
    if keeper := _keeper(row, repository):
        message = f"The room {row.name} belongs to {keeper}, which is still there."
        raise RelayError("refused", message, "Take another name.")
    if _needs_git(row, repository):
        message = f"The room {row.name} belongs to a repository, and this folder is in none."
        raise RelayError("refused", message, "Run it inside the repository, where that is now.")


def _keeper(row: RoomRow, repository: str | None) -> str | None:
    """The repository that a room is of, unless that is `repository`, or the folder of one of its own; where that is
    still there."""
    of_repository = row.repository if row.repository != repository else None
    of_folder = None if row.repository and not row.own else row.root
    return next((one for one in (of_repository, of_folder) if one and os.path.isdir(one)), None)


def _needs_git(row: RoomRow, repository: str | None) -> bool:
    return repository is None and not row.own


def way_back(row: RoomRow) -> str:
    """The line that gives a room the folder where it is typed."""
    return f"relay init --room {shell_word(row.name)}"


def remark_on_moving(store: Store, repository: str | None) -> str:
    """What to know before a folder of `repository` is given a new room; empty where none can have been moved there."""
    if not store.exists:
        return ""
    with store.reading() as db:
        adrift = [row for row in rooms_adrift(db) if not _keeper(row, repository)]
    if len(adrift) > 1:
        return f"{len(adrift)} rooms have lost their folder: relay doctor names them."
    if not adrift:
        return ""
    (row,) = adrift
    where = "where it was moved to" if _needs_git(row, repository) else "if it was moved here"
    return f"The folder of room {row.name} is gone ({row.root}): {where}, run: {way_back(row)}"


def no_room_yet(store: Store, folder: str, repository: str | None) -> RelayError:
    """For a folder in which nobody has written, or from which its room is found no more."""
    moved = remark_on_moving(store, repository)
    hint = f"For a new one, run: relay init. {moved}" if moved else "Run: relay init"
    return RelayError("unknown_room", f"There is no room for {folder} yet.", hint)


def repository_gone(row: RoomRow) -> RelayError:
    message = f"The repository of room {row.name} is not there any more ({row.repository or row.root})."
    return RelayError("no_file", message, f"Where it was moved to, run: {way_back(row)}")
