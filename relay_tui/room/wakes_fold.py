"""Folds of attempts to wake an idle agent: events `wake.*`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

    from relay_tui.room.fold import Fold

_AGENT = "(SELECT key FROM agents WHERE room = ? AND name = ?)"
_MESSAGE = "(SELECT seq FROM messages WHERE id = ?)"


def wake_tried(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """An attempt is about to be made; one for the same mail that came to nothing gives way to it."""
    db.execute(
        f"INSERT OR REPLACE INTO wakes (agent, message, means, tried_at) VALUES ({_AGENT}, {_MESSAGE}, ?, ?)",
        (room, data["agent"], data["newest"], data["means"], at),
    )


def wake_ended(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    db.execute(
        f"UPDATE wakes SET ended_at = ?, outcome = ?, text = ? WHERE agent = {_AGENT} AND message = {_MESSAGE}",
        (at, data["outcome"], data["text"], room, data["agent"], data["newest"]),
    )


FOLDS: dict[str, Fold] = {"wake.tried": wake_tried, "wake.ended": wake_ended}
