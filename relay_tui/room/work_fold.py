"""Folds of work: events `work.*`. Lists are kept as JSON text; every change of an item counts a revision."""

from __future__ import annotations

from operator import itemgetter

from relay_tui.base.canonical import decode, encode
from relay_tui.room.plans_fold import FIELDS as SAID
from relay_tui.room.plans_fold import plan_exported, plan_followed, remember_import

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from typing import Any

    from relay_tui.room.fold import Fold

LISTS = ("labels", "artifacts", "blocked_by")
FIELDS = (
    "kind", "parent", "place", "title", "status", "owner", "priority", "labels", "branch", "artifacts", "due",
    "blocked_by", "note",
)  # fmt: skip


def work_added(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    _insert(db, room, data["items"], at)
    _make_wait(db, room, data, at)


def work_changed(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    _update(db, room, data["id"], data["set"], at)
    _make_wait(db, room, data, at)


def work_moved(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    _update(db, room, data["id"], {"parent": data["parent"]}, at)
    _place(db, room, data["places"])


def work_removed(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    _mark_removed(db, room, data["items"], at)


def work_restored(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    _mark_removed(db, room, data["items"], None)


def work_resolved(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """What the file says is what it and the room last agreed on, whichever of the two values the room has now.

    It counts a revision either way, so that an import planned before is planned again.
    """
    key = (room, data["path"], data["id"])
    sql = "SELECT coalesce(base, seen) FROM plan_items WHERE room = ? AND path = ? AND item = ?"
    values = decode(db.execute(sql, key).fetchone()[0])
    assert isinstance(values, list)
    values[SAID.index(data["field"])] = data["agreed"]
    agreed = encode(values)
    db.execute("UPDATE plan_items SET base = ? WHERE room = ? AND path = ? AND item = ?", (agreed, *key))
    _update(db, room, data["id"], data["set"], at)


def work_imported(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """The outcome of one import: items, their places, and what the next import has to remember."""
    _insert(db, room, data["added"], at)
    for item, fields in data["changed"].items():
        _update(db, room, item, fields, at)
    _place(db, room, data["places"])
    remember_import(db, room, at, data)


def _insert(db: sqlite3.Connection, room: int, items: list[dict[str, Any]], at: int) -> None:
    """Items that say the same fields at once: to bind a NULL for each that is not said takes longer than the rest."""
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for item in items:
        alike.setdefault(tuple(item), []).append(item)
    for said, group in alike.items():
        fields = ["id", *(field for field in FIELDS if field in said)]
        names, marks = ", ".join(fields), ", ?" * len(fields)
        sql = f"INSERT INTO items (room, revision, status_at, {names}) VALUES (?, 1, ?{marks})"
        db.executemany(sql, ((room, at, *row) for row in _rows(group, fields)))


def _rows(items: list[dict[str, Any]], fields: list[str]) -> Iterator[list[Any]]:
    read = itemgetter(*fields)
    lists = [place for place, field in enumerate(fields) if field in LISTS]
    for item in items:
        row = list(read(item))
        for place in lists:
            row[place] = encode(row[place] or [])
        yield row


def _update(db: sqlite3.Connection, room: int, item: str, fields: dict[str, Any], at: int) -> None:
    """`at` becomes the time of its status where the status is one of the fields."""
    values = {field: _stored(field, value) for field, value in fields.items() if field in FIELDS}
    values |= {"status_at": at} if "status" in fields else {}
    assignments = "".join(f"{column} = ?, " for column in values)
    db.execute(
        f"UPDATE items SET {assignments}revision = revision + 1 WHERE room = ? AND id = ?",
        (*values.values(), room, item),
    )


def _make_wait(db: sqlite3.Connection, room: int, data: dict[str, Any], at: int) -> None:
    """Others that wait for the item of this event from now on, each with all that it waits for."""
    for item, blockers in data.get("waiting", {}).items():
        _update(db, room, item, {"blocked_by": blockers}, at)


def _place(db: sqlite3.Connection, room: int, places: dict[str, int]) -> None:
    sql = "UPDATE items SET place = ? WHERE room = ? AND id = ?"
    db.executemany(sql, ((place, room, item) for item, place in places.items()))


def _mark_removed(db: sqlite3.Connection, room: int, items: list[str], at: int | None) -> None:
    sql = "UPDATE items SET removed_at = ?, revision = revision + 1 WHERE room = ? AND id = ?"
    for item in items:
        db.execute(sql, (at, room, item))


def _stored(field: str, value: Any) -> Any:
    return encode(value) if field in LISTS else value


FOLDS: dict[str, Fold] = {
    "work.added": work_added,
    "work.changed": work_changed,
    "work.moved": work_moved,
    "work.removed": work_removed,
    "work.restored": work_restored,
    "work.resolved": work_resolved,
    "work.imported": work_imported,
    "work.exported": plan_exported,
    "work.followed": plan_followed,
}
