"""What each side of a handover is told when something becomes of it: one message to one agent each.

Nothing is decided here; the acts stand in `handoffs` and `claims`.
"""

from __future__ import annotations

from relay_tui.base.text import first_of
from relay_tui.room.held import shown_resource
from relay_tui.room.persons import Person
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
    return first_of([shown_resource(one) for one in things], _NAMED)


def tell_offered(tx: Transaction, room: Room, recipient: int, offer: Handoff, held: Sequence[Claim]) -> None:
    body = f"{offer.giver.seen_from(offer.to_room)} offers you {names_of(held)}.{because(offer.reason)}"
    tell(tx, room, recipient, f"{body}\nrelay handoff respond {offer.id} --accept --as {offer.to}")


def tell_answered(tx: Transaction, room: Room, giver: int, answered: Handoff, reason: str | None) -> None:
    taken = [one for one in answered.resources if one.accepted]
    kept = [one for one in answered.resources if not one.accepted]
    stays = f" {names_of(kept)} {'stays' if len(kept) == 1 else 'stay'} yours." if kept else ""
    took, who = names_of(taken) or "nothing", answered.recipient.seen_from(answered.from_room)
    tell(tx, room, giver, f"{who} answered {answered.id}: took {took}.{stays}{because(reason)}")


def tell_cancelled(tx: Transaction, room: Room, parties: Parties, offer: Handoff) -> None:
    """The recipient, and the giver too where somebody else took the offer back."""
    by, there = Person(room.row.name, tx.me.name), offer.from_room
    tell(tx, room, parties.recipient, f"{by.seen_from(offer.to_room)} took {offer.id} back; nothing moved.")
    if offer.giver != by:
        offered = f"in which you offered {names_of(offer.resources)} to {offer.recipient.seen_from(there)}"
        tell(tx, room, parties.giver, f"{by.seen_from(there)} took {offer.id} back, {offered}; nothing moved.")


def tell_freed(tx: Transaction, room: Room, recipient: int, offer: Handoff, freed: Sequence[Claim]) -> None:
    """The recipient of an offer that is over because part of it was released by force."""
    gone = {(one.scope, one.resource) for one in freed}
    rest = [one for one in offer.resources if (one.scope, one.resource) not in gone]
    it_is = "it is" if len(freed) == 1 else "they are"
    giver, by = (one.seen_from(offer.to_room) for one in (offer.giver, Person(room.row.name, tx.me.name)))
    stays = f" {names_of(rest)} {'stays' if len(rest) == 1 else 'stay'} with {giver}." if rest else ""
    offered = f"which {giver} offered you in {offer.id}"
    tell(tx, room, recipient, f"{by} released {names_of(freed)}, {offered}; {it_is} free now.{stays}")
