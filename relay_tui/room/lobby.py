"""The rooms of a home: making one on purpose, re-attaching a moved folder, and the list of all."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.names import RULE, is_valid
from relay_tui.room.agents import read_agents
from relay_tui.room.ledger import Actor, Transaction
from relay_tui.room.rooms import DEFAULT_OPERATOR, RoomRow, create_room, find_room, list_rooms

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import NamedTuple

    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class RoomSummary(NamedTuple):
    """One room of the contract's `rooms`; `here` is whether lines go to it that name no other."""

    room: str
    id: str
    root: str
    repository: str | None
    agents: int
    live: int
    unhandled: int
    created_at: int
    here: bool


class RoomList(NamedTuple):
    home: str
    rooms: list[RoomSummary]


class RoomInit(NamedTuple):
    """`hides` names the room that this folder was in until now."""

    home: str
    rooms: list[RoomSummary]
    room: RoomSummary
    hides: str | None


def init_room(room: Room, *, name: str | None = None, operator: str | None = None) -> RoomInit:
    """The room of the folder that `room` is seen from; made, re-attached or merely found.

    With `name` the folder gets a room of its own; a room of that name whose folder is gone, or is this one, is
    re-attached.
    Raises `invalid` for an operator's name outside the rule.
    """
    if operator is not None and (not is_valid(operator) or operator.isdigit()):
        raise RelayError("invalid", f"'{operator}' cannot be the operator's name.", RULE)
    with room.store.writing() as db:
        before = find_room(db, room.folder)
        row = _attach(room, db, name, operator)
        if operator is not None and row.operator != operator:
            tx = Transaction(db, row.key, row.id, Actor(row.operator), room.clock())
            tx.append("room.operated", {"operator": operator})
        summary = _summary(room, db, row, True)
    hides = before.name if before is not None and before.key != row.key else None
    return RoomInit(room.store.home, [summary], summary, hides)


def read_lobby(room: Room) -> RoomList:
    """Every room of the home; none where there is no home yet."""
    if not room.store.exists:
        return RoomList(room.store.home, [])
    with room.store.reading() as db:
        here = room.row.key if room.exists else None
        return RoomList(room.store.home, [_summary(room, db, row, row.key == here) for row in list_rooms(db)])


def _attach(room: Room, db: sqlite3.Connection, name: str | None, operator: str | None) -> RoomRow:
    by_name = {row.name: row for row in list_rooms(db)}
    here = find_room(db, room.folder)
    if name is None:
        return here or create_room(room, db, operator=operator or DEFAULT_OPERATOR, own=room.place is None)
    named = by_name.get(name)
    if named is None:
        _refuse_second(room, here)
        return create_room(room, db, name=name, operator=operator or DEFAULT_OPERATOR, own=True)
    if here is not None and here.key == named.key:
        return named
    return _go_back(room, db, named, here) if _is_of(room, named) else _move(room, db, named)


def _is_of(room: Room, row: RoomRow) -> bool:
    """Whether a room is this very folder's, or its repository's."""
    if row.own:
        return row.root == _root(room)
    return room.place is not None and row.repository == room.place.common_dir


def _go_back(room: Room, db: sqlite3.Connection, row: RoomRow, here: RoomRow | None) -> RoomRow:
    """The folder leaves the room that it was given since, which stays with all that is in it."""
    if here is not None and here.own:
        Transaction(db, here.key, here.id, Actor(here.operator), room.clock()).append("room.detached", {})
    if row.own:
        tx = Transaction(db, row.key, row.id, Actor(row.operator), room.clock())
        tx.append("room.moved", {"root": row.root, "repository": row.repository})
    return row


def _root(room: Room) -> str:
    return (room.place.worktree or room.place.common_dir) if room.place else room.folder


def _refuse_second(room: Room, here: RoomRow | None) -> None:
    """A folder has one room of its own. Raises `refused` where it has one under another name."""
    root = _root(room)
    if here is not None and here.own and here.root == root:
        raise RelayError("refused", f"{root} has a room of its own already: {here.name}.", "Use that one.")


def _move(room: Room, db: sqlite3.Connection, row: RoomRow) -> RoomRow:
    """Re-attach a room to the folder it went to. Raises `refused` while its old folder or repository is still there."""
    import os

    if os.path.isdir(row.root):
        raise RelayError(
            "refused",
            f"The room {row.name} belongs to {row.root}, which is still there.",
            "Take another name.",
        )
    place = room.place
    if row.repository and os.path.isdir(row.repository) and (place is None or place.common_dir != row.repository):
        raise RelayError(
            "refused",
            f"The room {row.name} belongs to the repository {row.repository}, which is still there.",
            "Take another name.",
        )
    root = _root(room)
    tx = Transaction(db, row.key, row.id, Actor(row.operator), room.clock())
    tx.append("room.moved", {"root": root, "repository": place.common_dir if place else None})
    return row._replace(root=root, repository=place.common_dir if place else None)


def _summary(room: Room, db: sqlite3.Connection, row: RoomRow, here: bool) -> RoomSummary:
    now = room.clock()
    agents = read_agents(db, row.key, now, room.settings)
    live = sum(known.state == "live" for known in agents)
    unhandled = db.execute(
        "SELECT coalesce(sum(unsettled), 0) FROM messages INDEXED BY messages_unsettled"
        " WHERE room = ? AND expires_at > ? AND unsettled > 0",
        (row.key, now),
    ).fetchone()[0]
    return RoomSummary(row.name, row.id, row.root, row.repository, len(agents), live, unhandled, row.created_at, here)
