"""How many deliveries are open, by the state of those they are for."""

from __future__ import annotations

from relay_tui.room.agents import read_agents
from relay_tui.room.mail import count_unhandled
from relay_tui.room.presence import STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

# What is due counts as expired before the next writer records it.
_EXPIRED = """
SELECT count(*), count(DISTINCT d.agent) FROM deliveries AS d JOIN agents AS a ON a.key = d.agent
WHERE a.room = ? AND d.handled_at IS NULL AND (d.expired_at IS NOT NULL OR d.expires_at <= ?)
"""


class Waiting(NamedTuple):
    """Open deliveries, and the agents that they are for."""

    deliveries: int
    agents: int


class Pending(NamedTuple):
    by: str
    live: Waiting
    quiet: Waiting
    dormant: Waiting
    left: Waiting
    retired: Waiting
    expired: Waiting


def count_pending(room: Room, by: str) -> Pending:
    """Open deliveries by the recipient's state; those that expired unhandled stand apart."""
    now = room.clock()
    counts = dict.fromkeys(STATES, Waiting(0, 0))
    with room.reading() as db:
        for known in read_agents(db, room.row.key, now, room.settings):
            unhandled = count_unhandled(db, known.row.key, now)
            if unhandled:
                before = counts[known.state]
                counts[known.state] = Waiting(before.deliveries + unhandled, before.agents + 1)
        expired = Waiting(*db.execute(_EXPIRED, (room.row.key, now)).fetchone())
    return Pending(by, **counts, expired=expired)
