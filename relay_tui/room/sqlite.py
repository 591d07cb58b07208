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

PATIENCE = 5.0  # seconds, for a lock of programs that do not know the writers' queue
_CHARS_TO_QUOTE = "%?#"


def connect(path: str, mode: str) -> sqlite3.Connection:
    """Open a file in one of SQLite's modes (`ro`, `rw`), without a transaction."""
    uri = os.path.abspath(path)
    for char in _CHARS_TO_QUOTE:
        uri = uri.replace(char, f"%{ord(char):02x}")
    return sqlite3.connect(f"file://{uri}?mode={mode}", uri=True, isolation_level=None, timeout=PATIENCE)
