"""Folds of work: events `work.*`. Lists are kept as JSON text; every change of an item counts a revision."""

from __future__ import annotations

from relay_tui.base.canonical import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

    from relay_tui.room.fold import Fold

LISTS = ("labels", "artifacts", "blocked_by")
FIELDS = (
    "kind", "parent", "place", "title", "status", "owner", "priority", "labels", "branch", "artifacts", "due",
    "blocked_by", "note",
)  # fmt: skip
_INSERT = f"INSERT INTO items (room, id, revision, {', '.join(FIELDS)}) VALUES (?, ?, 1{', ?' * len(FIELDS)})"


def work_added(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    for item in data["items"]:
        _insert(db, room, item)


def work_changed(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    _update(db, room, data["id"], data["set"])


def work_imported(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """The outcome of one import: items, their places, and what the next import has to remember."""
    for item in data["added"]:
        _insert(db, room, item)
    for item, fields in data["changed"].items():
        _update(db, room, item, fields)
    for item, place in data["places"].items():
        db.execute("UPDATE items SET place = ? WHERE room = ? AND id = ?", (place, room, item))
    db.execute(
        "INSERT OR REPLACE INTO plans (room, path, digest, choices, worktree, read_at) VALUES (?, ?, ?, ?, ?, ?)",
        (room, data["path"], data["digest"], encode(data["choices"]), data["worktree"], at),
    )
    for item, kept in data["remembered"].items():
        db.execute(
            "INSERT OR REPLACE INTO plan_items (room, path, item, place, line, gone, seen, base)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                room, data["path"], item, kept["place"], kept["line"], int(kept["gone"]), encode(kept["seen"]),
                encode(kept["base"]),
            ),
        )  # fmt: skip
    for item, line in data["lines"].items():
        db.execute(
            "UPDATE plan_items SET line = ? WHERE room = ? AND path = ? AND item = ?", (line, room, data["path"], item)
        )


def _insert(db: sqlite3.Connection, room: int, item: dict[str, Any]) -> None:
    db.execute(_INSERT, (room, item["id"], *(_stored(field, item[field]) for field in FIELDS)))


def _update(db: sqlite3.Connection, room: int, item: str, fields: dict[str, Any]) -> None:
    named = [field for field in fields if field in FIELDS]
    assignments = "".join(f"{field} = ?, " for field in named)
    db.execute(
        f"UPDATE items SET {assignments}revision = revision + 1 WHERE room = ? AND id = ?",
        (*(_stored(field, fields[field]) for field in named), room, item),
    )


def _stored(field: str, value: Any) -> Any:
    return encode(value) if field in LISTS else value


FOLDS: dict[str, Fold] = {
    "work.added": work_added,
    "work.changed": work_changed,
    "work.imported": work_imported,
}
