"""Making relay.db: it is whole before it has its name, so that an empty file is never one that is being made."""

from __future__ import annotations

import os
import sqlite3

from relay_tui.base.filesystem import sync_folder
from relay_tui.room import schema


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


def _remove_leavings(fresh: str) -> None:
    """What one left that was killed while it made the file; nobody else makes one now."""
    for left in (fresh, f"{fresh}-wal", f"{fresh}-shm", f"{fresh}-journal"):
        if os.path.lexists(left):
            os.unlink(left)
