"""A backup: one file that holds everything of a home, made while others write, and checked before it has its name.

It is relay.db as it was at one moment, with the bytes of attachments in a table of their own, `kept_files`. What
reads one trusts nothing in it but what it can check.
"""

from __future__ import annotations

import os
import sqlite3

from relay_tui.base import config
from relay_tui.base.ending import ending_tidily
from relay_tui.base.errors import RelayError
from relay_tui.base.places import DATABASE, typed_path
from relay_tui.base.text import clip
from relay_tui.base.times import local_date
from relay_tui.room import archive_files, line, lock, mishaps, schema, wakers
from relay_tui.room.attachments import FOLDER, named_files, read_kept
from relay_tui.room.chains import require_whole, verify
from relay_tui.room.cuts import read_cut
from relay_tui.room.faults import KEEP_A_COPY, plain_errors
from relay_tui.room.incoming import MADE_UP, ChainedRoom, IncomingChains
from relay_tui.room.ledger import read_head
from relay_tui.room.ndjson import checked_file
from relay_tui.room.part_file import PartFile, check_target
from relay_tui.room.rooms import list_rooms
from relay_tui.room.sqlite import connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import NamedTuple

    from relay_tui.room.cuts import Cut
    from relay_tui.room.ndjson import Item, KeptFile
    from relay_tui.room.rooms import Room, RoomRow
else:
    from relay_tui.base.record import NamedTuple

MAGIC = b"SQLite format 3\0"
# There already, and kept, where somebody put a backup in the place of relay.db.
_KEPT_FILES = "CREATE TABLE IF NOT EXISTS kept_files (sha256 TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT"
_IS_KEPT = "SELECT 1 FROM kept_files WHERE sha256 = ?"
# What relay makes in its home: beginnings of files, and folders.
_OWN_FILES = (DATABASE, lock.FILE, line.FILE, config.FILE, mishaps.FILE)
_OWN_FOLDERS = (FOLDER, archive_files.FOLDER, wakers.FOLDER, "setup")  # the last is of `wiring`, which no room knows


class BackedUp(NamedTuple):
    """`backup` and `export` of the contract: what the file holds. Times and sizes are those of the moment."""

    file: str
    bytes: int
    events: int
    rooms: list[ChainedRoom]
    attachments: int
    doubts: list[str]


def write_backup(room: Room, typed: str, *, force: bool) -> BackedUp:
    """Copy the home into one file and check the copy. Nobody waits for it.

    Raises `no_file` without a home, `file_exists`, `busy`, `storage`, and `corrupt` where the copy does not hold;
    then there is no file.
    """
    target = place_of(room, typed)
    if room.store.dry_run:
        check_target(target, force=force)
        with room.store.reading() as db:
            return _told(db, target, named_files(db), set(), 0)
    with ending_tidily(), PartFile(target, force=force) as part, plain_errors(target):
        _copy(room, part.path)
        db = connect(part.path, "rw")
        try:
            db.execute("PRAGMA journal_mode = OFF")  # a copy that is not finished is thrown away
            lost = _take_files(db, room.store.home)
            _check(db)
            told = _told(db, target, named_files(db), lost, 0)
        finally:
            db.close()
        return told._replace(bytes=part.finish())


def place_of(room: Room, typed: str) -> str:
    """Where a file that is typed in the room's folder goes. Raises `invalid`, `no_file`, `refused` for relay's own."""
    if not typed or "\0" in typed or typed.endswith("/"):
        raise RelayError("invalid", f"'{typed}' is no name of a file.", "Name the file to write.")
    path = typed_path(room.folder, typed)
    folder = os.path.realpath(os.path.dirname(path))
    if not os.path.isdir(folder):
        raise RelayError("no_file", f"There is no folder {folder}.", "Make it, or choose another.")
    target = os.path.join(folder, os.path.basename(path))
    first = os.path.relpath(target, os.path.realpath(room.store.home)).split(os.sep)[0]
    if first in _OWN_FOLDERS or first.startswith(_OWN_FILES):
        raise RelayError("refused", f"{target} is relay's own.", "Choose another place.")
    return target


def chained_rooms(db: sqlite3.Connection, rows: Iterable[RoomRow]) -> list[ChainedRoom]:
    """These rooms with the ends of their chains."""
    heads = [(row, read_head(db, row.key, row.id)) for row in rows]
    return [ChainedRoom(row.name, row.id, head.number, head.hash.hex()) for row, head in heads]


def lost_files(lost: set[str]) -> list[str]:
    """What to say of files that messages name and that are gone or damaged here."""
    if not lost:
        return []
    return [f"{len(lost)} of the files sent along are gone or damaged here, and so not in it: {min(lost)[:12]}…"]


