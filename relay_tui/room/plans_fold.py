"""Folds of what is remembered of a plan file: as it was last read or written, and of each item in it."""

from __future__ import annotations

from relay_tui.base.canonical import decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

# What a plan file says of an item. Of these are the lists that `seen` and `base` are stored as, base only where it
# is not what was seen. An event leaves out `seen` where that is the added item, and `base` where it is `seen`.
FIELDS = ("kind", "parent", "title", "status", "owner", "priority", "labels", "branch", "due", "note")
_FOLLOW = "follow"


def remember_import(db: sqlite3.Connection, room: int, at: int, data: dict[str, Any]) -> None:
    """The file as it was read by an import; events of older relays say neither `head`, `branch` nor `reading`."""
    if "was" in data:
        _move(db, room, data["was"], data["path"])
    reading = data.get("reading")
    db.execute(
        "INSERT OR REPLACE INTO plans (room, path, digest, choices, worktree, head, branch, reading, read_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            room, data["path"], data["digest"], encode(data["choices"]), data["worktree"], data.get("head"),
            data.get("branch"), None if reading is None else encode(reading), at,
        ),
    )  # fmt: skip
    _remember_items(db, room, data)


def _move(db: sqlite3.Connection, room: int, before: str, path: str) -> None:
    """The plan goes on in a file at another path, and all that is remembered of it goes along."""
    for table in ("plans", "plan_items"):
        db.execute(f"UPDATE {table} SET path = ? WHERE room = ? AND path = ?", (path, room, before))


def plan_exported(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """The file as relay wrote it, which the next import takes for the last that it read."""
    db.execute(
        "UPDATE plans SET digest = ?, head = ?, branch = ?, reading = ?, read_at = ? WHERE room = ? AND path = ?",
        (data["digest"], data["head"], data.get("branch"), encode(data["reading"]), at, room, data["path"]),
    )
    _remember_items(db, room, data)


def plan_followed(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    where = (room, data["path"])
    row = db.execute("SELECT choices FROM plans WHERE room = ? AND path = ?", where).fetchone()
    choices: Any = decode(row[0])
    choices.pop(_FOLLOW, None)
    if data["follow"]:
        choices[_FOLLOW] = True
    db.execute("UPDATE plans SET choices = ? WHERE room = ? AND path = ?", (encode(choices), *where))


def _remember_items(db: sqlite3.Connection, room: int, data: dict[str, Any]) -> None:
    path, added = data["path"], {item["id"]: item for item in data.get("added", ())}
    remembered = data["remembered"]
    db.executemany(
        "INSERT OR REPLACE INTO plan_items (room, path, item, place, line, gone, seen) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (room, path, item, kept["place"], kept["line"], int(kept["gone"]), _values(kept.get("seen") or added[item]))
            for item, kept in remembered.items()
        ),
    )
    db.executemany(
        "UPDATE plan_items SET base = ? WHERE room = ? AND path = ? AND item = ?",
        ((_values(kept["base"]), room, path, item) for item, kept in remembered.items() if "base" in kept),
    )
    db.executemany(
        "UPDATE plan_items SET line = ? WHERE room = ? AND path = ? AND item = ?",
        ((line, room, path, item) for item, line in data["lines"].items()),
    )


def _values(said: dict[str, Any]) -> str:
    return encode([*map(said.get, FIELDS)])
