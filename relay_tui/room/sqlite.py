"""SQLite by the C module that `sqlite3` is made of, under the same name.

What `sqlite3` puts around it (dates and times, for the most part) is a twentieth of a whole command, and
nothing here uses it: moments are integers. Whoever imports `sqlite3` beside this gets the very same types.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
else:
    try:
        import _sqlite3 as sqlite3
    except ImportError:
        import sqlite3

__all__ = ["sqlite3"]
