"""What the keys can do about a claim or a handover, by who looks at it. Pure functions of the row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relay_tui.base.errors import RelayError
from relay_tui.room.handoffs import Handoff
from relay_tui.room.held import is_held_by, shown_holder
from relay_tui.tui.rows_of.handoffs import spelled

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.held import Claim
    from relay_tui.tui.desk import Desk
else:
    from relay_tui.base.record import NamedTuple


class Looker(NamedTuple):
    """Who looks, in which room, and who runs that."""

    name: str
    operator: str
    room: str

    def holds(self, claim: Claim) -> bool:
        return is_held_by(claim, self.name, self.room)

    def refuse_own(self, claim: Claim) -> None:
        """Raises `refused` for a claim of one's own."""
        if self.holds(claim):
            raise RelayError("refused", "This claim is yours.", "x releases it.")

    def refuse_others(self, claim: Claim) -> None:
        """Raises `refused` for what somebody else holds, with what can be done about it."""
        if not self.holds(claim):
            hint = "t asks for it, X releases it by force." if self.name == self.operator else "t asks for it."
            raise RelayError("refused", f"{shown_holder(claim, self.room)} holds {spelled(claim)}.", hint)


def looker_at(desk: Desk) -> Looker:
    row = desk.room.row
    return Looker(desk.me.name, row.operator, row.name)


def what_keys_do(thing: Claim | Handoff, offer: Handoff | None, looker: Looker) -> dict[str, str]:
    """Words by the ids of the keys, the most useful first; `offer` is the handover that the row belongs to."""
    does = _about_offer(offer, looker) if offer is not None and offer.state == "waiting" else {}
    if isinstance(thing, Handoff):
        return does | {"act.message": f"message {other_party(thing, looker.name)}"}
    does |= _about_claim(thing, looker, is_offered="act.release" in does)
    can_write = thing.room == looker.room and not looker.holds(thing)  # mail stays in its room
    return does | ({"act.message": "message"} if can_write else {})


def other_party(handoff: Handoff, me: str) -> str:
    """Whom to write to about it: whoever offers to oneself, else whoever has to answer."""
    return handoff.from_ if handoff.to == me else handoff.to


def _about_offer(offer: Handoff, looker: Looker) -> dict[str, str]:
    does = {"act.accept": "accept", "act.decline": "decline"} if offer.to == looker.name else {}
    return does | ({"act.release": "take it back"} if looker.name in (offer.from_, looker.operator) else {})


def _about_claim(claim: Claim, looker: Looker, is_offered: bool) -> dict[str, str]:
    if looker.holds(claim):
        return {} if is_offered else {"act.release": "release", "act.transfer": "hand over"}
    return {"act.transfer": "ask for it"} | ({"act.force": "force"} if looker.name == looker.operator else {})
