"""Proving the ledger: every room's chain from its first event, or from where it is cut (DESIGN §5)."""

from __future__ import annotations

from hashlib import sha256

from relay_tui.base.errors import RelayError
from relay_tui.room.cuts import ARCHIVED, base_holds, digest_kept, read_cut
from relay_tui.room.ledger import DamagedEventError, decode_payload, decode_payloads, first_previous, framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from typing import Any, NamedTuple, TypeAlias

    from relay_tui.room.cuts import Cut, Kept, RoomCut

    Stored: TypeAlias = tuple[int, int, str, int, bytes, bytes]  # seq, number, kind, at, hash, payload
else:
    from relay_tui.base.record import NamedTuple

_BEHIND = "SELECT seq, number, kind, at, hash, payload FROM events WHERE room = ? AND number > ? ORDER BY number"
_BELOW = "SELECT seq, number, kind, at, hash, payload FROM events WHERE room = ? AND number < ? ORDER BY number"
_KEPT = """
SELECT number, hash, payload FROM events
WHERE room = ? AND number < ? AND seq IN (SELECT seq FROM messages) ORDER BY number
"""
_REPEATED = "SELECT payload FROM events WHERE room = ? AND number > ? AND kind = ?"
_BATCH = 32  # payloads decoded together; many more of them leave the processor's cache


class Verdict(NamedTuple):
    """What `log verify` found; `first_bad` is (room id, number) of the first event that does not hold."""

    events: int
    rooms: int
    first_bad: tuple[str, int] | None


def verify(db: sqlite3.Connection) -> Verdict:
    """Walk every room's chain: numbers without a gap, hashes, and columns that say what the payload says.

    Where the ledger is cut, its base and what stays below the cut must be what each chain repeats of them.
    """
    cut = read_cut(db)
    whole = cut is None or base_holds(db, cut)
    below = {one.key: one for one in cut.rooms} if cut else {}
    rooms = sorted({row[0] for row in db.execute("SELECT DISTINCT room FROM events")} | below.keys())
    events = 0
    for room in rooms:
        one = below.get(room)
        if cut and one and not (whole and _stays_below(db, one) and _is_repeated(db, cut, one)):
            return Verdict(events, len(rooms), (one.room, one.number))
        walked, bad = walk_chain(db, room, one)
        events += walked
        if bad is not None:
            return Verdict(events, len(rooms), bad)
    return Verdict(events, len(rooms), None)


def require_whole(verdict: Verdict, told: str, hint: str) -> None:
    """Raises `corrupt` where an event does not hold; `told` says what came of it."""
    if verdict.first_bad is not None:
        room, number = verdict.first_bad
        raise RelayError("corrupt", f"{told}: event {number} of the room {room} does not hold.", hint)


def prove_archive(db: sqlite3.Connection, cut: Cut) -> Verdict:
    """The same for an archive, whose chains must end with the events that the ledger was cut at."""
    start = read_cut(db)
    below = {one.key: one for one in start.rooms} if start else {}
    whole = start is None or base_holds(db, start)
    events = 0
    for one in cut.rooms:
        walked, bad = walk_chain(db, one.key, below.get(one.key))
        events += walked
        if bad is None and not (whole and _ends_with(db, one)):
            bad = (one.room, one.number)
        if bad is not None:
            return Verdict(events, len(cut.rooms), bad)
    return Verdict(events, len(cut.rooms), None)


def walk_chain(db: sqlite3.Connection, room: int, below: RoomCut | None) -> tuple[int, tuple[str, int] | None]:
    """How many events of a chain hold behind its cut, and the first that does not, if there is one."""
    room_id = below.room if below else None
    last, before = (below.number, bytes.fromhex(below.hash)) if below else (0, b"")
    events = 0
    for row, members in _with_members(db.execute(_BEHIND, (room, last))):
        if room_id is None:
            room_id = str(members.get("room"))
            before = first_previous(room_id)
        number, digest, payload = row[1], row[4], row[5]
        if number != last + 1 or not _says_its_columns(row, room_id, members):
            return events, (room_id, number)
        if sha256(framed(before, number, payload)).digest() != digest:
            return events, (room_id, number)
        last, before = number, digest
        events += 1
    return events, None


def read_kept(db: sqlite3.Connection, room: int, number: int) -> Iterator[Kept]:
    """The messages that an archive up to the event of that number leaves where they are."""
    return db.execute(_KEPT, (room, number))


def _stays_below(db: sqlite3.Connection, below: RoomCut) -> bool:
    """Whether the event at the cut, and the messages below it, are those that the archive left."""
    kept = db.execute(_BELOW, (below.key, below.number))
    if digest_kept((row[1], row[4], row[5]) for row in kept if _says_its_columns(row, below.room)) != below.kept:
        return False
    row = db.execute(_BEHIND, (below.key, below.number - 1)).fetchone()
    if row is None or row[1] != below.number or not _says_its_columns(row, below.room):
        return False
    hashed = sha256(framed(bytes.fromhex(below.prev), below.number, row[5]))
    return row[4] == hashed.digest() and hashed.hexdigest() == below.hash


def _ends_with(db: sqlite3.Connection, end: RoomCut) -> bool:
    sql = "SELECT number, hash FROM events WHERE room = ? ORDER BY number DESC LIMIT 1"
    row = db.execute(sql, (end.key,)).fetchone()
    return row is not None and (row[0], row[1].hex()) == (end.number, end.hash)


def _is_repeated(db: sqlite3.Connection, cut: Cut, below: RoomCut) -> bool:
    """Whether the room's own chain says behind the cut what the base says of it."""
    said = cut.said_to(below)
    payloads = db.execute(_REPEATED, (below.key, below.number, ARCHIVED))
    return any(_decoded_or_empty(payload).get("data") == said for (payload,) in payloads)


def _says_its_columns(row: Stored, room_id: str, members: dict[str, Any] | None = None) -> bool:
    seq, number, kind, at, _, payload = row
    members = _decoded_or_empty(payload) if members is None else members
    said = members.get
    return (said("room"), said("number"), said("seq"), said("kind"), said("time")) == (room_id, number, seq, kind, at)


def _with_members(rows: sqlite3.Cursor) -> Iterator[tuple[Stored, dict[str, Any]]]:
    """Each row with what its payload says, decoded a few at a time: half of what a walk costs is decoding."""
    while batch := rows.fetchmany(_BATCH):
        payloads = [row[-1] for row in batch]
        try:
            decoded = decode_payloads(payloads)
        except DamagedEventError:
            decoded = [_decoded_or_empty(payload) for payload in payloads]
        yield from zip(batch, decoded, strict=True)


def _decoded_or_empty(payload: bytes) -> dict[str, Any]:
    """A payload that does not decode says nothing, so the comparison with its columns fails."""
    try:
        return decode_payload(payload)
    except ValueError:
        return {}
