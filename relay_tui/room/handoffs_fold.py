"""Folds of handovers: events `handoff.*`. Ownership moves here, and only by an answer that accepts."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

    from relay_tui.room.fold import Fold

_AGENT = "(SELECT a.key FROM agents AS a JOIN rooms AS r ON r.key = a.room WHERE r.id = ? AND a.name = ?)"
_RESOURCE = "handoff = ? AND scope = ? AND family = ? AND lookup = ?"


def handoff_requested(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    db.execute(
        "INSERT INTO handoffs (id, room, giver, recipient, reason, state, requested_at)"
        f" VALUES (?, ?, {_AGENT}, {_AGENT}, ?, 'waiting', ?)",
        (data["id"], room, *data["from"], *data["to"], data["reason"], at),
    )
    for one in data["resources"]:
        db.execute(
            "INSERT INTO handoff_resources (handoff, scope, family, lookup, resource, waiting)"
            " VALUES (?, ?, ?, ?, ?, 1)",
            (data["id"], one["scope"], one["family"], one["lookup"], one["resource"]),
        )


def handoff_answered(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """What was accepted belongs to the recipient from now on; the rest stays where it is."""
    for one in data["resources"]:
        key = (one["scope"], one["family"], one["lookup"])
        db.execute(
            f"UPDATE handoff_resources SET waiting = 0, accepted = ? WHERE {_RESOURCE}",
            (int(one["accepted"]), data["id"], *key),
        )
        if one["accepted"]:
            db.execute(
                f"UPDATE claims SET agent = {_AGENT}, claimed_at = ? WHERE scope = ? AND family = ? AND lookup = ?",
                (*data["to"], at, *key),
            )
    _close(db, data["id"], data["state"], at)


def handoff_cancelled(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    db.execute("UPDATE handoff_resources SET waiting = 0 WHERE handoff = ?", (data["id"],))
    _close(db, data["id"], "cancelled", at)


def _close(db: sqlite3.Connection, handoff: str, state: str, at: int) -> None:
    db.execute("UPDATE handoffs SET state = ?, answered_at = ? WHERE id = ?", (state, at, handoff))


FOLDS: dict[str, Fold] = {
    "handoff.requested": handoff_requested,
    "handoff.answered": handoff_answered,
    "handoff.cancelled": handoff_cancelled,
}
