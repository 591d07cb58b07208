"""SQLite's and the system's own errors as relay's: one sentence, and what to do next."""

from __future__ import annotations

import errno

from relay_tui.base.context import contextmanager
from relay_tui.base.errors import LIMITS, REPORT_IT, RelayError, beyond_limit
from relay_tui.base.text import clip
from relay_tui.room.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

KEEP_A_COPY = "Nothing was changed. Move it and its -wal elsewhere, keep them, and run: relay restore BACKUP"

# Words of SQLite's, and of Python's for a text that is none, by which damage is known without a code.
_DAMAGED = frozenset(("malformed", "decode"))
_WORDS = 200
_FULL = frozenset((errno.ENOSPC, errno.EDQUOT))
# What the system says of a folder, a link, a pipe or a file in the place of another kind.
_IN_THE_WAY = frozenset(
    (errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ELOOP, errno.EINVAL, errno.ENXIO, errno.ESPIPE)
)

RESTORE = "Move it away; then run: relay restore BACKUP, or begin anew."


@contextmanager
def plain_errors(path: str, damaged: str = KEEP_A_COPY) -> Iterator[None]:
    """SQLite's own words become one sentence with a way out; nothing is swallowed. `damaged` is that of damage."""
    try:
        yield
    except sqlite3.DatabaseError as fault:
        raise _database_error(fault, path, damaged) from fault
    except UnicodeEncodeError as fault:
        raise RelayError("invalid", f"'{clip(fault.object, 40)}' is not valid UTF-8.", "Write it in UTF-8.") from fault
    except UnicodeDecodeError as fault:  # of SQLite's own message, where it names what is damaged
        raise RelayError("corrupt", f"{path} is damaged ({fault.reason}).", damaged) from fault


def lost_database(path: str) -> RelayError:
    """Of a file that is gone while its -wal is left."""
    hint = "Put it back. Or move what is left of it elsewhere (relay.db-wal, relay.db-shm), and restore a backup."
    return RelayError("corrupt", f"{path} is gone, and its latest changes are left in relay.db-wal.", hint)


def no_database(path: str, *, was_there: bool) -> RelayError:
    if was_there:
        return RelayError("no_file", f"{path} is gone, and the room with it.", "Put it back.")
    return RelayError("no_file", f"There is no {path} yet.", "Run: relay init")


def _database_error(fault: sqlite3.DatabaseError, path: str, damaged: str) -> RelayError:
    name = getattr(fault, "sqlite_errorname", "") or ""
    said = clip(str(fault), _WORDS)  # it may quote what is damaged
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or _DAMAGED.intersection(said.split()):
        return RelayError("corrupt", f"{path} is damaged or not a database ({said}).", damaged)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return RelayError("busy", f"{path} is in use by another program.", "Try again.")
    if name.startswith("SQLITE_FULL"):
        return RelayError("storage", f"{path} could not be written ({fault}).", "Nothing was kept. Free disk space.")
    if name.startswith("SQLITE_IOERR"):
        hint = "Nothing was kept. Check the disk, its space and ulimit -f; relay doctor looks at every page."
        return RelayError("storage", f"{path} could not be read or written ({fault}).", hint)
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return RelayError(
            "storage", f"{path} cannot be opened for this ({fault}).", "Check who may write to it and to its folder."
        )
    return RelayError("internal", f"SQLite refused a statement ({said}).", REPORT_IT)


def os_error(fault: OSError, path: str) -> RelayError:
    """What the system said of a path, as an error that a person can act on."""
    hint = "Check its owner and its disk."
    if fault.errno in LIMITS:
        hint = beyond_limit(fault)
    elif fault.errno in _FULL:
        hint = "Free disk space."
    elif fault.errno in _IN_THE_WAY:
        hint = "Something else stands there: move it away."
    elif fault.errno == errno.EROFS:
        hint = "A sandbox may keep this shell from it: use relay's MCP tools, or let the sandbox write there."
    return RelayError("storage", f"{path} cannot be used ({fault.strerror}).", hint)
