"""Looking back: a room as it was at a moment, folded from the ledger into a scratch database (DESIGN §3.1).

Only what events say is known of the past: who merely read left none, and git, queues and transports are not in the
ledger. So an agent's last sign is its last event, and functions that read a room read this one as any other.
"""

from __future__ import annotations

import sqlite3

from relay_tui.base.context import contextmanager
from relay_tui.base.errors import RelayError
from relay_tui.base.times import local_date
from relay_tui.room.archive_files import archive_path, open_archive
from relay_tui.room.cuts import cut_seq, read_cut
from relay_tui.room.rebuild import fold_all, make_scratch
from relay_tui.room.rooms import Room, list_rooms
from relay_tui.room.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any, NamedTuple
else:
    from relay_tui.base.record import NamedTuple

_LAST_UNTIL = "SELECT seq FROM events WHERE seq >= ? AND at <= ? ORDER BY seq DESC LIMIT 1"
# Told by a watcher on the agent's behalf, or by somebody who perhaps never joined: no signs.
_NO_SIGNS = ("message.notified", "room.")
_SIGN = """
INSERT INTO presence (agent, last_seen, source) SELECT key, ?, ? FROM agents WHERE room = ? AND name = ?
ON CONFLICT (agent) DO UPDATE SET last_seen = excluded.last_seen, source = excluded.source
"""


class AsOf(NamedTuple):
    """What was found as of a moment, with what of it the ledger cannot tell."""

    at: int
    found: Any
    doubts: list[str]

    @property
    def as_of(self) -> int:
        return self.at

    @property
    def spread(self) -> str:
        return "found"


class PastStore(Store):
    """A scratch database in place of relay.db: everything reads from it, and nothing is written."""

    def __init__(self, home: str, scratch: sqlite3.Connection) -> None:
        super().__init__(home)
        self._scratch = scratch

    @property
    def reader(self) -> sqlite3.Connection:
        return self._scratch

    def ensure(self) -> None:
        raise RelayError("refused", "What was cannot be changed.", "Leave out --at.")


@contextmanager
def as_it_was(room: Room, moment: int, *, without: Collection[str] = ()) -> Iterator[Room]:
    """The room at a moment, with the clock standing still. Kinds whose first word is in `without` are not folded.

    Raises `unknown_room` for a moment before it began, `no_file` where an archive is needed that is not there.
    """
    require_begun(room, moment)
    scratch = make_scratch()
    try:
        with ledger_until(room.store, moment) as (db, seq):
            fold_past(db, scratch, seq, without=without)
        scratch.execute("PRAGMA query_only = ON")
        row = next(row for row in list_rooms(scratch) if row.key == room.row.key)
        yield Room(PastStore(room.store.home, scratch), row, room.folder, clock=lambda: moment)
    finally:
        scratch.close()


def require_begun(room: Room, moment: int) -> None:
    """Raises `unknown_room` for a moment before the room's first event."""
    if moment < room.row.created_at:
        raise RelayError(
            "unknown_room",
            f"There was no room {room.row.name} at {local_date(moment)} yet.",
            f"It began on {local_date(room.row.created_at)}.",
        )


@contextmanager
def ledger_until(store: Store, moment: int) -> Iterator[tuple[sqlite3.Connection, int]]:
    """The ledger that reaches back to a moment, an archive where need be, and its last seq of then."""
    with store.reading() as db, _reaching_back(store.home, db, moment) as found:
        yield found, last_until(found, moment) or 0


@contextmanager
def _reaching_back(home: str, db: sqlite3.Connection, moment: int) -> Iterator[sqlite3.Connection]:
    cut = read_cut(db)
    if cut is None or last_until(db, moment) is not None:
        yield db
        return
    with open_archive(archive_path(home, cut), cut) as archive, _reaching_back(home, archive, moment) as found:
        yield found


def last_until(db: sqlite3.Connection, moment: int) -> int | None:
    """The seq of the last event that is not later than a moment; None where that is before all that stands here.

    Where a clock was set back, an event that was written before it counts as earlier, whatever its time says.
    """
    row = db.execute(_LAST_UNTIL, (cut_seq(db), moment)).fetchone()
    return row[0] if row else None


def fold_past(
    source: sqlite3.Connection, scratch: sqlite3.Connection, through: int, *, without: Collection[str] = ()
) -> None:
    """Fold a ledger up to a seq, with every agent's last event as its sign."""
    signs: dict[tuple[int, str], tuple[int, str]] = {}

    def see(room: int, event: dict[str, Any]) -> None:
        if not event["kind"].startswith(_NO_SIGNS):
            signs[room, event["actor"]] = event["time"], event["via"]

    fold_all(source, scratch, through, without=without, see=see)
    scratch.executemany(_SIGN, ((*sign, *agent) for agent, sign in signs.items()))
