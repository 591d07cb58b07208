"""Making relay.db, and its copy before a migration: each is whole before it has its name.

So an empty file is never one that is being made.
"""

from __future__ import annotations

import os
import sqlite3

from relay_tui.base.context import contextmanager
from relay_tui.base.ending import ending_tidily
from relay_tui.base.filesystem import sync_folder
from relay_tui.room import schema
from relay_tui.room.part_file import PartFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def make_database(path: str) -> None:
    """A new file with every table and no row, durably in place. The caller holds the writers' lock."""
    fresh = f"{path}.new"
    _remove_leavings(fresh)
    os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
    db = sqlite3.connect(fresh, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        schema.migrate(db)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # closing alone says nothing of a full disk
    finally:
        db.close()
    os.rename(fresh, path)
    sync_folder(os.path.dirname(path))


def back_up(db: sqlite3.Connection, path: str) -> None:
    """A copy of an open file; one that is there already is of before, whatever was done since."""
    if not os.path.exists(path):
        with ending_tidily(), PartFile(path, force=False) as part:
            db.execute("VACUUM INTO ?", (part.path,))
            part.finish()


@contextmanager
def nowhere() -> Iterator[sqlite3.Connection]:
    """An empty room in memory, for a dry run where there is no home yet and none is to be made."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        schema.create(db)
        db.execute("BEGIN IMMEDIATE")
        yield db
    finally:
        db.close()


def _remove_leavings(fresh: str) -> None:
    """What one left that was killed while it made the file; nobody else makes one now."""
    for left in (fresh, f"{fresh}-wal", f"{fresh}-shm", f"{fresh}-journal"):
        if os.path.lexists(left):
            os.unlink(left)
