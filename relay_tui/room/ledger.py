"""The ledger: one hash chain of events a room, and the only way to change a room (DESIGN §3.1, §5).

`Transaction.append` writes an event and folds it into the projections in the same database transaction.
Events carry outcomes, never rules; what they mean for the tables is said once, in `fold`.
"""

from __future__ import annotations

import os

from relay_tui.base.canonical import decode, encode
from relay_tui.base.digest import digest, sha256
from relay_tui.base.errors import RelayError
from relay_tui.room.fold import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from typing import Any, NamedTuple
else:
    from relay_tui.base.record import NamedTuple

_EVENT_DOMAIN = b"relay-event-1\0"
_ROOM_DOMAIN = b"relay-room-1\0"
PAYLOAD_VERSION = 1
RELAY = "relay"  # who records what nobody did
LAST = 2**63 - 1  # no seq is above it: the largest integer of SQLite
COLUMNS = "seq, room, number, kind, at, hash, payload"
INSERT = f"INSERT INTO events ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Actor(NamedTuple):
    """Who acts: a name in the room, the session it says it is, and the door it came through.

    `at_keyboard` is what a door knows of the person, never what a line says: no agent's door sets it. A screen that
    stands open acts `unattended` by itself, which is no sign of the person (DESIGN §6.1).
    """

    name: str
    session: str | None = None
    via: str = "cli"
    at_keyboard: bool = False
    unattended: bool = False


class Event(NamedTuple):
    """One line of the ledger, decoded. `at` is in microseconds; `data` depends on `kind`."""

    seq: int
    room: str
    number: int
    at: int
    actor: str
    session: str | None
    via: str
    kind: str
    data: dict[str, Any]
    hash: str
    prev: str


class DamagedEventError(RelayError, ValueError):
    """A stored payload that is no event: `corrupt`, and to those who read made-up ledgers a value that is none."""

    def __init__(self) -> None:
        super().__init__("corrupt", "An event of the ledger is damaged.", "Run: relay log verify")


class Head(NamedTuple):
    """The last event of a room's chain; number 0 and the room's first previous hash when there is none."""

    number: int
    hash: bytes


class Transaction:
    """A write in progress: the connection, the room, who acts, and the moment it happens."""

    def __init__(self, db: sqlite3.Connection, room: int, room_id: str, me: Actor, now: int) -> None:
        self.db = db
        self.room = room
        self.room_id = room_id
        self.me = me
        self.now = now
        self._head: Head | None = None

    def elsewhere(self, room: int, room_id: str) -> Transaction:
        """The same database transaction, appending to another room's chain."""
        return Transaction(self.db, room, room_id, self.me, self.now)

    def append(self, kind: str, data: dict[str, Any], *, actor: str | None = None) -> int:
        """Write one event and fold it; returns its seq. `actor` is given for what relay itself records."""
        head = self._head or read_head(self.db, self.room, self.room_id)
        seq = next_seq(self.db)
        who = self.me if actor is None else Actor(actor, None, self.me.via)
        payload = encode({
            "v": PAYLOAD_VERSION, "room": self.room_id, "number": head.number + 1, "seq": seq,
            "time": self.now, "actor": who.name, "session": who.session, "via": who.via,
            "kind": kind, "data": data,
        }).encode("ascii")  # fmt: skip
        hash_ = chain_hash(head.hash, head.number + 1, payload)
        self.db.execute(INSERT, (seq, self.room, head.number + 1, kind, self.now, hash_, payload))
        self._head = Head(head.number + 1, hash_)
        fold(self.db, seq, self.room, kind, self.now, data)
        return seq


def chain_hash(previous: bytes, number: int, payload: bytes) -> bytes:
    """The hash of an event. Who walks a whole ledger takes OpenSSL's SHA-256 of `framed`, which is worth its import."""
    return digest(framed(previous, number, payload))


def framed(previous: bytes, number: int, payload: bytes) -> bytes:
    """The domain, the previous hash, the number and length (8 bytes big-endian), the payload."""
    return b"".join((_EVENT_DOMAIN, previous, number.to_bytes(8, "big"), len(payload).to_bytes(8, "big"), payload))


def first_previous(room_id: str) -> bytes:
    """What stands before a room's first event: SHA-256 of the domain and the room's id."""
    return sha256(_ROOM_DOMAIN + room_id.encode()).digest()


