"""The ledger as people and programs read it: pages of events, heads, and the verdicts on it."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.room.cursors import make_cursor
from relay_tui.room.ledger import Event, Head, read_events, read_head, verify
from relay_tui.room.rebuild import Rebuilt, check_rebuild

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NamedTuple

    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

FOLLOW_EVERY = 1.0  # seconds at the most between two looks when nothing rings


class EventPage(NamedTuple):
    events: list[Event]
    next: str | None


class RoomHead(NamedTuple):
    room: str
    number: int
    hash: str


class Heads(NamedTuple):
    heads: list[RoomHead]


class BadEvent(NamedTuple):
    room: str
    number: int


class Verified(NamedTuple):
    """`log verify` of the contract."""

    events: int
    rooms: int
    ok: bool
    first_bad: BadEvent | None

    @property
    def exit_code(self) -> int:
        return 0 if self.ok else 4


def read_log(room: Room, reader: str | None, *, after: int, kind: str | None, limit: int) -> EventPage:
    """A page of this room's events, oldest first; bodies of others' direct mail are left out."""
    with room.reading() as db:
        found = read_events(db, room.row.key, after=after, kind=kind, limit=limit + 1)
    shown = [elide(event, reader, room.row.operator) for event in found[:limit]]
    return EventPage(shown, make_cursor(shown[-1].seq) if len(found) > limit else None)


def read_newest(room: Room, reader: str | None, *, kind: str | None, limit: int) -> EventPage:
    """The last `limit` events, oldest first."""
    with room.reading() as db:
        found = read_events(db, room.row.key, kind=kind, limit=limit, newest=True)
    return EventPage([elide(event, reader, room.row.operator) for event in found], None)


def follow_log(room: Room, reader: str | None, *, after: int, kind: str | None) -> Iterator[Event]:
    """Events as they arrive, without end."""
    from relay_tui.room.bell import Bell

    with Bell(room.store.home) as bell:
        while True:
            page = read_log(room, reader, after=after, kind=kind, limit=100)
            for event in page.events:
                after = event.seq
                yield event
            if page.next is None:
                bell.wait(FOLLOW_EVERY)


def elide(event: Event, reader: str | None, operator: str) -> Event:
    """Bodies of direct mail are for sender, recipients and operator only (DESIGN §6.2)."""
    data: dict[str, Any] = event.data
    if event.kind != "message.sent" or data["audience"] != "direct":
        return event
    if reader is not None and reader in (data["from"], operator, *data["recipients"]):
        return event
    return event._replace(data={**data, "body": None})


def read_heads(room: Room) -> Heads:
    """Number and hash of every room's last event, to keep elsewhere: a chain cannot prove its own end."""
    with room.store.reading() as db:
        rows = db.execute("SELECT key, id, name FROM rooms ORDER BY name").fetchall()
        heads = [(name, read_head(db, key, room_id)) for key, room_id, name in rows]
    return Heads([RoomHead(name, head.number, head.hash.hex()) for name, head in heads])


def verify_log(room: Room, expect: str | None) -> Verified:
    """Walk all chains of the home; with `expect` (NUMBER:HASH) this room's chain must also hold that event."""
    with room.store.reading() as db:
        if expect is not None:
            _check_expected(room, _parse_expected(expect))
        verdict = verify(db)
    bad = BadEvent(*verdict.first_bad) if verdict.first_bad else None
    return Verified(verdict.events, verdict.rooms, bad is None, bad)


def rebuild_log(room: Room) -> Rebuilt:
    with room.store.reading() as db:
        return check_rebuild(db)


def _parse_expected(text: str) -> Head:
    number, _, digest = text.partition(":")
    try:
        if len(number) > 18 or len(digest) != 64:
            raise ValueError("neither a number nor a hash is that long")
        return Head(int(number), bytes.fromhex(digest))
    except ValueError:
        raise RelayError("usage", f"'{text}' is not NUMBER:HASH.", "Take it from: relay log head") from None


def _check_expected(room: Room, expected: Head) -> None:
    """Raises `corrupt` where the event is gone or another one, which a chain alone cannot show."""
    with room.reading() as db:
        row = db.execute(
            "SELECT hash FROM events WHERE room = ? AND number = ?", (room.row.key, expected.number)
        ).fetchone()
    if row is None or row[0] != expected.hash:
        said = "is missing" if row is None else "has another hash"
        raise RelayError(
            "corrupt",
            f"Event {expected.number} of {room.row.name} {said}: the ledger is not the one it was.",
            "Compare with a backup; nothing was changed.",
        )
