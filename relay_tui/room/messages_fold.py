"""Folds of messages and their deliveries: events `message.*`.

A delivery is in one of two partial indexes at any time, open or settled; `messages.unsettled` counts the
open ones of a message, so that what is due is found without touching what is done (DESIGN §5).
"""

from __future__ import annotations

from relay_tui.base.canonical import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

    from relay_tui.room.fold import Fold

_ONE = (
    "message = (SELECT seq FROM messages WHERE id = ?) AND agent = (SELECT key FROM agents WHERE room = ? AND name = ?)"
)


def message_sent(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    db.execute(
        "INSERT INTO messages (seq, id, room, sender, audience, addressed, summary, reply_to, thread, sent_at,"
        " expires_at, request, unsettled) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            seq, data["id"], room, data["from"], data["audience"], data["to"], data["summary"],
            data["reply_to"], data["thread"], at, data["expires_at"], data["request"],
            len(data["recipients"]),
        ),
    )  # fmt: skip
    # With OR ABORT, or a reference that is looked up at once, SQLite copies each page of a broadcast for the case
    # that the statement fails in its middle. Whoever fails here rolls everything back.
    db.execute(
        "INSERT OR FAIL INTO deliveries (message, agent, expires_at)"
        " SELECT ?, a.key, ? FROM json_each(?) AS r CROSS JOIN agents AS a ON a.room = ? AND a.name = r.value"
        " ORDER BY a.key",  # neighbours in the index by agent, so that a broadcast walks its pages in order
        (seq, data["expires_at"], encode(data["recipients"]), room),
    )
    for place, file in enumerate(data["attachments"]):
        db.execute(
            "INSERT INTO attachments (message, place, name, size, sha256) VALUES (?, ?, ?, ?, ?)",
            (seq, place, file["name"], file["size"], file["sha256"]),
        )


def message_notified(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    for message in data["messages"]:
        db.execute(
            f"UPDATE deliveries SET notified_at = ?, notified_by = ? WHERE {_ONE} AND notified_at IS NULL",
            (at, data["by"], message, room, data["agent"]),
        )


def message_delivered(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    for message in data["messages"]:
        db.execute(
            f"UPDATE deliveries SET delivered_at = ?, delivered_session = ? WHERE {_ONE} AND delivered_at IS NULL",
            (at, data["session"], message, room, data["agent"]),
        )


def message_taken(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """Another session of the recipient says that it has these bodies now; when they were fetched stays."""
    for message in data["messages"]:
        db.execute(
            f"UPDATE deliveries SET delivered_session = ? WHERE {_ONE} AND delivered_at IS NOT NULL",
            (data["session"], message, room, data["agent"]),
        )


def message_handled(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    for message in data["messages"]:
        _settle(db, message, room, data["agent"])
        db.execute(
            "UPDATE deliveries SET handled_at = ?, handled_session = ?, handled_via = ?, note = ?"
            f" WHERE {_ONE} AND handled_at IS NULL",
            (at, data["session"], data["via"], data["note"], message, room, data["agent"]),
        )


def message_expired(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    for message, agent in data["deliveries"]:
        _settle(db, message, room, agent)
        db.execute(
            f"UPDATE deliveries SET expired_at = ?, expired_reason = ? WHERE {_ONE} AND expired_at IS NULL",
            (at, data["reason"], message, room, agent),
        )


def _settle(db: sqlite3.Connection, message: str, room: int, agent: str) -> None:
    """One open delivery fewer, if this one is still open."""
    db.execute(
        "UPDATE messages SET unsettled = unsettled - 1 WHERE id = ?"
        f" AND EXISTS (SELECT 1 FROM deliveries WHERE {_ONE} AND expired_at IS NULL AND handled_at IS NULL)",
        (message, message, room, agent),
    )


FOLDS: dict[str, Fold] = {
    "message.sent": message_sent,
    "message.notified": message_notified,
    "message.delivered": message_delivered,
    "message.taken": message_taken,
    "message.handled": message_handled,
    "message.expired": message_expired,
}
