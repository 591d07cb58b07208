"""What the keys can do about a claim or a handover, by who looks at it. Pure functions of the row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relay_tui.room.handoffs import Handoff

if TYPE_CHECKING:
    from relay_tui.room.held import Claim


def what_keys_do(thing: Claim | Handoff, offer: Handoff | None, me: str, operator: str) -> dict[str, str]:
    """Words by the ids of the keys, the most useful first; `offer` is the handover that the row belongs to."""
    does = _about_offer(offer, me, operator) if offer is not None and offer.state == "waiting" else {}
    if isinstance(thing, Handoff):
        return does | {"act.message": f"message {other_party(thing, me)}"}
    does |= _about_claim(thing, me, operator, is_offered="act.release" in does)
    return does | ({"act.message": "message"} if thing.holder != me else {})


def other_party(handoff: Handoff, me: str) -> str:
    """Whom to write to about it: the recipient of one's own, else whoever offers."""
    return handoff.to if handoff.from_ == me else handoff.from_


def _about_offer(offer: Handoff, me: str, operator: str) -> dict[str, str]:
    does = {"act.accept": "accept", "act.decline": "decline"} if offer.to == me else {}
    return does | ({"act.release": "take it back"} if me in (offer.from_, operator) else {})


def _about_claim(claim: Claim, me: str, operator: str, is_offered: bool) -> dict[str, str]:
    if claim.holder == me:
        return {} if is_offered else {"act.release": "release", "act.transfer": "hand over"}
    return {"act.transfer": "ask for it"} | ({"act.force": "force"} if me == operator else {})
