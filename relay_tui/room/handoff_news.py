"""What each side of a handover is told when something becomes of it: one message to one agent each.

Nothing is decided here; the acts stand in `handoffs` and `claims`.
"""

from __future__ import annotations

from relay_tui.base.resources import spell
from relay_tui.base.text import clip, first_of
from relay_tui.room.held import SHOWN
from relay_tui.room.telling import because, tell

TYPE_CHECKING = False
_NAMED = 50  # things in a message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from relay_tui.room.handoffs import Handoff, HandoffResource, Parties
    from relay_tui.room.held import Claim
    from relay_tui.room.ledger import Transaction
    from relay_tui.room.rooms import Room


def names_of(things: Iterable[Claim | HandoffResource]) -> str:
    return first_of([clip(spell(one.scope, one.resource), SHOWN) for one in things], _NAMED)


def tell_offered(tx: Transaction, room: Room, recipient: int, offer: Handoff, held: Sequence[Claim]) -> None:
    body = f"{offer.from_} offers you {names_of(held)}.{because(offer.reason)}"
    tell(tx, room, recipient, f"{body}\nrelay handoff respond {offer.id} --accept --as {offer.to}")


def tell_answered(tx: Transaction, room: Room, giver: int, answered: Handoff, reason: str | None) -> None:
    taken = [one for one in answered.resources if one.accepted]
    kept = [one for one in answered.resources if not one.accepted]
    stays = f" {names_of(kept)} {'stays' if len(kept) == 1 else 'stay'} yours." if kept else ""
    took = names_of(taken) or "nothing"
    tell(tx, room, giver, f"{answered.to} answered {answered.id}: took {took}.{stays}{because(reason)}")


def tell_cancelled(tx: Transaction, room: Room, parties: Parties, offer: Handoff, by: str) -> None:
    """The recipient, and the giver too where somebody else took the offer back."""
    tell(tx, room, parties.recipient, f"{by} took {offer.id} back; nothing moved.")
    if (parties.giver_name, parties.giver_room) != (by, tx.room):
        offered = f"in which you offered {names_of(offer.resources)} to {offer.to}"
        tell(tx, room, parties.giver, f"{by} took {offer.id} back, {offered}; nothing moved.")


def tell_freed(tx: Transaction, room: Room, parties: Parties, offer: Handoff, freed: Sequence[Claim], by: str) -> None:
    """The recipient of an offer that is over because part of it was released by force."""
    gone = {(one.scope, one.resource) for one in freed}
    rest = [one for one in offer.resources if (one.scope, one.resource) not in gone]
    it_is = "it is" if len(freed) == 1 else "they are"
    stays = f" {names_of(rest)} {'stays' if len(rest) == 1 else 'stay'} with {offer.from_}." if rest else ""
    offered = f"which {offer.from_} offered you in {offer.id}"
    tell(tx, room, parties.recipient, f"{by} released {names_of(freed)}, {offered}; {it_is} free now.{stays}")