def _copy(room: Room, path: str) -> None:
    """One statement, so of one moment; in WAL nobody waits for a reader."""
    try:
        room.store.reader.execute("VACUUM INTO ?", (path,))
    except sqlite3.IntegrityError as fault:  # a copy has the rows that there are
        raise RelayError("corrupt", f"{room.store.path} is damaged ({fault}).", KEEP_A_COPY) from fault
    except sqlite3.DatabaseError as fault:
        ours = fault.sqlite_errorname.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))
        with plain_errors(room.store.path if ours else path):
            raise


def _take_files(db: sqlite3.Connection, home: str) -> set[str]:
    """Put the bytes in one by one; returns the SHA-256 of those that are not there any more."""
    lost = set()
    db.execute("BEGIN")
    db.execute(_KEPT_FILES)
    for sha256 in sorted(named_files(db)):
        content = read_kept(home, sha256)
        if content is None:
            if not db.execute(_IS_KEPT, (sha256,)).fetchone():
                lost.add(sha256)
        else:
            db.execute("INSERT OR REPLACE INTO kept_files VALUES (?, ?)", (sha256, content))
    db.execute("COMMIT")
    return lost


def _check(db: sqlite3.Connection) -> None:
    """Raises `corrupt` where a page of the copy is not sound, or a chain does not hold."""
    found = str(db.execute("PRAGMA integrity_check(1)").fetchone()[0])
    if found != "ok":
        raise RelayError("corrupt", f"No backup was kept: in it {clip(found, 200)}.", "Run: relay doctor")
    require_whole(verify(db), "No backup was kept", "Run: relay doctor")


def _told(db: sqlite3.Connection, target: str, files: set[str], lost: set[str], size: int) -> BackedUp:
    rooms = chained_rooms(db, list_rooms(db))
    events = db.execute("SELECT count(*) FROM events").fetchone()[0]
    return BackedUp(target, size, events, rooms, len(files - lost), [*lost_files(lost), *_older(read_cut(db))])


def _older(cut: Cut | None) -> list[str]:
    if cut is None:
        return []
    return [f"Events until {local_date(cut.at)} are in the archive {cut.file}, a file of its own: keep that too."]


class CutBase(NamedTuple):
    """Where a ledger begins whose older events are in an archive; `source` has what they left."""

    cut: Cut
    source: sqlite3.Connection


class BackupReader:
    """The events and files of a backup, in order, each checked. Raises `newer_schema`, `invalid` and `corrupt`."""

    whole = True

    def __init__(self, path: str) -> None:
        self._path = path
        self.chains = IncomingChains()

    def items(self) -> Iterator[Item | CutBase]:
        # Beside a log the file alone is not all of it; without one nobody writes into it.
        db = connect(self._path, "ro" if os.path.exists(f"{self._path}-wal") else "ro&immutable=1")
        try:
            with plain_errors(self._path, "Nothing was restored. Use another copy."):
                yield from self._items(db, _own_tables(db, self._path))
        except MADE_UP as fault:
            why = clip(str(fault), 200) if isinstance(fault, ValueError) else "its cut is none"
            raise RelayError("corrupt", f"{self._path} does not hold: {why}.", "Use another copy.") from fault
        finally:
            db.close()

    def _items(self, db: sqlite3.Connection, tables: set[str]) -> Iterator[Item | CutBase]:
        cut = read_cut(db) if "base" in tables else None
        if cut is not None:
            if bad := verify(db).first_bad:
                raise ValueError(f"event {bad[1]} of {bad[0]} does not hold")
            self.chains.resume(cut, dict(db.execute("SELECT id, name FROM rooms")))
            yield CutBase(cut, db)
        sql = "SELECT payload, hash FROM events WHERE seq > ? ORDER BY seq"
        for payload, digest in db.execute(sql, (cut.seq if cut else 0,)):
            yield self.chains.follow(payload, digest)
        if "kept_files" in tables:
            yield from _kept_files(db)


def _own_tables(db: sqlite3.Connection, path: str) -> set[str]:
    """The names of its tables. Raises `newer_schema`, and `invalid` for somebody else's database."""
    db.execute("PRAGMA trusted_schema = OFF")
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > schema.VERSION:
        raise RelayError("newer_schema", f"{path} is of a newer relay (schema {version}).", "Upgrade relay-tui.")
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    columns = {row[1] for row in db.execute("PRAGMA table_info(events)")}
    if not {"events", "deliveries", "presence"} <= tables or not {"seq", "payload", "hash"} <= columns:
        raise RelayError("invalid", f"{path} is a database, but not relay's.", "Give a file of relay backup.")
    return tables


def _kept_files(db: sqlite3.Connection) -> Iterator[KeptFile]:
    for sha256, content in db.execute("SELECT * FROM kept_files"):
        if not isinstance(content, bytes):
            raise ValueError("an attachment is no file")
        yield checked_file(sha256, content)
