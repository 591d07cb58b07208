"""What a person can do about handovers, the same on every screen that shows them. Acts go on as calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from relay_tui.base.errors import RelayError
from relay_tui.room.persons import whom_to_write
from relay_tui.tui.acts.claim_keys import looker_at, people_of
from relay_tui.tui.rows_of.handoffs import spelled

if TYPE_CHECKING:
    from relay_tui.room.handoffs import Handoff, HandoffResource
    from relay_tui.room.held import Claim
    from relay_tui.room.persons import Person
    from relay_tui.tui.app import RelayApp
    from relay_tui.tui.dialogs.form import Value


class HandoffActs:
    """Each raises `refused` where it cannot be done, and says what can."""

    def __init__(self, relay: RelayApp) -> None:
        self._relay = relay
        self._desk = relay.desk
        self._looker = looker_at(relay.desk)
        self._me = self._looker.person

    # What was offered

    def accept(self, offer: Handoff) -> None:
        """Take what is offered; of several resources the person picks those to take."""
        self._check_asked(offer)
        if len(offer.resources) == 1:
            return self._accept(offer, [])
        from relay_tui.tui.dialogs.checklist import Checklist

        def picked(resources: list[str] | None) -> None:
            if resources is not None:
                self._relay.acts.try_to(lambda: self._accept(offer, resources))

        words = dict(zip(self._typed(offer.resources), map(spelled, offer.resources), strict=True))
        title = f"Take what {self._named(offer.giver)} offers you"
        self._relay.push_screen(Checklist(title, words, "take", self._relay.glyphs), picked)
        return None

    def _accept(self, offer: Handoff, resources: list[str]) -> None:
        call = self._desk.compose("handoff respond", id=offer.id, accept=True, resource=resources)
        self._relay.acts.act(call)

    def decline(self, offer: Handoff) -> None:
        """Leave it with its holder, who may be told why."""
        self._check_asked(offer)
        values: dict[str, Value] = {"id": offer.id, "decline": True}
        title = f"Decline what {self._named(offer.giver)} offers"
        self._relay.acts.start("handoff respond", values, ("reason",), title)

    def cancel(self, offer: Handoff) -> None:
        """Take an offer back; somebody else's is asked about, since only they can offer it again."""
        _check_waiting(offer)
        told = []
        if offer.giver != self._me:
            giver, to = self._named(offer.giver), self._named(offer.recipient)
            if not self._looker.is_operator:
                raise RelayError("refused", f"{giver} offers this.", "Only they take it back; m asks for that.")
            told = [f"{giver} offers this, and only {giver} can offer it again. {to} is told."]
        self._relay.acts.act(self._desk.compose("handoff cancel", id=offer.id), told=told)

    def _check_asked(self, offer: Handoff) -> None:
        _check_waiting(offer)
        if offer.recipient != self._me:
            who = whom_to_write(people_of(offer), self._me)
            hint = "x takes it back." if offer.giver == self._me else f"m writes to {who}." if who else ""
            raise RelayError("refused", f"Only {self._named(offer.recipient)} can answer this.", hint)

    # What is held

    def offer(self, claims: Sequence[Claim]) -> None:
        """Hand over what one holds, or ask for what others hold; it moves when they agree."""
        own = [claim for claim in claims if self._looker.holds(claim)]
        if own and len(own) < len(claims):
            raise RelayError("refused", "Some of these are yours, some are not.", "Unmark the others with space.")
        self._request(own) if own else self._ask(claims)

    def _request(self, claims: Sequence[Claim]) -> None:
        for claim in claims:
            if claim.handoff is not None:
                raise RelayError("refused", f"{spelled(claim)} is offered in {claim.handoff}.", "x takes that back.")
        values: dict[str, Value] = {"resources": self._typed(claims)}
        self._relay.acts.start("handoff request", values, ("to", "reason"), f"Hand over {_named(claims)}")

    def _ask(self, claims: Sequence[Claim]) -> None:
        holders = ", ".join(dict.fromkeys(self._named(claim.person) for claim in claims))
        values: dict[str, Value] = {"resources": self._typed(claims)}
        self._relay.acts.start("handoff ask", values, ("reason",), f"Ask {holders} for {_named(claims)}")

    def _named(self, person: Person) -> str:
        return person.seen_from(self._me.room)

    def _typed(self, things: Iterable[Claim | HandoffResource]) -> list[str]:
        return [self._desk.typed(one.scope, one.resource) for one in things]


def _check_waiting(offer: Handoff) -> None:
    if offer.state != "waiting":
        what = {"partly": "accepted in part"}.get(offer.state, offer.state)
        raise RelayError("refused", f"{offer.id} was {what} before.", "t on a claim offers it anew.")


def _named(claims: Sequence[Claim]) -> str:
    return spelled(claims[0]) if len(claims) == 1 else f"{len(claims)} claims"