def next_seq(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT coalesce(max(seq), 0) + 1 FROM events").fetchone()[0])


def read_head(db: sqlite3.Connection, room: int, room_id: str) -> Head:
    row = db.execute("SELECT number, hash FROM events WHERE room = ? ORDER BY number DESC LIMIT 1", (room,)).fetchone()
    return Head._make(row) if row else Head(0, first_previous(room_id))


def read_data(db: sqlite3.Connection, seq: int) -> dict[str, Any]:
    """The `data` of one event, by its seq."""
    row = db.execute("SELECT payload FROM events WHERE seq = ?", (seq,)).fetchone()
    return decode_payload(row[0])["data"]  # type: ignore[no-any-return]


def decode_payload(payload: bytes) -> dict[str, Any]:
    """The members of a stored payload. Raises `DamagedEventError` where it is not a JSON object."""
    try:
        event = decode(payload.decode("utf-8"))
    except (AttributeError, TypeError, ValueError) as fault:  # a damaged row may also hold no bytes at all
        raise DamagedEventError from fault
    if not isinstance(event, dict):
        raise DamagedEventError
    return event


def decode_payloads(payloads: Sequence[bytes]) -> list[dict[str, Any]]:
    """The members of each, read as one document, so that the same names are made once for all.

    Between them stands a number that nobody could know who made payloads up: where it is found in every other place,
    none began in one of them and ended in the next.
    """
    mark = int.from_bytes(os.urandom(6), "big")
    try:
        found = decode((b"[" + (b",%d," % mark).join(payloads) + b"]").decode("utf-8"))
    except (TypeError, ValueError) as fault:
        raise DamagedEventError from fault
    assert isinstance(found, list)
    events, marks = found[::2], found[1::2]
    if len(events) != len(payloads) or marks != [mark] * (len(payloads) - 1) or {*map(type, events)} - {dict}:
        raise DamagedEventError
    return events


_NEAREST = "SELECT number, seq FROM events WHERE room = ? AND number <= ? ORDER BY number DESC LIMIT 1"


def read_events(
    db: sqlite3.Connection, room: int, *, after: int = 0, through: int | None = None, kind: str | None = None,
    limit: int = 100, newest: bool = False,
) -> list[Event]:  # fmt: skip
    """Events of one room with a seq above `after`, oldest first: the first `limit` of them, or the last.

    `kind` may be a prefix such as `claim`; with `through` none has a seq above it.
    """
    clause = "" if kind is None else " AND (kind = ? OR kind BETWEEN ? || '.' AND ? || '/')"  # which follows '.'
    bounds: tuple[object, ...] = () if kind is None else (kind, kind, kind)
    if through is not None:
        clause, bounds = f"{clause} AND number <= ?", (*bounds, _number_at(db, room, through))
    rows = db.execute(
        f"SELECT seq, hash, payload FROM events WHERE room = ? AND number > ?{clause}"
        f" ORDER BY number {'DESC' if newest else 'ASC'} LIMIT ?",
        (room, _number_at(db, room, after), *bounds, limit),
    ).fetchall()
    return [_event(db, room, *row) for row in (reversed(rows) if newest else rows)]


def _number_at(db: sqlite3.Connection, room: int, seq: int) -> int:
    """The room's last number up to a seq, so that a page is read in the order of its index.

    Both rise together, so it is found by halving: between two events of a quiet room may lie a million of others.
    """
    low, high = 0, db.execute("SELECT coalesce(max(number), 0) FROM events WHERE room = ?", (room,)).fetchone()[0]
    while low < high:
        middle = (low + high + 1) // 2
        number, there = db.execute(_NEAREST, (room, middle)).fetchone() or (low, 0)
        low, high = (middle, high) if there <= seq else (low, number - 1)
    return int(low)


def _event(db: sqlite3.Connection, room: int, seq: int, digest: bytes, payload: bytes) -> Event:
    members = decode_payload(payload)
    number = members["number"]
    before = db.execute("SELECT hash FROM events WHERE room = ? AND number = ?", (room, number - 1)).fetchone()
    prev = before[0] if before else first_previous(members["room"])
    return Event(
        seq, members["room"], number, members["time"], members["actor"], members["session"],
        members["via"], members["kind"], members["data"], digest.hex(), prev.hex(),
    )  # fmt: skip
