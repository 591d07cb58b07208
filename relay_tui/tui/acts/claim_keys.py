"""What the keys can do about a claim or a handover, by who looks at it. Pure functions of the row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relay_tui.base.errors import RelayError
from relay_tui.room.handoffs import Handoff
from relay_tui.room.persons import Person, whom_to_write
from relay_tui.tui.rows_of.handoffs import spelled

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.held import Claim
    from relay_tui.tui.desk import Desk
else:
    from relay_tui.base.record import NamedTuple


class Looker(NamedTuple):
    """Who looks, and who runs the room that they look from."""

    person: Person
    operator: str

    @property
    def is_operator(self) -> bool:
        return self.person.name == self.operator

    def holds(self, claim: Claim) -> bool:
        return claim.person == self.person

    def refuse_own(self, claim: Claim) -> None:
        """Raises `refused` for a claim of one's own."""
        if self.holds(claim):
            raise RelayError("refused", "This claim is yours.", "x releases it.")

    def refuse_others(self, claim: Claim) -> None:
        """Raises `refused` for what somebody else holds, with what can be done about it."""
        if not self.holds(claim):
            hint = "t asks for it, X releases it by force." if self.is_operator else "t asks for it."
            raise RelayError("refused", f"{claim.person.seen_from(self.person.room)} holds {spelled(claim)}.", hint)


def looker_at(desk: Desk) -> Looker:
    return Looker(desk.person, desk.room.row.operator)


def what_keys_do(thing: Claim | Handoff, offer: Handoff | None, looker: Looker) -> dict[str, str]:
    """Words by the ids of the keys, the most useful first; `offer` is the handover that the row belongs to."""
    does = _about_offer(offer, looker) if offer is not None and offer.state == "waiting" else {}
    who = whom_to_write(people_of(thing), looker.person)
    if isinstance(thing, Handoff):
        return does | ({"act.message": f"message {who}"} if who else {})
    does |= _about_claim(thing, looker, is_offered="act.release" in does)
    return does | ({"act.message": "message"} if who else {})


def people_of(thing: Claim | Handoff) -> list[Person]:
    """Whom to write to about it: the holder; of a handover whoever has to answer, else whoever offers."""
    return [thing.recipient, thing.giver] if isinstance(thing, Handoff) else [thing.person]


def _about_offer(offer: Handoff, looker: Looker) -> dict[str, str]:
    does = {"act.accept": "accept", "act.decline": "decline"} if offer.recipient == looker.person else {}
    is_its = offer.giver == looker.person or looker.is_operator
    return does | ({"act.release": "take it back"} if is_its else {})


def _about_claim(claim: Claim, looker: Looker, is_offered: bool) -> dict[str, str]:
    if looker.holds(claim):
        return {} if is_offered else {"act.release": "release", "act.transfer": "hand over"}
    return {"act.transfer": "ask for it"} | ({"act.force": "force"} if looker.is_operator else {})
