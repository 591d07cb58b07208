"""What a thing that needs the person is about: a branch, an agent, a claim, a message or an item, in a few facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.resources import spell
from relay_tui.base.text import inert, quote
from relay_tui.base.times import age, heard_from
from relay_tui.room.oddities import worktree_oddities
from relay_tui.tui.rows_of.agents import status_words
from relay_tui.tui.rows_of.branches import shown_path
from relay_tui.tui.widgets.content import LINE_SHOWN, Words, block, lines
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from relay_tui.room.agents import Agent
    from relay_tui.room.branches import BranchView
    from relay_tui.room.handoffs import Handoff
    from relay_tui.room.held import Claim
    from relay_tui.room.mail import Message
    from relay_tui.room.persons import Person
    from relay_tui.room.work import Item
    from relay_tui.tui.readings.subjects import Subject
    from relay_tui.tui.rows_of.branches import Stand

    Pairs: TypeAlias = list[tuple[str, Words | None]]


def about_subject(found: Subject, stand: Stand, now: int, glyphs: Glyphs) -> Pairs:
    """The few facts that matter most about whatever was found."""
    if found.branch is not None:
        return about_branch(found.branch, found.agents, stand, now, glyphs)
    if found.agent is not None:
        return about_agent(found.agent, now, glyphs)
    if found.claim is not None:
        return [("claim", _held(found.claim, stand, now, glyphs))]
    if found.message is not None:
        return about_message(found.message, now)
    if found.handoff is not None:
        return about_handoff(found.handoff, found.agents, stand.room, now, glyphs)
    return about_item(found.item, glyphs) if found.item else []


def about_branch(branch: BranchView, agents: Mapping[str, Agent], stand: Stand, now: int, glyphs: Glyphs) -> Pairs:
    """Who holds it, who else is there, and where it is checked out; `agents` are of the room `stand` is in."""
    holder = branch.claim.person if branch.claim else None
    others = [one.person for one in branch.agents if one.person != holder]
    seen = [_seen_one(one, agents, stand.room, now, glyphs) for one in others]
    tasks = [Content.assemble(inert(one.seen_from(stand.room)), " ", one.status) for one in branch.tasks]
    return [
        ("claim", _held(branch.claim, stand, now, glyphs) if branch.claim else "nobody's"),
        ("also there", lines(seen) if seen else None),
        ("tasks", Content(" · ").join(tasks) if tasks else None),
        ("worktree", _worktree(branch, stand.folder)),
    ]


def about_agent(agent: Agent, now: int, glyphs: Glyphs) -> Pairs:
    return [
        ("agent", _seen(agent, agent.agent, now, glyphs)),
        ("status", status_words(agent)),
        ("branch", agent.observed_branch or agent.branch),
        ("task", agent.task),
    ]


def about_message(message: Message, now: int) -> Pairs:
    """From whom and what it says; the body only where it was fetched before, since looking delivers nothing."""
    return [
        ("from", f"{message.from_}, {age(message.sent_at, now)} ago"),
        ("summary", message.summary),
        ("body", block(message.body) if message.body and message.delivered_at is not None else None),
    ]


def about_handoff(handoff: Handoff, agents: Mapping[str, Agent], here: str | None, now: int, glyphs: Glyphs) -> Pairs:
    """Who offers what to whom, and why; both with their last sign, as far as they are among the `agents` of `here`."""
    offered = [spell(one.scope, one.resource) for one in handoff.resources]
    return [
        ("from", _seen_one(handoff.giver, agents, here, now, glyphs)),
        ("to", _seen_one(handoff.recipient, agents, here, now, glyphs)),
        ("offered", lines(offered)),
        ("reason", handoff.reason),
    ]


def about_item(item: Item, glyphs: Glyphs) -> Pairs:
    return [
        ("item", Content.assemble(glyphs.work(item.status), "  ", inert(item.title))),
        ("owner", item.owner),
        ("branch", item.branch),
        ("waits for", ", ".join(item.blocked_by)),
        ("note", item.note),
    ]


def _held(claim: Claim, stand: Stand, now: int, glyphs: Glyphs) -> Content:
    heard = heard_from(claim.holder_last_seen, now)
    note = f"  {quote(claim.note, LINE_SHOWN)}" if claim.note else ""
    holder = inert(claim.person.seen_from(stand.room))
    return Content.assemble(glyphs.agent(claim.holder_state), "  ", holder, (f"  {heard}", QUIET), note)


def _seen_one(one: Person, agents: Mapping[str, Agent], here: str | None, now: int, glyphs: Glyphs) -> Content:
    return _seen(agents.get(one.name) if one.room == here else None, one.seen_from(here), now, glyphs)


def _seen(agent: Agent | None, name: str, now: int, glyphs: Glyphs) -> Content:
    if agent is None:
        return Content(inert(name))
    heard = heard_from(agent.last_seen, now) + (f" ({agent.source})" if agent.source else "")
    return Content.assemble(glyphs.agent(agent.state), "  ", inert(name), (f"  {heard}", QUIET))


def _worktree(branch: BranchView, folder: str) -> Content | None:
    if branch.worktree is None:
        return None
    odd = ", ".join(oddity.removeprefix("is ") for oddity in worktree_oddities(branch.worktree))
    return Content.assemble(inert(shown_path(branch.worktree.path, folder)), (f"  {odd}" if odd else "", "$warning"))
