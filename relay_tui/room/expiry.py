"""What comes due without a daemon, recorded by the next writer: expiry, and ephemeral agents that ended.

Both with relay as the actor (DESIGN §6.1, §6.2).
"""

from __future__ import annotations

from relay_tui.base.processes import ProcessIdentity, is_running
from relay_tui.room.mail import NOT_IN_TIME

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
        tx.append("message.expired", {"deliveries": deliveries, "reason": NOT_IN_TIME}, actor="relay")


def leave_ended(tx: Transaction) -> None:
    """Ephemeral agents whose process is gone and that hold nothing have left; recorded by the next writer."""
    rows = tx.db.execute(
        "SELECT a.name, a.pid, a.process_start, a.boot FROM agents AS a INDEXED BY agents_ephemeral"
        " WHERE a.room = ? AND a.ephemeral = 1 AND a.standing = 'here' AND a.pid IS NOT NULL AND a.name <> ?"
        " AND NOT EXISTS (SELECT 1 FROM claims AS c WHERE c.agent = a.key)",
        (tx.room, tx.me.name),
    ).fetchall()
    for name, *identity in rows:
        if not is_running(ProcessIdentity(*identity)):
            tx.append("agent.left", {"agent": name, "reason": "its process ended"}, actor="relay")
