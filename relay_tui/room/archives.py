"""Archives: older events in a file of their own, and back from it (DESIGN §5).

An archive is a database with the rows of `events` that it took and the base that they begin with. It is durable and
proved before one transaction puts the cut in their place, so that a crash leaves the old state or the new one.
What reads messages reads them from the ledger, so messages stay; nothing but the log is shorter for an archive.
"""

from __future__ import annotations

import fcntl
import os
from hashlib import file_digest

from relay_tui.base.context import contextmanager
from relay_tui.base.ending import ending_tidily
from relay_tui.base.errors import RelayError
from relay_tui.base.filesystem import sync_folder
from relay_tui.room import schema, tables
from relay_tui.room.agents import require_actor
from relay_tui.room.archive_files import FOLDER, find_archive, open_archive
from relay_tui.room.chains import prove_archive, read_kept, require_whole, verify
from relay_tui.room.cuts import ARCHIVED, Cut, RoomCut, cut_seq, digest_kept, pack_base, read_cut, replace_base
from relay_tui.room.faults import os_error, plain_errors
from relay_tui.room.journal import RoomHead
from relay_tui.room.ledger import COLUMNS, INSERT, RELAY, first_previous
from relay_tui.room.past import fold_past, last_until
from relay_tui.room.rebuild import make_scratch
from relay_tui.room.rooms import list_rooms
from relay_tui.room.sqlite import connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from typing import NamedTuple

    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

_LOCK = "lock"
_PART = "archive.part"
# What an archive takes: everything behind the cut before it, and the events at that cut.
_TAKEN = f"""
SELECT {COLUMNS} FROM events
WHERE seq <= :seq AND (seq > :before OR seq IN (SELECT max(seq) FROM events WHERE seq <= :before GROUP BY room))
ORDER BY seq
"""
_DELETE = """
DELETE FROM events WHERE seq <= :seq AND seq NOT IN (SELECT seq FROM messages)
  AND seq NOT IN (SELECT max(seq) FROM events WHERE seq <= :seq GROUP BY room)
"""
_HEADS = "SELECT room, max(number), hash FROM events WHERE seq <= ? GROUP BY room"
_HASH = "SELECT hash FROM events WHERE room = ? AND number = ?"
_WORTH_TAKING = "SELECT 1 FROM events WHERE seq > ? AND seq <= ? AND kind <> ? LIMIT 1"
_COUNTS = (
    "SELECT count(*), count(*) FILTER (WHERE seq IN (SELECT seq FROM messages)) FROM events WHERE seq > ? AND seq <= ?"
)


class Archived(NamedTuple):
    """What `log archive` took; `file` is None where nothing is that old, and in a dry run.

    `rooms` are the events at the cut; to keep elsewhere, as those of `log head` are.
    """

    file: str | None
    sha256: str | None
    events: int
    messages_kept: int
    cut_at: int | None
    rooms: list[RoomHead]
    doubts: list[str]


_NOTHING = Archived(None, None, 0, 0, None, [], [])


class Attached(NamedTuple):
    """What `log attach` brought back."""

    file: str
    events: int


def archive_events(room: Room, me: Actor, before: int) -> Archived:
    """Take everything older than the moment `before` out of every room's ledger, into one proved file.

    Raises `busy`, `storage`, `corrupt` where a chain does not hold, `edit_conflict` where the ledger was replaced.
    """
    with room.reading() as db:  # before anything is made: there may be no room
        seq = _last_older(db, before)
        if seq is None or room.store.dry_run:
            return _told(db, seq, _room_cuts(db, seq)) if seq else _NOTHING
    with ending_tidily(), _alone(room.store.home) as folder, _scratch() as scratch:
        with room.reading() as db:
            was, seq = read_cut(db), _last_older(db, before)
            if not seq:
                return _NOTHING
            cut = _write_archive(db, scratch, folder, seq)
            told = _told(db, seq, cut.rooms)
        _cut_ledger(room, me, was, cut, scratch, folder)
    return told._replace(file=os.path.join(folder, cut.file), sha256=cut.sha256, doubts=_compact(room))


def attach_archive(room: Room, me: Actor, typed: str) -> Attached:
    """Bring the events of the newest archive back. Raises `refused` where the ledger is whole."""
    with room.reading() as db:
        cut = read_cut(db)
    if cut is None:
        raise RelayError("refused", "The ledger is whole: nothing is archived.", "Run: relay log verify")
    path = find_archive(room, typed)
    with _alone(room.store.home), open_archive(path, cut) as archive:
        with room.reading() as db:  # all that takes long, before anybody waits
            require_whole(verify(db), "Nothing was attached", "Restore a backup.")
        require_whole(prove_archive(archive, cut), "Nothing was attached", "Restore a backup.")
        with room.writing(me) as tx:
            require_actor(tx, room)
            _require_same(tx.db, cut, cut.rooms)
            there = tx.db.total_changes
            rows = archive.execute(f"SELECT {COLUMNS} FROM events ORDER BY seq")
            tx.db.executemany(f"{INSERT} ON CONFLICT DO NOTHING", rows)
            brought = tx.db.total_changes - there
            replace_base(tx.db, archive, read_cut(archive))
    return Attached(path, brought)


