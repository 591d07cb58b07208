"""Claiming in turn: standing in line until a resource is free and nobody who came earlier wants it."""

from __future__ import annotations

import time

from relay_tui.base.errors import RelayError
from relay_tui.base.times import SECOND
from relay_tui.room.agents import require_actor
from relay_tui.room.bell import Bell
from relay_tui.room.claims import Claimed, take
from relay_tui.room.held import distinct, family_of
from relay_tui.room.waiting import leave_line, stand_in_line, sweep_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from relay_tui.base.gauges import Measure
    from relay_tui.base.resources import Resource
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room

LOOK_EVERY = 1.0  # seconds at the most between two tries: a holder's or a waiter's death rings no bell


def take_in_turn(
    room: Room, me: Actor, resources: Sequence[Resource], *, note: str | None, gate: Sequence[Measure], patience: int
) -> Claimed:
    """As `take`, after standing in line for at most `patience` microseconds.

    Raises `timeout` with the conflict that was left.
    """
    ends = time.monotonic() + patience / SECOND
    ticket: int | None = None
    with Bell(room.store.home) as bell:
        try:
            while True:
                try:
                    return take(room, me, resources, note=note, gate=gate, ticket=ticket)
                except RelayError as conflict:
                    left = ends - time.monotonic()
                    if conflict.code != "claim_conflict" or room.store.dry_run:
                        raise
                    if left <= 0:
                        raise _timed_out(conflict) from conflict
                if ticket is None:
                    ticket = _stand(room, me, resources)
                bell.wait(min(left, LOOK_EVERY))
        except BaseException:
            if ticket is not None:
                with room.store.writing() as db:
                    leave_line(db, ticket)
            raise


def _stand(room: Room, me: Actor, resources: Sequence[Resource]) -> int:
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        sweep_line(tx.db)
        wanted = [(family_of(room, one.scope), one) for one in distinct(resources)]
        return stand_in_line(tx.db, actor.row.key, wanted, tx.now)


def _timed_out(conflict: RelayError) -> RelayError:
    return RelayError("timeout", f"It was not free in time. {conflict.message}", conflict.hint, conflict.details)
