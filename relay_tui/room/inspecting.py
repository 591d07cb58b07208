"""Questions to relay.db in SQL of one's own: read only, one statement, bounded in time, rows and size.

Two things keep it from writing: the file is opened read-only, and SQLite asks here what a statement would do before
it runs.
"""

from __future__ import annotations

import sqlite3
import time

from relay_tui.base.context import contextmanager
from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip
from relay_tui.base.times import SECOND
from relay_tui.room import schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, NamedTuple, TypeAlias

    from relay_tui.room.rooms import Room

    Cell: TypeAlias = str | int | float | None
else:
    from relay_tui.base.record import NamedTuple

MOST_ROWS = 1_000_000
DEADLINE = 30 * SECOND
# What is listed besides the projections; the rest is how SQLite and migrations keep their own things.
_BESIDE = ("events", "base", "presence", "waiting")
_CELL_BYTES = 16 * 1024 * 1024
_ANSWER_BYTES = 64 * 1024 * 1024
_STEPS = 10_000  # of SQLite's machine between two looks at the time
_MAY = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE))
# What may be asked of a table or an index by its name, and what of the database: with a value that would set it.
_PRAGMAS_OF = frozenset("table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list".split())
_PRAGMAS = _PRAGMAS_OF.union(
    "function_list collation_list compile_options data_version page_count page_size freelist_count user_version".split()
)


class Rows(NamedTuple):
    """`db` of the contract; `more` is whether there are rows beyond the limit. Bytes that are text are told as
    text, others in hexadecimal."""

    columns: list[str]
    rows: list[list[Cell]]
    more: bool


class CsvRows(NamedTuple):
    """The same, to be printed as CSV; a NULL is an empty field."""

    columns: list[str]
    rows: list[list[Cell]]
    more: bool


def run_query(room: Room, sql: str, *, limit: int, timeout: int) -> Rows:
    """The rows of one statement, at most `limit`, within `timeout` microseconds.

    Raises `usage` for what is no statement, `refused` for one that would change something, `timeout`, `too_large`.
    """
    with room.store.reading() as db, _guarded(db, timeout):
        cursor = db.execute(sql)
        if cursor.description is None:
            raise RelayError(
                "usage", "That is no question: it has no rows.", 'For example: relay db "SELECT * FROM agents"'
            )
        columns = [column[0] for column in cursor.description]
        return Rows(columns, *_bounded(cursor, limit))


def read_table(room: Room, name: str, *, limit: int, timeout: int) -> Rows:
    """The rows of one table. Raises `usage` with the tables there are."""
    names = [str(row[0]) for row in list_tables(room).rows]
    if name not in names:
        raise RelayError("usage", f"There is no table '{clip(name, 60)}'.", f"There are: {', '.join(names)}")
    return run_query(room, f'SELECT * FROM "{name}"', limit=limit, timeout=timeout)


def list_tables(room: Room) -> Rows:
    """The tables there are, with their rows counted and their columns named."""
    from sqlite_utils import Database

    with room.store.reading() as db:
        tables = [table for table in Database(db).tables if table.name in (*schema.PROJECTIONS, *_BESIDE)]
        rows: list[list[Cell]] = [
            [table.name, table.count, ", ".join(column.name for column in table.columns)] for table in tables
        ]
    return Rows(["table", "rows", "columns"], sorted(rows, key=str), False)


@contextmanager
def _guarded(db: sqlite3.Connection, timeout: int) -> Iterator[None]:
    """For the length of a block the connection runs nothing but bounded questions."""
    ends = time.monotonic() + timeout / SECOND
    cell_bytes = db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _CELL_BYTES)
    factory, db.text_factory = db.text_factory, lambda text: text.decode("utf-8", "replace")
    db.set_authorizer(_authorize)
    db.set_progress_handler(lambda: int(time.monotonic() > ends), _STEPS)
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning) as fault:
        raise _refusal(fault) from fault
    finally:
        db.set_progress_handler(None, 0)
        db.set_authorizer(None)
        db.text_factory = factory
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, cell_bytes)


def _authorize(act: int, what: str | None, value: str | None, *_: str | None) -> int:
    if act in _MAY or (act == sqlite3.SQLITE_PRAGMA and what in (_PRAGMAS if value is None else _PRAGMAS_OF)):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _refusal(fault: Exception) -> Exception:
    """SQLite's words as relay's; what is wrong with the file itself stays as it is."""
    name = getattr(fault, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR", "SQLITE_BUSY")):
        return fault
    if name in ("SQLITE_AUTH", "SQLITE_READONLY") or "not authorized" in str(fault) or "VACUUM" in str(fault):
        return RelayError("refused", "relay db only reads, and that statement does more.", "Ask with SELECT.")
    if name == "SQLITE_INTERRUPT":
        return RelayError("timeout", "The question took too long.", "Ask for less, or add --timeout 5m.")
    if name in ("SQLITE_TOOBIG", "SQLITE_NOMEM"):
        return RelayError("too_large", "A value of the answer has more than 16 MiB.", "Ask for less.")
    return RelayError("usage", f"SQLite does not take that: {clip(str(fault).rstrip('.'), 200)}.", "Run: relay db")


def _bounded(found: Iterable[tuple[Any, ...]], limit: int) -> tuple[list[list[Cell]], bool]:
    rows: list[list[Cell]] = []
    size = 0
    for row in found:
        if len(rows) == limit:
            return rows, True
        rows.append([_cell(value) for value in row])
        size += sum(len(value) for value in rows[-1] if isinstance(value, str))
        if size > _ANSWER_BYTES:
            raise RelayError("too_large", "The answer has more than 64 MiB.", "Ask for less, or for less at a time.")
    return rows, False


def _cell(value: Any) -> Cell:
    if isinstance(value, bytes):
        text = value.decode("ascii", "replace")
        return text if text.isascii() and text.isprintable() else value.hex()
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    return value  # type: ignore[no-any-return]
