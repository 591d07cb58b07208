"""Actions on the ledger: reading it, and checking that it and the tables still say the same."""

from __future__ import annotations

from relay_tui.base.errors import RelayError, check_number
from relay_tui.room import journal
from relay_tui.room.cursors import LONGEST_PAGE, parse_cursor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.room.archives import Archived, Attached
    from relay_tui.room.journal import EventPage, Heads, Verified
    from relay_tui.room.ledger import Actor, Event
    from relay_tui.room.past import AsOf
    from relay_tui.room.rebuild import Rebuilt
    from relay_tui.room.rooms import Room

PAGE = 50  # events


def log(
    room: Room, me: Actor | None, *, since: str | None = None, kind: str | None = None, limit: int = PAGE,
    follow: bool = False, at: str | None = None,
) -> EventPage | Iterator[Event] | AsOf:  # fmt: skip
    """What happened: the newest events, or those behind a cursor. With --at as of a moment.

    relay log --kind claim
    """
    check_number("--limit", limit, most=LONGEST_PAGE)
    reader = me.name if me else None
    if at is not None:
        if follow:
            raise RelayError("usage", "Nothing more arrives at a moment that is past.", "Leave out --at or --follow.")
        from relay_tui.actions.past import read_log_then

        begun = None if since is None else parse_cursor(since).seq
        return read_log_then(room, at, reader, after=begun, kind=kind, limit=limit)
    if since is None and not follow:
        return journal.read_newest(room, reader, kind=kind, limit=limit)
    after = parse_cursor(since).seq
    if follow:
        if limit != PAGE:
            raise RelayError("usage", "--follow prints every event that arrives.", "Leave out --limit or --follow.")
        return journal.follow_log(room, reader, after=after, kind=kind)
    return journal.read_log(room, reader, after=after, kind=kind, limit=limit)


def head(room: Room) -> Heads:
    """The last number and hash of each chain, to keep elsewhere.

    relay log head
    """
    return journal.read_heads(room)


def verify(room: Room, *, expect: str | None = None, archive: list[str] | None = None) -> Verified:
    """Check every hash of every chain. --expect says which event must still be in it.

    relay log verify --expect 120:9f86d0…
    """
    if not archive:
        return journal.verify_log(room, expect)
    from relay_tui.room.archive_files import find_archive

    return journal.verify_log(room, expect, [find_archive(room, one) for one in archive])


def rebuild(room: Room, *, check: bool = False) -> Rebuilt:
    """Fold the ledger anew, and compare it with every table.

    relay log rebuild --check
    """
    if not check:
        raise RelayError("usage", "Nothing is rebuilt in place.", "Run: relay log rebuild --check")
    return journal.rebuild_log(room)


def archive(room: Room, me: Actor, *, before: str) -> Archived:
    """Take older events out of the ledger into a file (operator). It is proved first; messages can be read on.

    relay log archive --before 2026-11-01
    """
    from relay_tui.base.moments import parse_moment
    from relay_tui.room.archives import archive_events

    return archive_events(room, me, parse_moment(before, room.clock()))


def attach(room: Room, me: Actor, file: str) -> Attached:
    """Bring the newest archive back into the ledger (operator).

    relay log attach ledger-1-5120-3fa9c2d1.db
    """
    from relay_tui.room.archives import attach_archive

    return attach_archive(room, me, file)
