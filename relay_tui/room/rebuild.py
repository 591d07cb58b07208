"""Folding the ledger anew into an empty database, and comparing every projection row by row (DESIGN §3.1).

Where events were archived, folding begins with what they had made.
"""

from __future__ import annotations

import sqlite3

from relay_tui.base.errors import RelayError
from relay_tui.room import schema
from relay_tui.room.cuts import load_base, read_cut
from relay_tui.room.fold import fold
from relay_tui.room.incoming import MADE_UP
from relay_tui.room.ledger import LAST, decode_payloads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import Any, NamedTuple
else:
    from relay_tui.base.record import NamedTuple


_BATCH = 500  # events that are decoded at once
_CACHE_KIBIBYTES = 64 * 1024
_EVENTS = "SELECT seq, room, kind, at, payload FROM events WHERE seq > ? AND seq <= ? ORDER BY seq"


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
    fresh = make_scratch()
    try:
        events = fold_all(db, fresh)
        tables = {table: _compare(db, fresh, table) for table in schema.PROJECTIONS}
    finally:
        fresh.close()
    return Rebuilt(events, tables, all(check.equal for check in tables.values()))


def make_scratch() -> sqlite3.Connection:
    """A private database with every table and no row; past its cache it is a temporary file that has no name."""
    db = sqlite3.connect("", isolation_level=None)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")
    schema.create(db)
    return db


def fold_all(
    source: sqlite3.Connection,
    target: sqlite3.Connection,
    through: int = LAST,
    *,
    without: Collection[str] = (),
    see: Callable[[int, dict[str, Any]], None] | None = None,
) -> int:
    """Fold the events of `source` up to a seq into the empty tables of `target`; returns their number.

    Kinds whose first word is one of `without` are left out; `see` is told of each event's room and members.
    """
    cut = read_cut(source)
    target.execute("BEGIN")
    if cut is not None:
        load_base(source, target, cut, signs=see is not None)
    rows = source.execute(_EVENTS, (cut.seq if cut else 0, through))
    events = 0
    while batch := rows.fetchmany(_BATCH):
        for (seq, room, kind, at, _), members in zip(batch, decode_payloads([row[-1] for row in batch]), strict=True):
            if see is not None:
                see(room, members)
            if str(kind).partition(".")[0] not in without:
                _fold_one(target, seq, room, kind, at, members)
        events += len(batch)
    target.execute("COMMIT")
    return events


def _fold_one(target: sqlite3.Connection, seq: int, room: int, kind: str, at: int, members: dict[str, Any]) -> None:
    """Raises `corrupt` for an event that means nothing: what stands in a damaged file may be anything."""
    try:
        fold(target, seq, room, kind, at, members["data"])
    except (*MADE_UP, sqlite3.Error) as fault:
        told = f"Event {seq} of the ledger cannot be folded ({type(fault).__name__})."
        raise RelayError("corrupt", told, "Run: relay log verify") from fault


def _compare(db: sqlite3.Connection, fresh: sqlite3.Connection, table: str) -> TableCheck:
    rows, equal = 0, True
    theirs = _rows(fresh, table)
    for row in _rows(db, table):
        rows += 1
        equal = equal and next(theirs, None) == row
    return TableCheck(rows, equal and next(theirs, None) is None)


def _rows(db: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    return db.execute(f"SELECT * FROM {table} ORDER BY {schema.PROJECTIONS[table]}")
