"""What a thing that needs the person is about, found in the room: the records that its detail and its keys need.

What only some things need is loaded when one of them is met, not before the first frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import spell
from relay_tui.room.held import list_claims
from relay_tui.room.mailbox import peek_message
from relay_tui.room.presence import STATES
from relay_tui.room.registry import list_agents

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
    """At most one of them is there; `agents` are all of the room by name."""

    agents: Mapping[str, Agent]
    branch: BranchView | None = None
    agent: Agent | None = None
    claim: Claim | None = None
    message: Message | None = None
    item: Item | None = None
    handoff: Handoff | None = None


def find_subject(item: AttentionItem, room: Room, reader: str, branches: Iterable[BranchView]) -> Subject:
    """What the item names; nothing where the room does not have it any more."""
    name = item.subject
    found = Subject({one.agent: one for one in list_agents(room, list(STATES)).agents})
    if item.kind in ("contested", "orphaned", "missing"):
        return found._replace(branch=next((one for one in branches if one.branch == name), None))
    if item.kind == "stale_claim":
        claims = list_claims(room).claims
        return found._replace(claim=next((one for one in claims if spell(one.scope, one.resource) == name), None))
    if item.kind == "handoff":
        return found._replace(handoff=_handoff(room, item.id.removeprefix("handoff:")))
    if item.kind == "mail":
        return found._replace(message=_message(room, reader, item.id.removeprefix("mail:")))
    if item.kind == "blocked" and name not in found.agents:
        return found._replace(item=_item(room, name))
    if item.kind == "fault":
        return found
    if item.kind == "overlap":
        name = item.command[item.command.index("--to") + 1]
    return found._replace(agent=found.agents.get(name))


def _handoff(room: Room, id: str) -> Handoff | None:
    from relay_tui.room.handoffs import list_handoffs

    return next((one for one in list_handoffs(room).handoffs if one.id == id), None)


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
