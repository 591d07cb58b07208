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

# What is due counts as expired before it is recorded.
_EXPIRED = """
SELECT (SELECT count(*) FROM deliveries INDEXED BY deliveries_open
  WHERE agent = ?1 AND handled_at IS NULL AND expired_at IS NULL AND expires_at <= ?2)
+ (SELECT count(*) FROM deliveries INDEXED BY deliveries_settled
  WHERE agent = ?1 AND (handled_at IS NOT NULL OR expired_at IS NOT NULL) AND handled_at IS NULL)
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
    counts = dict.fromkeys((*STATES, "expired"), Waiting(0, 0))
    with room.reading() as db:
        for known in read_agents(db, room.row.key, now, room.settings):
            (expired,) = db.execute(_EXPIRED, (known.row.key, now)).fetchone()
            for kind, deliveries in ((known.state, count_unhandled(db, known.row.key, now)), ("expired", expired)):
                before = counts[kind]
                counts[kind] = Waiting(before.deliveries + deliveries, before.agents + (deliveries > 0))
    return Pending(by, **counts)
