"""The ledger as people and programs read it: pages of events, heads, and the verdicts on it."""

from __future__ import annotations

import os

from relay_tui.base.errors import RelayError
from relay_tui.base.times import local_date
from relay_tui.room.chains import prove_archive, verify
from relay_tui.room.cursors import make_cursor
from relay_tui.room.cuts import cut_seq, read_cut
from relay_tui.room.ledger import Event, Head, read_events, read_head
from relay_tui.room.mail import open_summary
from relay_tui.room.rebuild import Rebuilt, check_rebuild

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from typing import Any, NamedTuple, NoReturn

    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class EventPage(NamedTuple):
    """`doubts` say where older events are that an archive took."""

    events: list[Event]
    next: str | None
    doubts: tuple[str, ...] = ()


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
    """`log verify` of the contract; `archive` is the file that goes on below what was proved."""

    events: int
    rooms: int
    ok: bool
    first_bad: BadEvent | None
    archive: str | None = None

    @property
    def exit_code(self) -> int:
        return 0 if self.ok else 4


class _Below(NamedTuple):
    """What was proved below a cut, whether the event looked for was met, and the archive that is still to be seen."""

    events: int
    first_bad: tuple[str, int] | None
    found: bool
    archive: str | None


def read_log(room: Room, reader: str | None, *, after: int, kind: str | None, limit: int) -> EventPage:
    """A page of this room's events, oldest first; bodies of others' direct mail are left out."""
    with room.reading() as db:
        return _page(db, room, reader, after=after, kind=kind, limit=limit)


def read_newest(room: Room, reader: str | None, *, kind: str | None, limit: int) -> EventPage:
    """The last `limit` events, oldest first."""
    with room.reading() as db:
        return _newest(db, room, reader, kind=kind, limit=limit)


def read_log_until(
    room: Room, reader: str | None, moment: int, *, after: int | None, kind: str | None, limit: int
) -> EventPage:
    """The same as of a moment: a page behind a seq, or without one the last events until then."""
    from relay_tui.room.past import ledger_until, require_begun

    require_begun(room, moment)
    with ledger_until(room.store, moment) as (db, seq):
        if after is None:
            return _newest_through_archives(db, room, reader, seq, kind, limit)
        return _page(db, room, reader, after=after, kind=kind, limit=limit, through=seq)


def _page(
    db: sqlite3.Connection, room: Room, reader: str | None, *, after: int, kind: str | None, limit: int,
    through: int | None = None,
) -> EventPage:  # fmt: skip
    begun = cut_seq(db)
    found = read_events(db, room.row.key, after=max(after, begun), through=through, kind=kind, limit=limit + 1)
    shown = [elide(event, reader, room.row.operator) for event in found[:limit]]
    more = make_cursor(shown[-1].seq) if len(found) > limit else None
    return EventPage(shown, more, _older(db, through) if after < begun else ())


def _newest(
    db: sqlite3.Connection, room: Room, reader: str | None, *, kind: str | None, limit: int,
    through: int | None = None,
) -> EventPage:  # fmt: skip
    found = read_events(db, room.row.key, after=cut_seq(db), through=through, kind=kind, limit=limit, newest=True)
    shown = [elide(event, reader, room.row.operator) for event in found]
    return EventPage(shown, None, _older(db, through) if len(found) < limit else ())


def _newest_through_archives(
    db: sqlite3.Connection, room: Room, reader: str | None, through: int, kind: str | None, limit: int
) -> EventPage:
    """The last events up to a seq, also of archives that lie where they were written."""
    from relay_tui.room.archive_files import archive_path, open_archive

    page, cut = _newest(db, room, reader, kind=kind, limit=limit, through=through), read_cut(db)
    left = limit - len(page.events)
    if cut is None or not left or not os.path.exists(archive_path(room.store.home, cut)):
        return page
    with open_archive(archive_path(room.store.home, cut), cut) as archive:
        older = _newest_through_archives(archive, room, reader, through, kind, left)
    return EventPage([*older.events, *page.events], None, older.doubts)


def _older(db: sqlite3.Connection, through: int | None) -> tuple[str, ...]:
    cut = read_cut(db)
    how = "; see them with --at" if through is None else ""
    return (f"Events until {local_date(cut.at)} are in the archive {cut.file}{how}.",) if cut else ()


