"""What an import of a plan file reads from the room and writes to it. The plan itself is made elsewhere.

The room knows no Markdown: it hands out what earlier imports remembered, and takes an outcome.
"""

from __future__ import annotations

from relay_tui.base.canonical import decode
from relay_tui.room.agents import require_actor
from relay_tui.room.work import StoredItem, next_number, read_items

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any, NamedTuple

    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class RememberedItem(NamedTuple):
    """What the last import of a file said of one item; `seen` and `base` by field."""

    place: int
    line: int | None
    gone: bool
    seen: dict[str, Any]
    base: dict[str, Any]


class ImportBasis(NamedTuple):
    """Everything that a plan is made from, as of one moment. `digest` is of the file as last read."""

    token: tuple[int, int]
    digest: str | None
    choices: dict[str, Any]
    remembered: dict[str, RememberedItem]
    items: dict[str, StoredItem]
    removed: dict[str, StoredItem]
    next_number: int


def read_basis(db: sqlite3.Connection, room: int, path: str) -> ImportBasis:
    plan = db.execute("SELECT digest, choices FROM plans WHERE room = ? AND path = ?", (room, path)).fetchone()
    digest, choices = plan or (None, "{}")
    everything = read_items(db, room, removed=True)
    items = read_items(db, room)
    return ImportBasis(
        read_token(db, room), digest, _object(choices), _remembered(db, room, path), items,
        {key: item for key, item in everything.items() if key not in items}, next_number(db, room),
    )  # fmt: skip


def empty_basis() -> ImportBasis:
    """The basis of a room that is not there yet."""
    return ImportBasis((0, 0), None, {}, {}, {}, {}, 1)


def read_token(db: sqlite3.Connection, room: int) -> tuple[int, int]:
    """Differs whenever any item of the room was added or changed since."""
    row = db.execute("SELECT count(*), coalesce(sum(revision), 0) FROM items WHERE room = ?", (room,)).fetchone()
    return (row[0], row[1])


def apply_import(room: Room, me: Actor, basis: ImportBasis, outcome: dict[str, Any]) -> bool:
    """Append the outcome in one transaction; False, and nothing done, where the room moved on since `basis`."""
    with room.writing(me) as tx:
        require_actor(tx, room)
        if read_token(tx.db, tx.room) != basis.token:
            return False
        tx.append("work.imported", outcome)
        return True


def _remembered(db: sqlite3.Connection, room: int, path: str) -> dict[str, RememberedItem]:
    rows = db.execute(
        "SELECT item, place, line, gone, seen, base FROM plan_items WHERE room = ? AND path = ?", (room, path)
    )
    return {
        item: RememberedItem(place, line, bool(gone), _object(seen), _object(base))
        for item, place, line, gone, seen, base in rows
    }


def _object(text: str) -> dict[str, Any]:
    found = decode(text)
    assert isinstance(found, dict)
    return found
