"""Answers made of the actions' results: compact, with others' words made inert. Pure.

Bodies are in an answer only where they were asked for. No list has more than `SHOWN` rows, but mail: it has what the
action's page has, for what an answer left out would count as delivered.
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
    from collections.abc import Iterable, Sequence

    from relay_tui.actions.branches import BranchList
    from relay_tui.room import asking, handoffs
    from relay_tui.room.claims import Claimed, Released
    from relay_tui.room.handoffs import Handoff, HandoffList, HandoffResource
    from relay_tui.room.held import Claim, ClaimList
    from relay_tui.room.ledger import Actor
    from relay_tui.room.mail import Mailbox, Message
    from relay_tui.room.mailbox import Shown
    from relay_tui.room.messages import Acknowledged, Sent
    from relay_tui.room.registry import AgentChange, AgentList
    from relay_tui.room.rooms import Room
    from relay_tui.room.work import Item, ItemChange, ItemList
    from relay_tui.room.work_detail import ItemDetail
    from relay_tui.room.work_next import NextItems


SHOWN = 50


def shape_room(found: AgentList, room: Room, me: Actor) -> RoomAnswer:
    (mine,) = (agent for agent in found.agents if agent.agent == me.name)
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
        room=inert(room.row.name), me=me.name, branch=_line(mine.branch), unhandled=mine.unhandled, claims=mine.claims,
        others=peers, more=len(others) - len(peers), note=PEERS,
    )  # fmt: skip


def shape_sent(sent: Sent, _room: Room, _me: Actor) -> SendAnswer:
    away = [one.agent for one in sent.recipients if one.agent_state != "live"]
    names = [one.agent for one in sent.recipients]
    return SendAnswer(
        id=sent.id, duplicate=sent.duplicate, count=len(names), recipients=names[:SHOWN], not_live=away[:SHOWN]
    )


def shape_mailbox(found: Mailbox, _room: Room, _me: Actor) -> InboxAnswer:
    mail = [_mail(one) for one in found.messages]
    return InboxAnswer(unhandled=found.unhandled, messages=mail, next=found.next, note=PEERS if mail else None)


def shape_message(found: Shown, _room: Room, _me: Actor) -> InboxAnswer:
    return InboxAnswer(unhandled=None, messages=[_mail(found.message)], next=None, note=PEERS)


def shape_ack(done: Acknowledged, _room: Room, _me: Actor) -> AckAnswer:
    return AckAnswer(handled=done.handled, already=done.already)


def shape_status(change: AgentChange, _room: Room, me: Actor) -> StatusAnswer:
    question = change.agent.question
    return StatusAnswer(me=me.name, changed=change.changed, question=question.id if question else None)


def shape_claimed(done: Claimed, _room: Room, _me: Actor) -> ClaimAnswer:
    return ClaimAnswer(claimed=_spelled(done.claimed), already=_spelled(done.already))


def shape_claims(found: ClaimList, room: Room, _me: Actor) -> ClaimAnswer:
    held = [
        HeldClaim(
            resource=_resource(one), holder=one.person.seen_from(room.row.name), stale=one.stale,
            claimed_at=iso(one.claimed_at), peer_note=_line(one.note),
        )
        for one in found.claims[:SHOWN]
    ]  # fmt: skip
    return ClaimAnswer(claims=held, more=len(found.claims) - len(held), note=PEERS if held else None)


def shape_released(done: Released, _room: Room, _me: Actor) -> ReleaseAnswer:
    return ReleaseAnswer(released=_spelled(done.released))


def shape_asked(found: asking.AskedList, room: Room, _me: Actor) -> HandoffAnswer:
    """Whom the holders' messages went to."""
    asked = [
        Asked(resource=inert(one.resource), holder=one.person.seen_from(room.row.name), message=one.message)
        for one in found.asked
    ]
    return HandoffAnswer(asked=asked)


def shape_handoff(done: handoffs.HandoffAnswer, room: Room, _me: Actor) -> HandoffAnswer:
    """The one that was acted on."""
    return _handoffs([done.handoff], room.row.name)


def shape_handoffs(found: HandoffList, room: Room, _me: Actor) -> HandoffAnswer:
    """Those that wait."""
    return _handoffs(found.handoffs, room.row.name)


def shape_branches(found: BranchList, room: Room, _me: Actor) -> BranchAnswer:
    rows = [
        BranchRow(
            branch=inert(one.branch), flag=one.flag,
            holder=one.claim.person.seen_from(room.row.name) if one.claim else None,
            agents=[agent.person.seen_from(room.row.name) for agent in one.agents],
            worktree=_line(one.worktree.path if one.worktree else None),
            reasons=[inert(reason) for reason in one.reasons],
        )
        for one in found.branches[:SHOWN]
    ]  # fmt: skip
    return BranchAnswer(
        branches=rows, more=len(found.branches) - len(rows), warnings=[inert(doubt) for doubt in found.doubts]
    )


def shape_branch_claimed(done: Claimed, _room: Room, _me: Actor) -> BranchAnswer:
    return BranchAnswer(claimed=_spelled(done.claimed), already=_spelled(done.already))


def shape_branch_released(done: Released, _room: Room, _me: Actor) -> BranchAnswer:
    return BranchAnswer(released=_spelled(done.released))


def shape_items(found: ItemList, _room: Room, _me: Actor) -> WorkAnswer:
    return _work(found.items)


def shape_next(found: NextItems, _room: Room, _me: Actor) -> WorkAnswer:
    return _work(found.items, more=found.more)


def shape_item(found: ItemChange | ItemDetail, _room: Room, _me: Actor) -> WorkAnswer:
    """The one that was looked at or changed."""
    return _work([found.item], changed=found.changed)


def _handoffs(listed: Sequence[Handoff], here: str) -> HandoffAnswer:
    offers = [
        Offer(
            id=one.id, holder=one.giver.seen_from(here), to=one.recipient.seen_from(here), state=one.state,
            peer_reason=_line(one.reason), resources=_spelled(one.resources),
        )
        for one in listed[:SHOWN]
    ]  # fmt: skip
    return HandoffAnswer(handoffs=offers, more=len(listed) - len(offers), note=PEERS if offers else None)


def _work(listed: Sequence[Item], *, more: int = 0, changed: list[str] | None = None) -> WorkAnswer:
    items = [
        WorkItem(
            id=one.id, kind=one.kind, title=inert(one.title), status=one.status, progress=one.progress,
            owner=_line(one.owner), parent=one.parent, branch=_line(one.branch), blocked_by=one.blocked_by,
        )
        for one in listed[:SHOWN]
    ]  # fmt: skip
    more += len(listed) - len(items)
    return WorkAnswer(items=items, more=more, changed=changed or [], note=PEERS if items else None)


def _mail(one: Message) -> Mail:
    return Mail(
        id=one.id, sender=one.from_, sent_at=iso(one.sent_at), reply_to=one.reply_to,
        delivered=one.delivered_at is not None, attachments=[inert(file.name) for file in one.attachments],
        peer_summary=inert(one.summary), peer_body=None if one.body is None else inert_block(one.body),
    )  # fmt: skip


def _spelled(things: Iterable[Claim | HandoffResource]) -> list[str]:
    return [_resource(one) for one in things]


def _resource(one: Claim | HandoffResource) -> str:
    return inert(spell(one.scope, one.resource))


def _line(text: str | None) -> str | None:
    return None if text is None else inert(text)
