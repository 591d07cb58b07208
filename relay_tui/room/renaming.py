"""A ledger told again as that of new rooms, beside those that a home has already (`restore --as-new`).

Numbers, times, actors and words stay. A room gets an id and a name of its own, events the next seqs, and an id that
is taken another one; so every hash is made anew. Rooms of one repository stay together, apart from its others.
"""

from __future__ import annotations

from hashlib import sha256

from relay_tui.base.canonical import encode
from relay_tui.room.incoming import IncomingEvent
from relay_tui.room.ledger import Head, first_previous, framed, next_seq
from relay_tui.room.rooms import free_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

    from relay_tui.room.rooms import Room

# Which events make an id, its letter and its table.
_MAKES = {
    "message.sent": ("M", "messages"), "handoff.requested": ("H", "handoffs"), "question.asked": ("Q", "questions"),
}  # fmt: skip
# What people wrote, where an id is a word among others.
_PROSE = frozenset("body summary text note reason title".split())


class Renaming:
    """What became of each id and each repository's key; one for a restore, as it remembers what it renamed."""

    def __init__(self, room: Room, db: sqlite3.Connection) -> None:
        self._room = room
        self._db = db
        self.first = next_seq(db)
        self._seq = self.first - 1
        self._ids: dict[str, str] = {}
        self._families: dict[int, int] = {}
        self._heads: dict[str, Head] = {}

    @property
    def machine(self) -> int:
        """Under which key the copy's claims on the machine stand until they are freed: nobody else's."""
        return -self.first

    def retell(self, event: IncomingEvent) -> IncomingEvent:
        """The same event as one of the new room."""
        self._seq += 1
        data: dict[str, Any] = event.members["data"]
        if event.members["kind"] == "room.created":
            data = self._begin(data)
        self._make_ids(event.members["kind"], data)
        room = self._ids[event.room]
        members = {**event.members, "room": room, "seq": self._seq, "data": self._renamed(data)}
        payload = encode(members).encode("ascii")
        head = self._heads.get(room) or Head(0, first_previous(room))
        digest = sha256(framed(head.hash, event.number, payload)).digest()
        self._heads[room] = Head(event.number, digest)
        return IncomingEvent(self._seq, room, event.number, digest, payload, members)

    def _begin(self, data: dict[str, Any]) -> dict[str, Any]:
        """A room that is found by its name alone, so that no folder is taken from the room that it has."""
        self._ids[data["id"]] = self._room.draw_id(self._db, "R", "rooms")
        self._families.setdefault(data["family"], self._seq)
        return {**data, "name": free_name(self._db, data["name"]), "own": True}

    def _make_ids(self, kind: str, data: dict[str, Any]) -> None:
        if kind in _MAKES:
            letter, table = _MAKES[kind]
            if self._db.execute(f"SELECT 1 FROM {table} WHERE id = ?", (data["id"],)).fetchone():
                self._ids[data["id"]] = self._room.draw_id(self._db, letter, table)
        session = data.get("session") if kind == "agent.joined" else None
        if session and session["id"] not in self._ids:
            taken = "SELECT 1 FROM sessions WHERE id = ? AND agent < ?"  # its own is met again when it comes back
            if self._db.execute(taken, (session["id"], self.first)).fetchone():
                self._ids[session["id"]] = self._room.draw_id(self._db, "S", "sessions")

    def _renamed(self, value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {key: self._renamed(member, key) for key, member in value.items()}
        if isinstance(value, list):
            return [self._renamed(member, name) for member in value]
        if name == "family" and isinstance(value, int):
            return self._families.get(value, self.machine)
        if isinstance(value, str) and name not in _PROSE:
            return self._ids.get(value, value)
        return value
