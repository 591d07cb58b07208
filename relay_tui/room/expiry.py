"""Expiry without a daemon: due deliveries are recorded as expired by the next writer (DESIGN §6.2)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.ledger import Transaction

BATCH = 100  # deliveries a transaction, so that no writer pays for a whole backlog

_DUE = """
SELECT m.id, a.name FROM messages AS m INDEXED BY messages_unsettled
JOIN deliveries AS d ON d.message = m.seq
JOIN agents AS a ON a.key = d.agent
WHERE m.room = ? AND m.expires_at <= ? AND m.unsettled > 0
  AND d.handled_at IS NULL AND d.expired_at IS NULL
LIMIT ?
"""


def expire_due(tx: Transaction) -> None:
    """Record what came due in this room, at most `BATCH` deliveries, with relay as the actor."""
    due = tx.db.execute(_DUE, (tx.room, tx.now, BATCH)).fetchall()
    if due:
        deliveries = [[message, agent] for message, agent in due]
        tx.append("message.expired", {"deliveries": deliveries, "reason": "not handled in time"}, actor="relay")
