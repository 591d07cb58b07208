"""Folding the ledger anew into an empty database, and comparing every projection row by row (DESIGN §3.1)."""

from __future__ import annotations

import sqlite3

from relay_tui.room import schema
from relay_tui.room.fold import fold
from relay_tui.room.ledger import decode_payload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NamedTuple
else:
    from relay_tui.base.record import NamedTuple


class TableCheck(NamedTuple):
    rows: int
    equal: bool


class Rebuilt(NamedTuple):
    """`log rebuild --check` of the contract."""

    events: int
    tables: dict[str, TableCheck]
    equal: bool

    @property
    def exit_code(self) -> int:
        return 0 if self.equal else 4


def check_rebuild(db: sqlite3.Connection) -> Rebuilt:
    """Compare the projections of `db`, read in one block, with what its events make."""
    fresh = sqlite3.connect(":memory:", isolation_level=None)
    try:
        events = fold_all(db, fresh)
        tables = {table: _compare(db, fresh, table) for table in schema.PROJECTIONS}
    finally:
        fresh.close()
    return Rebuilt(events, tables, all(check.equal for check in tables.values()))


def fold_all(source: sqlite3.Connection, target: sqlite3.Connection) -> int:
    """Create the tables in `target` and fold every event of `source` in seq order; returns their number."""
    schema.create(target)
    events = 0
    for seq, room, kind, at, payload in source.execute("SELECT seq, room, kind, at, payload FROM events ORDER BY seq"):
        fold(target, seq, room, kind, at, decode_payload(payload)["data"])
        events += 1
    return events


def _compare(db: sqlite3.Connection, fresh: sqlite3.Connection, table: str) -> TableCheck:
    rows, equal = 0, True
    theirs = _rows(fresh, table)
    for row in _rows(db, table):
        rows += 1
        equal = equal and next(theirs, None) == row
    return TableCheck(rows, equal and next(theirs, None) is None)


def _rows(db: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    return db.execute(f"SELECT * FROM {table} ORDER BY {schema.PROJECTIONS[table]}")
