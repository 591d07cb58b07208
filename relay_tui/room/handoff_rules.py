"""What may be offered and what may move in a handover, and who may not go while one waits (DESIGN §6.3).

Each raises where it may not be, with the way out. The acts themselves stand in `handoffs`.
"""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import Resource
from relay_tui.room.held import HeldClaim, describe, overlapping, shown_resource
from relay_tui.room.where import word_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from relay_tui.room.agents import KnownAgent
    from relay_tui.room.ledger import Transaction
    from relay_tui.room.rooms import Room


def check_offerable(room: Room, one: HeldClaim, giver: KnownAgent) -> None:
    """Raises `not_yours`, and `held` for what is offered already."""
    if one.agent != giver.row.key:
        raise RelayError(
            "not_yours",
            f"{shown_resource(one.claim)} is held by {one.claim.person.seen_from(room.row.name)}.",
            f"Run: relay handoff ask {word_here(room, one.claim.scope, one.claim.resource)} --as {giver.row.name}",
        )
    if one.claim.handoff is not None:
        raise RelayError(
            "held",
            f"{shown_resource(one.claim)} is offered already in {one.claim.handoff}.",
            f"Run: relay handoff cancel {one.claim.handoff}",
        )


def refuse_split(tx: Transaction, room: Room, moving: Sequence[Resource], handoff: str | None = None) -> None:
    """Raises `claim_conflict` where something above or below stays: two agents would hold one thing.

    `handoff` is the offer that is being answered.
    """
    keys = {(one.scope, one.lookup) for one in moving}
    left = [one for one in overlapping(tx.db, room, moving, tx.now) if (one.claim.scope, one.lookup) not in keys]
    if left:
        staying = left[0].claim
        holder = staying.person.seen_from(room.row.name)
        if handoff is None:
            way_out = f"Hand over both, or let {holder} release one of them first."
        elif staying.handoff == handoff:
            word = word_here(room, staying.scope, staying.resource)
            way_out = f"Add --resource {word}, which is offered with it, or decline."
        else:
            way_out = f"Let {holder} release it first, or decline."
        raise RelayError(
            "claim_conflict",
            f"{describe(staying, tx.now, room.row.name)}, and it overlaps what would move.",
            way_out,
            {"conflicts": [one.claim for one in left]},
        )


def refuse_within_offered(tx: Transaction, room: Room, wanted: Sequence[Resource], agent: int) -> None:
    """Raises `refused` for a claim above or below what its own holder offers: the offer could not be accepted."""
    for one in overlapping(tx.db, room, wanted, tx.now):
        if one.agent == agent and one.claim.handoff is not None:
            raise RelayError(
                "refused",
                f"It overlaps {shown_resource(one.claim)}, which you offer in {one.claim.handoff}.",
                f"Wait for the answer, or run: relay handoff cancel {one.claim.handoff}",
            )


def refuse_while_waiting(db: sqlite3.Connection, agent: int, name: str, by: str) -> None:
    """Raises `refused` for an agent, by its key, that gave or got an offer which waits.

    Only the recipient itself can decline; for the giver and the operator the way out is to cancel.
    """
    row = db.execute(
        "SELECT id, giver FROM handoffs WHERE state = 'waiting' AND (giver = ? OR recipient = ?) ORDER BY id LIMIT 1",
        (agent, agent),
    ).fetchone()
    if row is not None:
        declines = row[1] != agent and by == name
        way_out = f"respond {row[0]} --decline" if declines else f"cancel {row[0]}"
        raise RelayError(
            "refused", f"{row[0]} waits for an answer, and {name} is part of it.", f"Run: relay handoff {way_out}"
        )
