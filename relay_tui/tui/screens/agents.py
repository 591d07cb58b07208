"""Agents: who is here, what they say of themselves, and what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content

from relay_tui.actions.call import Call
from relay_tui.actions.claims import claims
from relay_tui.actions.registry import agents
from relay_tui.base.errors import RelayError
from relay_tui.room.rooms import Room
from relay_tui.tui.form import Value
from relay_tui.tui.rows import Row
from relay_tui.tui.rows_of.agents import COLUMNS, STATES_OF_VIEW, VIEWS, agent_detail, agent_row, chips
from relay_tui.tui.screens.room_screen import RoomScreen

if TYPE_CHECKING:
    from relay_tui.room.agents import Agent, AgentCounts
    from relay_tui.room.registry import AgentList


class AgentsScreen(RoomScreen):
    NAME = "agents"
    COLUMNS = COLUMNS
    VIEWS = VIEWS
    WORDS = {"act.message": "message", "act.new": "join", "act.release": "retire", "view.cycle": "more states"}
    EMPTY = "Nobody in this view.\nAn agent comes in with:\n  relay join --as NAME\nf shows the other states."

    counts: AgentCounts | None = None

    def read(self, room: Room) -> AgentList:
        return agents(room, state=list(STATES_OF_VIEW[self.view]))

    def rows_from(self, facts: AgentList) -> list[tuple[Row, Any]]:
        self.counts = facts.counts
        return [(agent_row(agent, self.desk.now, self.glyphs), agent) for agent in facts.agents]

    def banner(self) -> Content:
        return chips(self.counts, self.view) if self.counts else Content("")

    def describe(self, row: Row, thing: Agent, width: int) -> Content:
        held = claims(self.desk.room, holder=thing.agent).claims if thing.claims else []
        return agent_detail(thing, held, self.desk.now, self.glyphs, width)

    def agent_of(self, thing: Agent) -> str:
        return thing.agent

    def call_for(self, thing: Agent) -> Call:
        return self.desk.compose("claims", holder=thing.agent)

    def do_reply(self) -> None:
        """Answer the question of this row's agent."""
        agent: Agent | None = self.current
        if agent is None or agent.question is None:
            raise RelayError("refused", "This agent has asked nothing.", "m writes to it.")
        title = f"Answer {agent.agent}: {agent.question.text}"
        self.relay.acts.start("send", {"reply_to": agent.question.id}, ("message", "summary"), title)

    def do_status(self) -> None:
        raise RelayError("refused", "Agents report their own status.", "m asks for it.")

    def defaults(self, action: str, thing: Agent | None) -> dict[str, Value]:
        return {"name": thing.agent} if action == "retire" and thing else {}