def _write_archive(db: sqlite3.Connection, scratch: sqlite3.Connection, folder: str, seq: int) -> Cut:
    """A durable and proved file with all events up to `seq`, still without its name; its base at the cut is packed
    in `scratch`."""
    fold_past(db, scratch, seq)
    rooms, base = _room_cuts(db, seq), pack_base(scratch)
    part = os.path.join(folder, _PART)
    _copy(db, part, seq)
    with open(part, "rb") as file:
        os.fsync(file.fileno())
        digest = file_digest(file, "sha256").hexdigest()
    cut = Cut(seq, _moment_of(db, seq), base, f"ledger-{cut_seq(db) + 1}-{seq}-{digest[:8]}.db", digest, rooms)
    with open_archive(part, cut) as archive:
        require_whole(prove_archive(archive, cut), "Nothing was archived", "Run: relay log verify")
    return cut


def _copy(db: sqlite3.Connection, path: str, seq: int) -> None:
    """The rows that an archive takes, and the base that they begin with."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
    with plain_errors(path):
        target = connect(path, "rw")
        try:
            target.execute("PRAGMA journal_mode = OFF")
            target.executescript(f"BEGIN; {tables.LEDGER}; PRAGMA user_version = {schema.VERSION};")
            rows = db.execute(_TAKEN, {"seq": seq, "before": cut_seq(db)})
            target.executemany(INSERT, rows)
            replace_base(target, db, read_cut(db))
            target.execute("COMMIT")
        finally:
            target.close()


def _cut_ledger(
    room: Room, me: Actor, was: Cut | None, cut: Cut, scratch: sqlite3.Connection, folder: str
) -> None:  # fmt: skip
    """One transaction: what the archive has is taken out, its base put in, each chain told so, and the file named."""
    with room.writing(me) as tx:
        require_actor(tx, room)
        _require_same(tx.db, was, cut.rooms)
        tx.db.execute(_DELETE, {"seq": cut.seq})
        replace_base(tx.db, scratch, cut)
        for one in cut.rooms:
            chain = tx if one.key == tx.room else tx.elsewhere(one.key, one.room)
            chain.append(ARCHIVED, cut.said_to(one), actor=None if chain is tx else RELAY)
        os.rename(os.path.join(folder, _PART), os.path.join(folder, cut.file))
        sync_folder(folder)


def _compact(room: Room) -> list[str]:
    """Messages stay between what was taken, so that only a copy without the gaps is smaller."""
    try:
        room.store.compact()
    except RelayError as fault:
        if fault.code not in ("busy", "storage"):
            raise
        return [f"relay.db keeps its size for now: {fault.message}"]
    return []


def _require_same(db: sqlite3.Connection, cut: Cut | None, rooms: Sequence[RoomCut]) -> None:
    """Raises `edit_conflict` where the ledger is not the one that was read: it was cut, or another was restored."""
    heads = [db.execute(_HASH, (one.key, one.number)).fetchone() for one in rooms]
    if read_cut(db) != cut or heads != [(bytes.fromhex(one.hash),) for one in rooms]:
        raise RelayError("edit_conflict", "The ledger became another one meanwhile; nothing was changed.", "Try again.")


def _room_cuts(db: sqlite3.Connection, seq: int) -> list[RoomCut]:
    """Each room's newest event up to `seq`."""
    before = read_cut(db)
    earlier = {one.key: one for one in before.rooms} if before else {}
    ids = {row.key: row.id for row in list_rooms(db)}
    return [
        RoomCut(
            key, ids[key], number, hash_.hex(), _prev(db, key, ids[key], number, earlier.get(key)),
            digest_kept(read_kept(db, key, number)),
        )
        for key, number, hash_ in db.execute(_HEADS, (seq,)).fetchall()
    ]  # fmt: skip


def _prev(db: sqlite3.Connection, key: int, room_id: str, number: int, earlier: RoomCut | None) -> str:
    """The hash before an event: of the one before it, which stands there unless the chain begins here."""
    if earlier and earlier.number == number:
        return earlier.prev
    row = db.execute(_HASH, (key, number - 1)).fetchone()
    return (row[0] if row else first_previous(room_id)).hex()


def _told(db: sqlite3.Connection, seq: int, rooms: list[RoomCut]) -> Archived:
    events, kept = db.execute(_COUNTS, (cut_seq(db), seq)).fetchone()
    names = {row.key: row.name for row in list_rooms(db)}
    heads = [RoomHead(names[one.key], one.number, one.hash) for one in rooms]
    return Archived(None, None, events, kept, _moment_of(db, seq), heads, [])


def _last_older(db: sqlite3.Connection, before: int) -> int | None:
    """The last seq that is older than a moment; None where all of that is archived, or tells of archives alone."""
    seq = last_until(db, before - 1)
    return seq if seq is not None and db.execute(_WORTH_TAKING, (cut_seq(db), seq, ARCHIVED)).fetchone() else None


def _moment_of(db: sqlite3.Connection, seq: int) -> int:
    return int(db.execute("SELECT at FROM events WHERE seq = ?", (seq,)).fetchone()[0])


@contextmanager
def _alone(home: str) -> Iterator[str]:
    """The folder of archives, for one at a time; a file that was not finished is taken away. Raises `busy`."""
    folder = os.path.join(home, FOLDER)
    lock = -1
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        lock = os.open(os.path.join(folder, _LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _discard(folder)
        try:
            yield folder
        finally:
            _discard(folder)
    except BlockingIOError:
        raise RelayError("busy", "Somebody else archives or attaches at this moment.", "Try again.") from None
    except OSError as fault:
        raise os_error(fault, folder) from fault
    finally:
        if lock != -1:
            os.close(lock)


def _discard(folder: str) -> None:
    part = os.path.join(folder, _PART)
    if os.path.lexists(part):
        os.unlink(part)


@contextmanager
def _scratch() -> Iterator[sqlite3.Connection]:
    db = make_scratch()
    try:
        yield db
    finally:
        db.close()
