"""Answers made of the actions' results: compact, with others' words made inert. Pure.

Bodies are in an answer only where they were asked for, and no list has more than `SHOWN` rows.
"""

from __future__ import annotations

from relay_tui.agents.mcp.answers import (
    PEERS,
    AckAnswer,
    Asked,
    BranchAnswer,
    BranchRow,
    ClaimAnswer,
    HandoffAnswer,
    HeldClaim,
    InboxAnswer,
    Mail,
    Offer,
    Peer,
    ReleaseAnswer,
    RoomAnswer,
    SendAnswer,
    StatusAnswer,
    WorkAnswer,
    WorkItem,
)
from relay_tui.base.resources import spell
from relay_tui.base.text import inert, inert_block
from relay_tui.base.times import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from relay_tui.room.held import Claim
    from relay_tui.room.ledger import Actor
    from relay_tui.room.mail import Message
    from relay_tui.room.rooms import Room

SHOWN = 50


def shape_room(found: Any, room: Room, me: Actor) -> RoomAnswer:
    mine = next((agent for agent in found.agents if agent.agent == me.name), None)
    others = [agent for agent in found.agents if agent.agent not in (me.name, room.operator)]
    others.sort(key=lambda agent: (agent.state != "live", agent.agent))
    peers = [
        Peer(
            agent=one.agent, state=one.state, status=one.status, task=_line(one.task), branch=_line(one.branch),
            claims=one.claims, peer_text=_line(one.text),
        )
        for one in others[:SHOWN]
    ]  # fmt: skip
    return RoomAnswer(
        room=inert(room.row.name), me=me.name, branch=_line(mine.branch) if mine else None,
        unhandled=mine.unhandled if mine else 0, claims=mine.claims if mine else 0, others=peers,
        more=len(others) - len(peers), note=PEERS,
    )  # fmt: skip


def shape_send(sent: Any, _room: Room, _me: Actor) -> SendAnswer:
    away = [one.agent for one in sent.recipients if one.agent_state != "live"]
    names = [one.agent for one in sent.recipients]
    return SendAnswer(
        id=sent.id, duplicate=sent.duplicate, count=len(names), recipients=names[:SHOWN], not_live=away[:SHOWN]
    )


def shape_inbox(found: Any, _room: Room, _me: Actor) -> InboxAnswer:
    """A page of the mailbox, or the one message of `show`."""
    if hasattr(found, "message"):
        return InboxAnswer(unhandled=None, messages=[_mail(found.message)], next=None, note=PEERS)
    mail = [_mail(one) for one in found.messages]
    return InboxAnswer(unhandled=found.unhandled, messages=mail, next=found.next, note=PEERS if mail else None)


def shape_ack(done: Any, _room: Room, _me: Actor) -> AckAnswer:
    return AckAnswer(handled=done.handled, already=done.already)


def shape_status(change: Any, _room: Room, me: Actor) -> StatusAnswer:
    question = change.agent.question
    return StatusAnswer(me=me.name, changed=change.changed, question=question.id if question else None)


def shape_claim(found: Any, _room: Room, _me: Actor) -> ClaimAnswer:
    """What was taken, or the list of what is held."""
    if hasattr(found, "claimed"):
        return ClaimAnswer(claimed=_spelled(found.claimed), already=_spelled(found.already))
    held = [
        HeldClaim(
            resource=_resource(one), holder=one.holder, stale=one.stale, claimed_at=iso(one.claimed_at),
            peer_note=_line(one.note),
        )
        for one in found.claims[:SHOWN]
    ]  # fmt: skip
    return ClaimAnswer(claims=held, more=len(found.claims) - len(held), note=PEERS if held else None)


def shape_release(done: Any, _room: Room, _me: Actor) -> ReleaseAnswer:
    return ReleaseAnswer(released=_spelled(done.released))


def shape_handoff(found: Any, _room: Room, _me: Actor) -> HandoffAnswer:
    """The one handover that was acted on, those that wait, or whom the holders' messages went to."""
    if hasattr(found, "asked"):
        asked = [Asked(resource=inert(one.resource), holder=one.holder, message=one.message) for one in found.asked]
        return HandoffAnswer(asked=asked)
    listed = [found.handoff] if hasattr(found, "handoff") else found.handoffs
    offers = [
        Offer(
            id=one.id, holder=one.from_, to=one.to, state=one.state, peer_reason=_line(one.reason),
            resources=[inert(spell(part.scope, part.resource)) for part in one.resources],
        )
        for one in listed[:SHOWN]
    ]  # fmt: skip
    return HandoffAnswer(handoffs=offers, more=len(listed) - len(offers), note=PEERS if offers else None)


def shape_branch(found: Any, _room: Room, _me: Actor) -> BranchAnswer:
    """The list of branches, or what was claimed or released."""
    if hasattr(found, "claimed"):
        return BranchAnswer(claimed=_spelled(found.claimed), already=_spelled(found.already))
    if hasattr(found, "released"):
        return BranchAnswer(released=_spelled(found.released))
    rows = [
        BranchRow(
            branch=inert(one.branch), flag=one.flag, holder=one.claim.holder if one.claim else None,
            agents=[agent.agent for agent in one.agents], worktree=_line(one.worktree.path if one.worktree else None),
            reasons=[inert(reason) for reason in one.reasons],
        )
        for one in found.branches[:SHOWN]
    ]  # fmt: skip
    return BranchAnswer(
        branches=rows, more=len(found.branches) - len(rows), warnings=[inert(doubt) for doubt in found.doubts]
    )


def shape_work(found: Any, _room: Room, _me: Actor) -> WorkAnswer:
    """Items of the tree, or the one that was looked at or changed."""
    listed, changed = ([found.item], found.changed) if hasattr(found, "item") else (found.items, [])
    items = [
        WorkItem(
            id=one.id, kind=one.kind, title=inert(one.title), status=one.status, progress=one.progress,
            owner=_line(one.owner), parent=one.parent, branch=_line(one.branch), blocked_by=one.blocked_by,
        )
        for one in listed[:SHOWN]
    ]  # fmt: skip
    more = len(listed) - len(items) + getattr(found, "more", 0)
    return WorkAnswer(items=items, more=more, changed=changed, note=PEERS if items else None)


def _mail(one: Message) -> Mail:
    return Mail(
        id=one.id, sender=one.from_, sent_at=iso(one.sent_at), reply_to=one.reply_to,
        delivered=one.delivered_at is not None, attachments=[inert(file.name) for file in one.attachments],
        peer_summary=inert(one.summary), peer_body=None if one.body is None else inert_block(one.body),
    )  # fmt: skip


def _spelled(claims: Iterable[Claim]) -> list[str]:
    return [_resource(one) for one in claims]


def _resource(one: Claim) -> str:
    return inert(spell(one.scope, one.resource))


def _line(text: str | None) -> str | None:
    return None if text is None else inert(text)
