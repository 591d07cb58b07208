"""What a thing that needs the person is about, found in the room: the records that its detail and its keys need.

What only some things need is loaded when one of them is met, not before the first frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import spell
from relay_tui.room.agents import find_agent, view_agents
from relay_tui.room.branches import UNSETTLED
from relay_tui.room.held import list_claims
from relay_tui.room.mailbox import peek_message

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import NamedTuple

    from relay_tui.room.agents import Agent
    from relay_tui.room.attention_items import AttentionItem
    from relay_tui.room.branches import BranchView
    from relay_tui.room.handoffs import Handoff
    from relay_tui.room.held import Claim
    from relay_tui.room.mail import Message
    from relay_tui.room.rooms import Room
    from relay_tui.room.work import Item
else:
    from relay_tui.base.record import NamedTuple


class Subject(NamedTuple):
    """At most one of them is there; `agents` are those it is about, by name, as far as the room has them."""

    agents: Mapping[str, Agent]
    branch: BranchView | None = None
    agent: Agent | None = None
    claim: Claim | None = None
    message: Message | None = None
    item: Item | None = None
    handoff: Handoff | None = None


def find_subject(item: AttentionItem, room: Room, reader: str, branches: Iterable[BranchView]) -> Subject:
    """What the item names; nothing where the room does not have it any more."""
    found = _find(item, room, reader, branches)
    return found if found.agent is not None else found._replace(agents=_agents(room, _whom(found, room.row.name)))


def _find(item: AttentionItem, room: Room, reader: str, branches: Iterable[BranchView]) -> Subject:
    name, nothing = item.subject, Subject({})
    if item.kind in UNSETTLED:
        return nothing._replace(branch=next((one for one in branches if one.branch == name), None))
    if item.kind == "stale_claim":
        claims = list_claims(room).claims
        return nothing._replace(claim=next((one for one in claims if spell(one.scope, one.resource) == name), None))
    if item.kind == "handoff":
        return nothing._replace(handoff=_handoff(room, item.id.removeprefix("handoff:")))
    if item.kind == "mail":
        return nothing._replace(message=_message(room, reader, item.id.removeprefix("mail:")))
    if item.kind == "fault":
        return nothing
    if "--room" in item.command and item.command[item.command.index("--room") + 1] != room.row.name:
        return nothing  # of another room, which this one's agents may have a namesake of
    if item.kind == "overlap":
        name = item.command[item.command.index("--to") + 1]
    agents = _agents(room, [name])
    if item.kind == "blocked" and name not in agents:
        return nothing._replace(item=_item(room, name))
    return Subject(agents, agent=agents.get(name))


def _whom(found: Subject, here: str) -> list[str]:
    """Who of this room is told of beside what was found."""
    people = [one.person for one in found.branch.agents] if found.branch is not None else []
    people += [found.handoff.giver, found.handoff.recipient] if found.handoff is not None else []
    if people:
        return [one.name for one in people if one.room == here]
    return [found.item.owner] if found.item is not None and found.item.owner else []


def _agents(room: Room, names: Iterable[str]) -> dict[str, Agent]:
    now = room.clock()
    with room.reading() as db:
        known = [find_agent(db, room.row.key, name, now, room.settings) for name in names]
        return {one.agent: one for one in view_agents(db, [agent for agent in known if agent is not None], now)}


def _handoff(room: Room, id: str) -> Handoff | None:
    from relay_tui.room.handoffs import read_handoff

    try:
        return read_handoff(room, id)
    except RelayError:
        return None


def _message(room: Room, reader: str, id: str) -> Message | None:
    try:
        return peek_message(room, reader, id)
    except RelayError:
        return None


def _item(room: Room, id: str) -> Item | None:
    from relay_tui.room.work_detail import show_item

    try:
        return show_item(room, id).item
    except RelayError:
        return None
