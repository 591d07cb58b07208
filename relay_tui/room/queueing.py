"""Claiming in turn: standing in line until a resource is free and nobody who came earlier wants it."""

from __future__ import annotations

import time

from relay_tui.base.errors import RelayError
from relay_tui.base.times import SECOND, age
from relay_tui.room.agents import require_actor
from relay_tui.room.bell import LOOK_EVERY, Bell
from relay_tui.room.claims import Claimed, take
from relay_tui.room.held import conflict_error, distinct, family_of, overlapping
from relay_tui.room.lock import A_MOMENT
from relay_tui.room.turns import ahead_error, refuse_circle, whose_turn
from relay_tui.room.waiting import leave_line, stand_in_line, sweep_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from typing import NamedTuple

    from relay_tui.base.gauges import Measure
    from relay_tui.base.resources import Resource
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

_WORTH_WAITING = ("claim_conflict", "gate_refused")


class _Place(NamedTuple):
    ticket: int
    agent: int


def take_in_turn(
    room: Room, me: Actor, resources: Sequence[Resource], *, note: str | None, measure: Callable[[], Sequence[Measure]],
    patience: int,
) -> Claimed:  # fmt: skip
    """As `take`, after standing in line for at most `patience` microseconds; each try measures anew, and a
    closed gate is waited for like a holder. So are other writers, who cost nobody a place in line.

    Raises `timeout` with the conflict that was left.
    """
    ends = time.monotonic() + patience / SECOND

    def try_it(ticket: int | None = None) -> Claimed:
        with _until(ends, room):
            return take(room, me, resources, note=note, gate=measure(), ticket=ticket)

    try:
        return try_it()
    except RelayError as fault:
        conflict = _waitable(room, fault)
    if patience <= 0:
        raise _timed_out(conflict) from conflict
    with _until(ends, room):
        place = _stand(room, me, resources, patience)
    room.tell(f"{conflict.message} Waiting up to {age(0, patience)}.")
    try:
        with Bell(room.store.home) as bell:
            while (left := ends - time.monotonic()) > 0:
                try:
                    obstacle = _obstacle(room, me, resources, place)
                    if obstacle is None:
                        return try_it(place.ticket)
                    conflict = obstacle
                except RelayError as fault:
                    conflict = _waitable(room, fault)
                bell.wait(min(left, LOOK_EVERY))  # a holder's or a waiter's death rings no bell
        raise _timed_out(conflict) from conflict
    except BaseException:
        _leave(room, place)
        raise


def _until(ends: float, room: Room) -> AbstractContextManager[None]:
    """Writes wait for others until then."""
    return room.store.waiting(max(ends - time.monotonic(), A_MOMENT))


def _waitable(room: Room, fault: RelayError) -> RelayError:
    if fault.code not in _WORTH_WAITING or room.store.dry_run:
        raise fault
    return fault


def _stand(room: Room, me: Actor, resources: Sequence[Resource], patience: int) -> _Place:
    with room.writing(me) as tx:
        agent = require_actor(tx, room).row.key
        sweep_line(tx.db, tx.now)
        refuse_circle(tx.db, room, resources, agent, tx.now)
        return _Place(stand_in_line(tx.db, agent, _with_families(room, resources), tx.now, patience), agent)


def _leave(room: Room, place: _Place) -> None:
    """Tried once: where it fails, the place is passed over when its time is over, or its process."""
    try:
        with room.store.beside() as db:
            leave_line(db, place.ticket, place.agent)
    except RelayError:
        pass


def _obstacle(room: Room, me: Actor, resources: Sequence[Resource], place: _Place) -> RelayError | None:
    """What a try would be refused with now. Looked up by reading alone: a try that writes would ring the very bell
    that this waits for."""
    with room.reading() as db:
        now = room.clock()
        if held := overlapping(db, room, resources, now, not_of=place.agent):
            return conflict_error(room, held, me.name, now)
        ahead = whose_turn(db, room, resources, place.agent, place.ticket, now)
        return ahead_error(room, ahead) if ahead else None


def _with_families(room: Room, resources: Sequence[Resource]) -> list[tuple[int, Resource]]:
    return [(family_of(room, one.scope), one) for one in distinct(resources)]


def _timed_out(conflict: RelayError) -> RelayError:
    advice, _, rest = conflict.hint.partition(". ")
    hint = f"Wait longer, or try again later. {rest}".rstrip() if "--wait" in advice else conflict.hint
    return RelayError("timeout", f"It was not free in time. {conflict.message}", hint, conflict.details)