def follow_log(room: Room, reader: str | None, *, after: int, kind: str | None) -> Iterator[Event]:
    """Events as they arrive, without end."""
    from relay_tui.room.bell import LOOK_EVERY, Bell

    seen, file = after, room.store.inode
    with Bell(room.store.home) as bell:
        while True:
            if room.store.inode != file:
                file, seen = room.store.inode, after  # a restored ledger counts on from an earlier number
            page = read_log(room, reader, after=seen, kind=kind, limit=100)
            for event in page.events:
                seen = event.seq
                yield event
            if page.next is None:
                bell.wait(LOOK_EVERY)


def elide(event: Event, reader: str | None, operator: str) -> Event:
    """Bodies of direct mail, and their first lines, are for sender, recipients and operator only (DESIGN §6.2)."""
    data: dict[str, Any] = event.data
    if event.kind != "message.sent" or data["audience"] != "direct":
        return event
    if reader is not None and reader in (data["from"], operator, *data["recipients"]):
        return event
    return event._replace(data={**data, "summary": open_summary(data), "body": None})


def read_heads(room: Room) -> Heads:
    """Number and hash of every room's last event, to keep elsewhere: a chain cannot prove its own end."""
    with room.store.reading() as db:
        rows = db.execute("SELECT key, id, name FROM rooms ORDER BY name").fetchall()
        heads = [(name, read_head(db, key, room_id)) for key, room_id, name in rows]
    return Heads([RoomHead(name, head.number, head.hash.hex()) for name, head in heads])


def verify_log(room: Room, expect: str | None, archives: Sequence[str] = ()) -> Verified:
    """Walk all chains of the home; with `expect` (NUMBER:HASH) this room's chain must also hold that event.

    With its archives, in any order, the chains are walked through them as well. Raises `corrupt` where an event or
    an archive is not the one it was.
    """
    wanted = _parse_expected(expect) if expect is not None else None
    with room.store.reading() as db:
        verdict = verify(db)
        below = _verify_below(db, room, wanted, archives)
        if wanted is not None and not below.found:
            _refuse_unexpected(db, room, wanted, below.archive)
    bad = verdict.first_bad or below.first_bad
    told = BadEvent(*bad) if bad else None
    return Verified(verdict.events + below.events, verdict.rooms, told is None, told, below.archive)


def _verify_below(db: sqlite3.Connection, room: Room, wanted: Head | None, archives: Sequence[str]) -> _Below:
    """What archives prove below the cut of a ledger, or of an archive."""
    found = wanted is not None and _read_hash(db, room, wanted.number) == wanted.hash
    cut = read_cut(db)
    if cut is None and archives:
        raise RelayError("invalid", f"{archives[0]} is not needed: the ledger goes back to its first event.")
    if cut is None or not archives:
        return _Below(0, None, found, cut.file if cut else None)
    from relay_tui.room.archive_files import open_archive, pick_archive

    path = pick_archive(archives, cut)
    with open_archive(path, cut) as archive:
        verdict = prove_archive(archive, cut)
        deeper = _verify_below(archive, room, wanted, [one for one in archives if one != path])
    bad = verdict.first_bad or deeper.first_bad
    return _Below(verdict.events + deeper.events, bad, found or deeper.found, deeper.archive)


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


def _read_hash(db: sqlite3.Connection, room: Room, number: int) -> bytes | None:
    row = db.execute("SELECT hash FROM events WHERE room = ? AND number = ?", (room.row.key, number)).fetchone()
    return row[0] if row else None


def _refuse_unexpected(db: sqlite3.Connection, room: Room, wanted: Head, archive: str | None) -> NoReturn:
    """Raises `corrupt` where the event is gone or another one, which a chain alone cannot show."""
    gone = _read_hash(db, room, wanted.number) is None
    cut = read_cut(db)
    if gone and archive and cut and any(one.key == room.row.key and wanted.number < one.number for one in cut.rooms):
        raise RelayError(
            "no_file", f"Event {wanted.number} of {room.row.name} is in an archive.", f"Add --archive {archive}"
        )
    raise RelayError(
        "corrupt",
        f"Event {wanted.number} of {room.row.name} {'is missing' if gone else 'has another hash'}: the ledger is not"
        " the one it was.",
        "Compare with a backup; nothing was changed.",
    )
