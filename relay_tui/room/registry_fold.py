"""Folds of rooms, agents and questions: events `room.*`, `agent.*` and `question.*`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

    from relay_tui.room.fold import Fold

# Columns of `agents` that an event's facts may name.
FACTS = frozenset("ephemeral runner session pid process_start boot status text task branch worktree".split())


def room_created(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """The room and its operator, who always exists."""
    db.execute(
        "INSERT INTO rooms (key, id, name, root, repository, family, own, attached, operator, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)",
        (
            seq, data["id"], data["name"], data["root"], data["repository"], data["family"],
            int(data["own"]), data["operator"], at,
        ),
    )  # fmt: skip
    _insert_agent(db, seq, seq, data["operator"], at)


def room_moved(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """The folder went elsewhere, or is the room's again: its root, and the repository of the whole family."""
    db.execute("UPDATE rooms SET root = ?, attached = 1 WHERE key = ?", (data["root"], room))
    db.execute(
        "UPDATE rooms SET repository = ? WHERE family = (SELECT family FROM rooms WHERE key = ?)",
        (data["repository"], room),
    )


def room_detached(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """Its folder is another room's now; it is reached by its name."""
    db.execute("UPDATE rooms SET attached = 0 WHERE key = ?", (room,))


def room_operated(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """Another name for the operator, who is here under it from then on, whatever became of the name before."""
    db.execute("UPDATE rooms SET operator = ? WHERE key = ?", (data["operator"], room))
    if _key(db, room, data["operator"]) is None:
        _insert_agent(db, seq, room, data["operator"], at)
    _stand(db, room, data["operator"], "here", None)
    _set_facts(db, _key(db, room, data["operator"]), {"ephemeral": 0})


def agent_joined(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """A new name, or one that comes back; with the facts it named and, maybe, a new session."""
    if _key(db, room, data["agent"]) is None:
        _insert_agent(db, seq, room, data["agent"], at)
    key = _key(db, room, data["agent"])
    db.execute("UPDATE agents SET standing = 'here', left_at = NULL WHERE key = ?", (key,))
    _set_facts(db, key, data["facts"])
    session = data.get("session")
    if session:
        db.execute("UPDATE sessions SET ended_at = ? WHERE agent = ? AND ended_at IS NULL", (at, key))
        db.execute(
            "INSERT INTO sessions (agent, session, id, client, pid, folder, began_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (agent, session) DO UPDATE SET ended_at = NULL, pid = excluded.pid,"
            " folder = excluded.folder",
            (
                key, session["session"], session["id"], session["client"], session["pid"],
                session["folder"], at,
            ),
        )  # fmt: skip


def agent_reported(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """What an agent said of itself; facts that it did not name stay, and so do the time and event of its status."""
    key = _key(db, room, data["agent"])
    _set_facts(db, key, data["facts"])
    if "status" in data["facts"]:
        db.execute("UPDATE agents SET status_at = ?, status_seq = ? WHERE key = ?", (at, seq, key))


def agent_returned(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """An act of its own brings a dormant agent back."""
    _stand(db, room, data["agent"], "here", None)


def agent_left(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    _stand(db, room, data["agent"], "left", at)
    _end(db, room, data["agent"], at)


def agent_set_aside(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """Pruned: dormant until it acts again."""
    _stand(db, room, data["agent"], "dormant", None)


def agent_revived(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """It is here again, and so is the session that it had."""
    _stand(db, room, data["agent"], "here", None)
    key = _key(db, room, data["agent"])
    current = "session = (SELECT session FROM agents WHERE key = agent)"
    db.execute(f"UPDATE sessions SET ended_at = NULL WHERE agent = ? AND {current}", (key,))


def agent_retired(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    _stand(db, room, data["agent"], "retired", at)
    _end(db, room, data["agent"], at)


def question_asked(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    db.execute(
        "INSERT INTO questions (id, room, asker, whom, text, message, asked_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (data["id"], room, data["asker"], data["whom"], data["text"], data["message"], at),
    )


def question_closed(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    db.execute("UPDATE questions SET closed_at = ?, closed_by = ? WHERE id = ?", (at, data["by"], data["id"]))


def _insert_agent(db: sqlite3.Connection, key: int, room: int, name: str, at: int) -> None:
    db.execute(
        "INSERT INTO agents (key, room, name, standing, ephemeral, joined_at) VALUES (?, ?, ?, 'here', 0, ?)",
        (key, room, name, at),
    )


def _key(db: sqlite3.Connection, room: int, name: str) -> int | None:
    row = db.execute("SELECT key FROM agents WHERE room = ? AND name = ?", (room, name)).fetchone()
    return row[0] if row else None


def _set_facts(db: sqlite3.Connection, key: int | None, facts: dict[str, Any]) -> None:
    for column, value in facts.items():
        if column in FACTS:
            db.execute(f"UPDATE agents SET {column} = ? WHERE key = ?", (value, key))


def _stand(db: sqlite3.Connection, room: int, name: str, standing: str, left_at: int | None) -> None:
    db.execute(
        "UPDATE agents SET standing = ?, left_at = ? WHERE room = ? AND name = ?",
        (standing, left_at, room, name),
    )


def _end(db: sqlite3.Connection, room: int, name: str, at: int) -> None:
    """Sessions end, and so do places in line, which stand beside the ledger: coming back gives none of them back."""
    key = _key(db, room, name)
    db.execute("UPDATE sessions SET ended_at = ? WHERE agent = ? AND ended_at IS NULL", (at, key))
    db.execute("DELETE FROM waiting WHERE agent = ?", (key,))


FOLDS: dict[str, Fold] = {
    "room.created": room_created,
    "room.moved": room_moved,
    "room.detached": room_detached,
    "room.operated": room_operated,
    "agent.joined": agent_joined,
    "agent.reported": agent_reported,
    "agent.returned": agent_returned,
    "agent.left": agent_left,
    "agent.retired": agent_retired,
    "agent.revived": agent_revived,
    "agent.set_aside": agent_set_aside,
    "question.asked": question_asked,
    "question.closed": question_closed,
}
