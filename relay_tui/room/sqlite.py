"""SQLite by the C module that `sqlite3` is made of, under the same name, and the one way to open a file with it.

What `sqlite3` puts around it (dates and times, for the most part) is a twentieth of a whole command, and
nothing here uses it: moments are integers. Whoever imports `sqlite3` beside this gets the very same types.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
else:
    try:
        import _sqlite3 as sqlite3
    except ImportError:
        import sqlite3

__all__ = ["connect", "sqlite3"]

PATIENCE = 5.0  # seconds that a reader waits for a program that keeps the file to itself
_LEAST = 0.5  # seconds: another relay that opens the file may have its lock for a moment
_CHARS_TO_QUOTE = "%?#"


def connect(path: str, mode: str, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open a file in one of SQLite's modes (`ro`, `rw`), without a transaction.

    `patience` is in seconds, for locks of programs that do not know the writers' queue.
    """
    uri = os.path.abspath(path)
    for char in _CHARS_TO_QUOTE:
        uri = uri.replace(char, f"%{ord(char):02x}")
    uri = f"file://{uri}?mode={mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=max(patience, _LEAST))


def set_patience(db: sqlite3.Connection, seconds: float) -> None:
    """The patience of a connection that is open."""
    db.execute(f"PRAGMA busy_timeout = {int(max(seconds, _LEAST) * 1000)}")
