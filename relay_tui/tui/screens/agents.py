"""Agents: who is here, what they say of themselves, what they hold and what they wait for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, final

from textual.binding import Binding, BindingType
from textual.content import Content

from relay_tui.actions.call import Call
from relay_tui.actions.registry import list_observed
from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.room.held import list_claims
from relay_tui.room.permissions import require_allowed
from relay_tui.room.presence import STATE_WORDS
from relay_tui.room.rooms import Room
from relay_tui.tui.acts.mail_acts import MailActs
from relay_tui.tui.rows_of.agents import (
    COLUMNS,
    STATES_OF_VIEW,
    VIEWS,
    agent_detail,
    agent_row,
    chips,
    waits_by_agent,
)
from relay_tui.tui.screens.list_screen import Listed
from relay_tui.tui.screens.room_screen import RoomScreen
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from relay_tui.room.agents import Agent, AgentCounts
    from relay_tui.room.held import Claim
    from relay_tui.room.registry import AgentList
    from relay_tui.tui.rows_of.agents import Wait

EMPTY_VIEWS = {
    state: f"Nobody {STATE_WORDS[state]}.\nf shows the other states." for state in ("dormant", "left", "retired")
}


@final
class AgentsScreen(RoomScreen):
    NAME = "agents"
    COLUMNS = COLUMNS
    VIEWS = VIEWS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("P", "verb('prune')", "Set aside agents long silent", show=False, id="act.prune"),
        Binding("V", "verb('revive')", "Bring a retired name back", show=False, id="act.revive"),
        Binding("b", "mailbox", "Read its mailbox", show=False, id="mail.mailbox"),
    ]
    WORDS = {
        "act.message": "message", "act.reply": "answer", "act.new": "join", "act.release": "retire",
        "view.cycle": "states", "mail.mailbox": "mailbox", "act.prune": "prune", "act.force": "retire by force",
        "act.revive": "revive",
    }  # fmt: skip
    EMPTY = "Nobody is live or quiet.\nAn agent joins with:\n  relay join --as NAME\nf shows the other states."
    NO_ROW = ("There is no agent here.", "n lets one join; f shows the other states.")

    counts: AgentCounts | None = None

    def __init__(self) -> None:
        super().__init__()
        self._waits: Mapping[str, list[Wait]] = {}

    # What is shown

    def read(self, room: Room) -> tuple[AgentList, list[Claim]]:
        return list_observed(room, list(STATES_OF_VIEW[self.view])), list_claims(room).claims

    def rows_from(self, facts: tuple[AgentList, list[Claim]]) -> Listed:
        found, held = facts
        self.counts = found.counts
        self.empty = EMPTY_VIEWS.get(VIEWS[self.view], self.EMPTY)
        self._waits = waits_by_agent(held, self.desk.room.row.name)
        now, glyphs = self.desk.now, self.glyphs
        return [(agent_row(one, self._waits.get(one.agent, ()), now, glyphs), one) for one in found.agents]

    def banner(self) -> Content:
        return chips(self.counts, self.view) if self.counts else Content("")

    def describe(self, row: Row, thing: Agent, width: int) -> Content:
        held = list_claims(self.desk.room, holder=thing.agent).claims if thing.claims else []
        waits = self._waits.get(thing.agent, ())
        return agent_detail(thing, held, waits, self.desk.now, self.glyphs, width)

    # What the keys do

    def agent_of(self, thing: Agent) -> str:
        return thing.agent

    def call_for(self, thing: Agent) -> Call:
        return self.desk.compose("claims", holder=thing.agent)

    def do_reply(self) -> None:
        """Answer the question of this row's agent."""
        agent: Agent = self.here
        if agent.question is None:
            raise RelayError("refused", "This agent has asked nothing.", "m writes to it.")
        title = f"Answer {agent.agent}: {agent.question.text}"
        MailActs(self.relay).answer(agent.question.id, title)

    def do_status(self) -> None:
        raise RelayError("refused", "Agents report their own status.", "m asks for it.")

    def do_release(self) -> None:
        """Retire this name, after the dry run was read; branches that it holds stand in the way."""
        if len(self.row_list.marked) > 1:
            raise RelayError("refused", "Agents are retired one at a time.", "P sets many aside; esc unmarks.")
        agent: Agent = self.here
        if agent.state == "retired":
            raise RelayError("refused", f"{agent.agent} is retired already.", "V brings it back.")
        if branches := self._branches_of(agent):
            held = ", ".join(inert(one.resource) for one in branches)
            raise RelayError("refused", f"{agent.agent} holds {held}.", "X retires it and gives that up.")
        self.relay.acts.act(self.desk.compose("retire", name=agent.agent))

    def do_force(self) -> None:
        """Retire a name that holds branches: they are given up, and the person types its name and a reason."""
        agent: Agent = self.here
        if not self._branches_of(agent):
            raise RelayError("refused", f"{agent.agent} holds no branch.", "x retires it.")
        self.relay.acts.act(self.desk.compose("retire", name=agent.agent, relinquish=True))

    def _branches_of(self, agent: Agent) -> list[Claim]:
        held = list_claims(self.desk.room, holder=agent.agent).claims if agent.claims else []
        return [claim for claim in held if claim.scope == "branch"]

    def do_revive(self) -> None:
        agent: Agent = self.here
        if agent.state != "retired":
            raise RelayError("refused", f"{agent.agent} is not retired.", "Any act of its own brings it back.")
        self.relay.acts.act(self.desk.compose("revive", name=agent.agent))

    def do_prune(self) -> None:
        """Set aside who was not heard from for long; who would be, and who not and why, is shown first."""
        require_allowed(self.desk.me, "sweep --apply", self.desk.room.row.operator)
        self.relay.acts.act(self.desk.compose("prune", apply=True))

    async def action_mailbox(self) -> None:
        """Go to the inbox and show this agent's mail there; for the operator."""
        try:
            name = self.here.agent
            require_allowed(self.desk.me, "inbox --of", self.desk.room.row.operator)
        except RelayError as refused:
            self.relay.acts.tell_error(refused)
            return
        await self.app.switch_mode("inbox")
        inbox: Any = self.relay.room_screen
        self.relay.acts.try_to(partial(inbox.show_mailbox, name))
