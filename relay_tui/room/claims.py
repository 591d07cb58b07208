"""Claims: who says that they hold a path, a branch or a part of the machine (DESIGN §6.3).

A claim is cooperative and never expires. Paths and branches belong to the repository, so all its worktrees
and rooms share one key; machine claims belong to the home. Reads stand in `held`.
"""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import Resource, ancestors
from relay_tui.base.text import first_of
from relay_tui.room.agents import require_actor
from relay_tui.room.handoff_rules import refuse_within_offered
from relay_tui.room.held import (
    Claim,
    HeldClaim,
    claims_of,
    conflict_error,
    describe,
    distinct,
    exactly_held,
    family_of,
    name_claim,
    name_holder,
    overlapping,
    shown_resource,
)
from relay_tui.room.permissions import require_allowed
from relay_tui.room.turns import ahead_error, whose_turn
from relay_tui.room.waiting import leave_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from typing import Any, NamedTuple

    from relay_tui.base.gauges import Measure
    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


_NAMED = 5  # claims in a doubt


class Claimed(NamedTuple):
    """What is held now, and what was before; `doubts` say what became of a note on that."""

    claimed: list[Claim]
    already: list[Claim]
    doubts: tuple[str, ...] = ()


class Released(NamedTuple):
    """As seen from `room`."""

    released: list[Claim]
    forced: bool
    room: str


def take(
    room: Room,
    me: Actor,
    resources: Sequence[Resource],
    *,
    note: str | None = None,
    planned: bool = False,
    gate: Sequence[Measure] = (),
    ticket: int | None = None,
) -> Claimed:
    """Claim all of the resources or none. Raises `claim_conflict` with whoever holds what overlaps.

    `gate` is what was measured before, and is recorded; `ticket` is a place in the line that is given up by
    this. Nobody overtakes those that wait.
    """
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        wanted = distinct(resources)
        found = overlapping(tx.db, room, wanted, tx.now)
        conflicts = [one for one in found if one.agent != actor.row.key]
        if conflicts:
            raise conflict_error(room, conflicts, me.name, tx.now)
        before = {(one.claim.scope, one.lookup) for one in found}
        new = [one for one in wanted if (one.scope, one.lookup) not in before]
        _refuse_overtaking(tx, room, [one for one in new if not _is_inside(one, before)], actor.row.key, ticket)
        if new:
            refuse_within_offered(tx, room, new, actor.row.key)
            tx.append("claim.taken", {
                "holder": me.name, "note": note, "claims": [_named(room, one, planned) for one in new],
                "gate": [one._asdict() for one in gate],
            })  # fmt: skip
        if ticket is not None:
            leave_line(tx.db, ticket, actor.row.key)
        after = {(one.claim.scope, one.lookup): one.claim for one in exactly_held(tx.db, room, wanted, tx.now)}
        already = [after[one.scope, one.lookup] for one in wanted if (one.scope, one.lookup) in before]
        return Claimed([after[one.scope, one.lookup] for one in new], already, _doubts(already, note))


def _doubts(already: Sequence[Claim], note: str | None) -> tuple[str, ...]:
    kept = [shown_resource(one) for one in already if note not in (None, one.note)]
    return (f"What you held before keeps its note: {first_of(kept, _NAMED)}.",) if kept else ()


def give_back(room: Room, me: Actor, resources: Sequence[Resource], reason: str | None = None) -> Released:
    """Release own claims, all or none. Raises `unknown_claim` and `not_yours`."""
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        held = exactly_held(tx.db, room, resources, tx.now)
        for one in held:
            if one.agent != actor.row.key:
                raise RelayError(
                    "not_yours",
                    f"{describe(one.claim, tx.now, room.row.name)}.",
                    "Ask for it, or the operator may add --force --reason TEXT.",
                    {"claim": one.claim},
                )
        refuse_offered(held)
        release_claims(tx, held, forced=False, reason=reason)
        return _released(room, held, forced=False)


def give_back_all(room: Room, me: Actor, scope: str | None = None, reason: str | None = None) -> Released:
    """Release everything that `me` holds, in one scope or in all."""
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        held = [one for one in claims_of(tx.db, room, actor.row.key, tx.now) if scope in (None, one.claim.scope)]
        refuse_offered(held)
        release_claims(tx, held, forced=False, reason=reason)
        return _released(room, held, forced=False)


def force_release(room: Room, me: Actor, resources: Sequence[Resource], reason: str) -> Released:
    """The operator frees what somebody else holds; each displaced holder gets a message.

    Raises `not_operator` for anybody else.
    """
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        require_allowed(me, "release --force", room.row.operator)
        held = exactly_held(tx.db, room, resources, tx.now)
        _cancel_offers(tx, room, held)
        release_claims(tx, held, forced=True, reason=reason)
        for one in held:
            if one.agent != actor.row.key:
                _tell_displaced(tx, room, one, reason)
        return _released(room, held, forced=True)


def _released(room: Room, held: Sequence[HeldClaim], *, forced: bool) -> Released:
    return Released([one.claim for one in held], forced, room.row.name)


def _is_inside(one: Resource, held: Container[tuple[str, str]]) -> bool:
    """Whether it lies in a folder that is held, so that nobody gets it by waiting while that is so."""
    return one.scope == "project" and any((one.scope, above) in held for above in ancestors(one.lookup))


def _named(room: Room, one: Resource, planned: bool) -> dict[str, Any]:
    return {
        "scope": one.scope, "family": family_of(room, one.scope), "lookup": one.lookup,
        "resource": one.resource, "planned": planned,
    }  # fmt: skip


def release_claims(tx: Transaction, held: Sequence[HeldClaim], *, forced: bool, reason: str | None) -> None:
    """Record in an open transaction that these claims are free; nothing for none."""
    if held:
        claims = [{**name_claim(one), **name_holder(tx, one)} for one in held]
        tx.append("claim.released", {"by": tx.me.name, "claims": claims, "forced": forced, "reason": reason})


def refuse_offered(held: Sequence[HeldClaim]) -> None:
    """Raises `refused` for a claim that waits in a handover, with the way out."""
    for one in held:
        if one.claim.handoff is not None:
            raise RelayError(
                "refused",
                f"{shown_resource(one.claim)} is offered in {one.claim.handoff}, which waits for an answer.",
                f"Run: relay handoff cancel {one.claim.handoff}",
            )


def _cancel_offers(tx: Transaction, room: Room, held: Sequence[HeldClaim]) -> None:
    from relay_tui.room.handoffs import cancel_for_release

    for handoff in dict.fromkeys(one.claim.handoff for one in held):
        if handoff is not None:
            cancel_for_release(tx, room, handoff, [one.claim for one in held if one.claim.handoff == handoff])


def _refuse_overtaking(tx: Transaction, room: Room, wanted: Sequence[Resource], agent: int, ticket: int | None) -> None:
    """First come, first served: what is free but waited for goes to whoever waits longest."""
    ahead = whose_turn(tx.db, room, wanted, agent, ticket, tx.now)
    if ahead is not None:
        raise ahead_error(room, ahead)


def _tell_displaced(tx: Transaction, room: Room, held: HeldClaim, reason: str) -> None:
    from relay_tui.room.persons import Person
    from relay_tui.room.telling import tell

    by = Person(room.row.name, tx.me.name).seen_from(held.claim.room)
    offer = f" Your offer {held.claim.handoff} is over." if held.claim.handoff else ""
    tell(tx, room, held.agent, f"{by} released {shown_resource(held.claim)}, which you held.{offer} Reason: {reason}")
