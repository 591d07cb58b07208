"""The rooms of a home: making one on purpose, re-attaching a moved folder, and the list of all."""

from __future__ import annotations

import os

from relay_tui.base.config import read_settings
from relay_tui.base.errors import RelayError
from relay_tui.base.names import RULE, check_room_name, is_reserved, is_valid
from relay_tui.room.adrift import require_loose
from relay_tui.room.agents import read_agents
from relay_tui.room.ledger import RELAY, Actor, Transaction
from relay_tui.room.permissions import nobody_acts, require_allowed
from relay_tui.room.rooms import DEFAULT_OPERATOR, RoomRow, create_room, find_room, list_rooms

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any, NamedTuple

    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

_PERSONS = ("operator", "human")  # reserved so that no agent takes them


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


def init_room(room: Room, me: Actor | None = None, *, name: str | None = None, operator: str | None = None) -> RoomInit:
    """The room of the folder that `room` is seen from; made, re-attached or merely found. `me` is who says so, where
    that is known.

    With `name` the folder gets a room of its own; a room of that name whose folder is gone, or is this one, is
    re-attached.
    Raises `invalid` for a name that cannot be the operator's or a room's, `not_operator` where somebody else names
    another operator.
    """
    if operator is not None:
        _check_operator(operator)
    told = ""
    with room.store.writing() as db:
        before = find_room(db, room.folder)
        row = _attach(room, db, me or Actor(RELAY), name, operator or DEFAULT_OPERATOR)
        if operator is not None and row.operator != operator:
            if me is None:
                raise nobody_acts("init --operator", row.operator)
            require_allowed(me, "init --operator", row.operator)
            _append(room, db, me, row, "room.operated", {"operator": operator})
            told = f"{operator} is the operator from now on; until now it was {row.operator}."
        summary = _summary(room, db, row, True)
    if told:
        room.tell(told)
    hides = before.name if before is not None and before.key != row.key else None
    return RoomInit(room.store.home, [summary], summary, hides)


def read_lobby(room: Room) -> RoomList:
    """Every room of the home; none where there is no home yet."""
    if not room.store.exists:
        return RoomList(room.store.home, [])
    with room.store.reading() as db:
        here = room.row.key if room.exists else None
        return RoomList(room.store.home, [_summary(room, db, row, row.key == here) for row in list_rooms(db)])


def _check_operator(name: str) -> None:
    """Raises `invalid` for what is no name, or one that means somebody else than a person."""
    if not is_valid(name) or (is_reserved(name) and name not in _PERSONS):
        raise RelayError("invalid", f"'{name}' cannot be the operator's name.", RULE)


def _append(room: Room, db: sqlite3.Connection, me: Actor, row: RoomRow, kind: str, data: dict[str, Any]) -> None:
    Transaction(db, row.key, row.id, me, room.clock()).append(kind, data)


def _attach(room: Room, db: sqlite3.Connection, me: Actor, name: str | None, operator: str) -> RoomRow:
    by_name = {row.name: row for row in list_rooms(db)}
    here = find_room(db, room.folder)
    if name is None:
        if here is None:
            return create_room(room, db, me, operator=operator, own=room.place is None)
        return _settle(room, db, me, here)
    named = by_name.get(name)
    if named is None:
        check_room_name(name)
        if any(row.id == name for row in by_name.values()):
            raise RelayError("invalid", f"'{name}' is the id of a room.", "Take another name.")
        _refuse_second(room, here)
        return create_room(room, db, me, name=name, operator=operator, own=True)
    if here is not None and here.key == named.key:
        return _settle(room, db, me, named)
    return _go_back(room, db, me, named, here) if _is_of(room, named) else _move(room, db, me, named)


def _is_of(room: Room, row: RoomRow) -> bool:
    """Whether a room is this very folder's, or its repository's."""
    if row.own:
        return row.root == room.root_here
    return row.repository is not None and row.repository == room.repository_here


def _go_back(room: Room, db: sqlite3.Connection, me: Actor, row: RoomRow, here: RoomRow | None) -> RoomRow:
    """The folder leaves the room that it was given since, which stays with all that is in it."""
    if here is not None and here.own:
        _append(room, db, me, here, "room.detached", {})
    return _place(room, db, me, row, row.root) if row.own else _settle(room, db, me, row)


def _settle(room: Room, db: sqlite3.Connection, me: Actor, row: RoomRow) -> RoomRow:
    """The room that one stands in, with the folder that is there now."""
    return row if os.path.isdir(row.root) else _place(room, db, me, row, room.root_of(row.own))


def _place(room: Room, db: sqlite3.Connection, me: Actor, row: RoomRow, root: str) -> RoomRow:
    repository = room.repository_here
    _append(room, db, me, row, "room.moved", {"root": root, "repository": repository})
    return row._replace(root=root, repository=repository)


def _refuse_second(room: Room, here: RoomRow | None) -> None:
    """A folder has one room of its own. Raises `refused` where it has one under another name."""
    if here is not None and here.own and here.root == room.root_here:
        raise RelayError("refused", f"{here.root} has a room of its own already: {here.name}.", "Use that one.")


def _move(room: Room, db: sqlite3.Connection, me: Actor, row: RoomRow) -> RoomRow:
    """Re-attach a room to the folder it went to. Raises `refused` while its old folder or repository is still there."""
    require_loose(row, room.repository_here)
    return _place(room, db, me, row, room.root_of(row.own))


def _summary(room: Room, db: sqlite3.Connection, row: RoomRow, here: bool) -> RoomSummary:
    now = room.clock()
    agents = read_agents(db, row.key, now, read_settings(room.store.home, row.name))
    live = sum(known.state == "live" for known in agents)
    unhandled = db.execute(
        "SELECT coalesce(sum(unsettled), 0) FROM messages INDEXED BY messages_unsettled"
        " WHERE room = ? AND expires_at > ? AND unsettled > 0",
        (row.key, now),
    ).fetchone()[0]
    return RoomSummary(row.name, row.id, row.root, row.repository, len(agents), live, unhandled, row.created_at, here)
