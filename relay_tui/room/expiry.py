"""What comes due without a daemon, recorded by a later writer: expiry, and ephemeral agents that ended.

Both with relay as the actor (DESIGN §6.1, §6.2).
"""

from __future__ import annotations

from relay_tui.base.processes import ProcessIdentity, is_running
from relay_tui.base.times import DAY
from relay_tui.room.ledger import RELAY
from relay_tui.room.mail import NOT_IN_TIME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.ledger import Transaction

BATCH = 100  # deliveries a transaction, so that no writer pays for a whole backlog
DOUBT = DAY  # how long a clock that is ahead goes unbelieved, because what is recorded stays so

_FIRST_DUE = """
SELECT expires_at FROM messages INDEXED BY messages_unsettled
WHERE room = ? AND expires_at <= ? AND unsettled > 0 ORDER BY expires_at LIMIT 1
"""
# Looked for 1, 2, 4, 8, … events back, so that it costs the same however many were written since.
_CONFIRMED = """
SELECT max(e.at) FROM json_each('[1,2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384,32768,65536,131072]') AS r
CROSS JOIN events AS e ON e.room = ?1 AND e.number = (SELECT max(number) FROM events WHERE room = ?1) - r.value
WHERE e.at <= ?2
"""
_DUE = """
SELECT m.id, a.name FROM messages AS m INDEXED BY messages_unsettled
JOIN deliveries AS d ON d.message = m.seq
JOIN agents AS a ON a.key = d.agent
WHERE m.room = ? AND m.expires_at <= ? AND m.unsettled > 0
  AND d.handled_at IS NULL AND d.expired_at IS NULL
LIMIT ?
"""


def expire_due(tx: Transaction) -> None:
    """Record what came due in this room, at most `BATCH` deliveries, with relay as the actor.

    For readers it has expired since then. It is recorded once an event of `DOUBT` ago or more found it due too:
    a clock that is ahead for less than that costs nobody mail.
    """
    believed = tx.now - DOUBT
    first = tx.db.execute(_FIRST_DUE, (tx.room, believed)).fetchone()
    if first is None:
        return
    (confirmed,) = tx.db.execute(_CONFIRMED, (tx.room, believed)).fetchone()
    if confirmed is None or confirmed < first[0]:
        return
    due = tx.db.execute(_DUE, (tx.room, confirmed, BATCH)).fetchall()
    deliveries = [[message, agent] for message, agent in due]
    tx.append("message.expired", {"deliveries": deliveries, "reason": NOT_IN_TIME}, actor=RELAY)


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
            tx.append("agent.left", {"agent": name, "reason": "its process ended"}, actor=RELAY)
