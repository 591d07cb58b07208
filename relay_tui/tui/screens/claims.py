"""Claims: who holds which path, branch or part of the machine, who waits for it, and what is handed over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from textual.content import Content

from relay_tui.actions.call import Call
from relay_tui.actions.handoffs import list_all
from relay_tui.base.errors import RelayError
from relay_tui.base.resources import spell
from relay_tui.room.handoffs import Handoff
from relay_tui.room.held import list_claims
from relay_tui.room.persons import whom_to_write
from relay_tui.room.presence import STATES
from relay_tui.room.registry import list_agents
from relay_tui.room.rooms import Room
from relay_tui.tui.acts.claim_keys import looker_at, people_of, what_keys_do
from relay_tui.tui.acts.handoff_acts import HandoffActs
from relay_tui.tui.rows_of import handoffs as handoff_texts
from relay_tui.tui.rows_of.claims import COLUMNS, SCOPE_WORDS, claim_detail, claim_rows
from relay_tui.tui.rows_of.handoffs import handoff_detail, handoff_rows, spelled
from relay_tui.tui.screens.list_screen import Listed
from relay_tui.tui.screens.room_screen import RoomScreen
from relay_tui.tui.widgets.glyphs import QUIET
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple

    from relay_tui.room.held import Claim
else:
    from relay_tui.base.record import NamedTuple

ALL, HANDOVERS = "all", "handovers"
SCOPES = {words: scope for scope, words in SCOPE_WORDS.items()}
EMPTY = {
    ALL: 'Nobody holds anything here.\nc claims a path, or type :claim src/auth --note "why"',
    "paths": "Nobody holds a path.\nc claims one, or type :claim src/auth",
    "branches": "Nobody holds a branch.\nc claims branch:NAME, or type :branch claim NAME",
    "machine": "Nobody holds a part of the machine.\nc claims machine:NAME, or type :claim machine:native",
    HANDOVERS: "Nothing was handed over yet.\nt on a claim offers it, or asks its holder for it.",
}


class Holdings(NamedTuple):
    """What a view shows; `offers` are all handovers that wait, whether they are shown or not."""

    claims: list[Claim]
    offers: list[Handoff]
    answered: list[Handoff]


@final
class ClaimsScreen(RoomScreen):
    NAME = "claims"
    COLUMNS = COLUMNS
    VIEWS = (ALL, *SCOPES, HANDOVERS)
    WORDS = {
        "act.claim": "claim", "act.release": "release, or take an offer back", "act.force": "release by force",
        "act.transfer": "hand over, or ask for it", "act.accept": "take what is offered",
        "act.decline": "decline what is offered", "act.message": "message its holder", "view.cycle": "views",
    }  # fmt: skip
    EMPTY = EMPTY[ALL]
    NO_ROW = ("There is nothing here to act on.", "c claims something; [ and ] show the other views.")

    def __init__(self) -> None:
        super().__init__()
        self._offers: Mapping[str, Handoff] = {}
        self._does: Mapping[str, str] = {}

    # What is shown

    @property
    def _view_name(self) -> str:
        return self.VIEWS[self.view]

    def read(self, room: Room) -> Holdings:
        view = self._view_name
        held = [] if view == HANDOVERS else list_claims(room, scope=SCOPES.get(view)).claims
        answered = [] if view in SCOPES else list_all(room, all_=True).handoffs
        return Holdings(held, list_all(room).handoffs, [one for one in answered if one.state != "waiting"])

    def rows_from(self, facts: Holdings) -> Listed:
        self._offers = {offer.id: offer for offer in facts.offers}
        here, now = self.desk.room.row.name, self.desk.now
        held = claim_rows(facts.claims, self._offers, here, now, self.glyphs)
        offers = [] if self._view_name in SCOPES else facts.offers
        return [*held, *handoff_rows([*offers, *facts.answered], here, now, self.glyphs)]

    def banner(self) -> Content:
        mine = sum(offer.recipient == self.desk.person for offer in self._offers.values())
        if not self._offers:
            return self.view_names()
        said, style = f"   {len(self._offers):,} offered", QUIET
        if mine:
            said, style = f"   {mine:,} offered to you", "$warning"
        return Content.assemble(self.view_names(len(said)), (said, style))

    def show_view(self, view: int) -> None:
        name = self.VIEWS[view]
        self.empty = EMPTY[name]
        self.set_columns(handoff_texts.COLUMNS if name == HANDOVERS else COLUMNS)
        super().show_view(view)

    @property
    def words(self) -> Mapping[str, str]:
        """The keys that can do something about the row under the cursor come first."""
        does = self._does if self.current is not None else {}
        return {**does, "act.claim": "claim", "view.cycle": "views"}

    def describe(self, row: Row, thing: Claim | Handoff, width: int) -> Content:
        offer, room = self._offer_of(thing), self.desk.room
        does = what_keys_do(thing, offer, looker_at(self.desk))
        if does != self._does:
            self._does = does
            self.draw_frame()
        if not isinstance(thing, Handoff):
            return claim_detail(thing, offer, room.row.name, self.desk.now, self.glyphs, width)
        agents = {one.agent: one for one in list_agents(room, list(STATES)).agents}
        return handoff_detail(thing, agents, room.row.name, self.desk.now, self.glyphs, width)

    def _offer_of(self, thing: Claim | Handoff) -> Handoff | None:
        """The handover of a row; a claim's own is the one that it waits in."""
        return thing if isinstance(thing, Handoff) else self._offers.get(thing.handoff or "")

    # What the keys do

    def id_of(self, row: Row, thing: Claim | Handoff) -> str:
        return thing.id if isinstance(thing, Handoff) else spell(thing.scope, thing.resource)

    def agent_of(self, thing: Claim | Handoff) -> str | None:
        people, me = people_of(thing), self.desk.person
        who = whom_to_write(people, me)
        if who is None and people[0] != me:
            hint = "Who is in that room can write there." if isinstance(thing, Handoff) else "t asks for the claim."
            raise RelayError("refused", f"Mail does not reach {people[0].seen_from(me.room)} from here.", hint)
        return who

    def call_for(self, thing: Claim | Handoff) -> Call:
        """What would settle an offer of one's own, else what lists the row."""
        if not isinstance(thing, Handoff):
            return self.desk.compose("claims", over=self.desk.typed(thing.scope, thing.resource))
        if thing.state == "waiting" and thing.recipient == self.desk.person:
            return self.desk.compose("handoff respond", id=thing.id, accept=True)
        return self.desk.compose("handoff list", all_=thing.state != "waiting")

    def do_claim(self) -> None:
        self.relay.acts.start("claim", {}, ("resources", "note", "gate"), "Claim")

    def do_accept(self) -> None:
        self._handoffs.accept(self._offer_here("accept"))

    def do_decline(self) -> None:
        self._handoffs.decline(self._offer_here("decline"))

    def do_transfer(self) -> None:
        """Offer what is one's own; ask the holders for what is not."""
        self._handoffs.offer(self._chosen_claims("This is a handover already.", "t on a claim offers it."))
        self.row_list.clear_marks()

    def do_release(self) -> None:
        """Give back what is marked, or this row; an offer that waits is taken back instead."""
        chosen = self.chosen
        if len(chosen) == 1 and (offer := self._offer_of(chosen[0])) is not None:
            return self._handoffs.cancel(offer)
        held = self._chosen_claims("One handover at a time is taken back.", "Unmark the others with space.")
        for claim in held:
            looker_at(self.desk).refuse_others(claim)
            if claim.handoff is not None:
                what = f"{spelled(claim)} is offered in {claim.handoff}."
                raise RelayError("refused", what, "x on it alone takes that back.")
        return self._release(held)

    def do_force(self) -> None:
        """Release one claim of somebody else's; the person types its name and a reason."""
        held = self._chosen_claims("A handover is not released.", "X works on the claim; x takes an offer back.")
        if len(held) > 1:
            raise RelayError("refused", "One claim at a time is released by force.", "Unmark the others with space.")
        looker_at(self.desk).refuse_own(held[0])
        self._release(held, force=True)

    def _release(self, held: list[Claim], force: bool = False) -> None:
        resources = [self.desk.typed(claim.scope, claim.resource) for claim in held]
        self.relay.acts.act(self.desk.compose("release", resources=resources, force=force))
        self.row_list.clear_marks()

    @property
    def _handoffs(self) -> HandoffActs:
        return HandoffActs(self.relay)

    def _offer_here(self, verb: str) -> Handoff:
        """The one handover that is chosen. Raises `refused` where nothing is offered."""
        chosen: list[Any] = self.chosen
        if len(chosen) > 1:
            raise RelayError("refused", f"One handover at a time: {verb} them singly.", "Unmark the others with space.")
        offer = self._offer_of(chosen[0])
        if offer is None:
            raise RelayError("refused", f"There is nothing to {verb}: this is not offered.", "t asks for it.")
        return offer

    def _chosen_claims(self, refusal: str, hint: str) -> list[Claim]:
        """The claims that are chosen. Raises `refused` where a handover is among them."""
        chosen = self.chosen
        if any(isinstance(thing, Handoff) for thing in chosen):
            raise RelayError("refused", refusal, hint)
        return chosen
