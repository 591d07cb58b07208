"""Telling an agent's runner of its mail: each delivery once, recorded before it is told (DESIGN §6.2, notified).

A notice names a message and never carries its body, so nothing is delivered by it.
"""

from __future__ import annotations

from relay_tui.room.agents import require_reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import NamedTuple

    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

MOST = 100  # deliveries told at once


class Untold(NamedTuple):
    """A message that its recipient's runner was not told of; `asks` says that its sender waits for an answer."""

    id: str
    from_: str
    summary: str
    sent_at: int
    asks: bool


_ASKS = """EXISTS (SELECT 1 FROM questions AS q INDEXED BY questions_open
WHERE q.room = m.room AND q.asker = m.sender AND q.message = m.id AND q.closed_at IS NULL)"""
_UNTOLD = """
FROM deliveries AS d INDEXED BY deliveries_open JOIN messages AS m ON m.seq = d.message
WHERE d.agent = ? AND d.handled_at IS NULL AND d.expired_at IS NULL AND d.expires_at > ?
  AND d.notified_at IS NULL AND d.delivered_at IS NULL
"""
_OLDEST = f"""
SELECT m.id, m.sender, m.summary, m.sent_at, {_ASKS} {_UNTOLD} AND (NOT ? OR {_ASKS}) ORDER BY d.message LIMIT ?
"""


def count_untold(db: sqlite3.Connection, agent: int, now: int) -> tuple[int, int, str | None]:
    """How many open messages were neither told nor fetched, with the seq and the id of the last of them."""
    row = db.execute(f"SELECT count(*), coalesce(max(m.seq), 0), m.id {_UNTOLD}", (agent, now)).fetchone()
    return tuple(row)


def read_untold(db: sqlite3.Connection, agent: int, now: int, *, asking: bool = False) -> list[Untold]:
    """Open messages that were neither told nor fetched, oldest first, at most `MOST`; with `asking` questions only."""
    rows = db.execute(_OLDEST, (agent, now, asking, MOST))
    return [Untold(message, sender, said, sent_at, bool(asks)) for message, sender, said, sent_at, asks in rows]


def take_untold(room: Room, me: Actor, by: str, *, asking: bool = False) -> list[Untold]:
    """What `by` is about to tell the runner of `me`, recorded as notified; with `asking` questions only.

    Two callers at once never tell the same. That somebody watches for an agent is no sign of the agent. Nobody is kept
    waiting where there is nothing to tell: it is looked at before the writers' lock is taken.
    """
    with room.reading() as db:
        if not _find(db, room, me, room.clock(), asking):
            return []
    with room.writing(me) as tx:
        found = _find(tx.db, room, me, tx.now, asking)
        if found:
            tx.append("message.notified", {"agent": me.name, "messages": [one.id for one in found], "by": by})
        return found


def _find(db: sqlite3.Connection, room: Room, me: Actor, now: int, asking: bool) -> list[Untold]:
    agent = require_reader(db, room, me.name, now)
    return read_untold(db, agent.row.key, now, asking=asking)
