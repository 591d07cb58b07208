"""What somebody reads: the inbox poll, which delivers, and the views beside it, which change nothing."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.room.agents import KnownAgent, read_agents, require_actor, require_agent
from relay_tui.room.mail import (
    EVERYTHING,
    PAGE,
    PAGE_BYTES,
    Mailbox,
    Message,
    Only,
    count_unhandled,
    find_message,
    list_all,
    list_open,
    list_sent,
    list_thread,
    may_read,
    read_message,
    unknown_message,
)
from relay_tui.room.presence import is_due, note_reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

_LAST = 2**63 - 1


class Receipt(NamedTuple):
    """RECEIPT of the contract: one recipient's facts; `stage` is the furthest, the times are the facts."""

    agent: str
    agent_state: str
    stage: str
    stored_at: int
    notified_at: int | None
    notified_by: str | None
    delivered_at: int | None
    delivered_session: str | None
    handled_at: int | None
    handled_session: str | None
    note: str | None
    expired_at: int | None
    expired_reason: str | None
    last_fetched_at: int | None


class ReceiptCounts(NamedTuple):
    """Cumulative: how many recipients reached each stage. `missing` left or retired before handling."""

    recipients: int
    stored: int
    notified: int
    delivered: int
    handled: int
    expired: int
    missing: int


class Receipts(NamedTuple):
    id: str
    from_: str
    summary: str
    recipients: list[Receipt]
    counts: ReceiptCounts


class Shown(NamedTuple):
    message: Message


def poll_inbox(room: Room, me: Actor, *, only: Only = EVERYTHING, after: int = 0, limit: int = PAGE) -> Mailbox:
    """The unhandled messages of `me`, oldest first; those not delivered before are delivered by this.

    A poll that finds nothing new, by an agent that was heard from just now, writes nothing.
    """
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, me.name, now, room.settings, _join_line(me.name))
        page = _page(list_open(db, known.row.key, now, after, limit + 1, only), limit)
        unhandled = count_unhandled(db, known.row.key, now)
    fresh = not is_due(known.sign.last_fetched_at, now) and known.row.standing == "here"
    if fresh and all(message.delivered_at is not None for message in page.messages):
        return page._replace(agent=me.name, unhandled=unhandled)
    with room.writing(me) as tx:
        actor = require_actor(tx, room, fetched=True)
        page = _page(list_open(tx.db, actor.row.key, tx.now, after, limit + 1, only), limit)
        delivered = deliver(tx, actor, page.messages)
        return Mailbox(me.name, count_unhandled(tx.db, actor.row.key, tx.now), delivered, page.next)


def deliver(tx: Transaction, actor: KnownAgent, messages: list[Message]) -> list[Message]:
    """Record that these bodies go to their recipient now; returns them with that fact."""
    new = [message.id for message in messages if message.delivered_at is None]
    if not new:
        return messages
    tx.append("message.delivered", {
        "agent": actor.row.name, "messages": new, "session": tx.me.session or actor.row.session, "by": tx.me.via,
    })  # fmt: skip
    return [message._replace(delivered_at=tx.now) if message.delivered_at is None else message for message in messages]


def peek_inbox(
    room: Room, name: str, *, only: Only = EVERYTHING, after: int = 0, limit: int = PAGE, bodies: bool = False
) -> Mailbox:
    """Somebody's unhandled messages without a fact or a sign; `bodies` for the operator's `--of` view."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, name, now, room.settings, _join_line(name))
        page = _page(list_open(db, known.row.key, now, after, limit + 1, only), limit)
        unhandled = count_unhandled(db, known.row.key, now)
    messages = page.messages if bodies else [message._replace(body=None) for message in page.messages]
    return Mailbox(name, unhandled, messages, page.next)


def show_message(room: Room, me: Actor, wanted: str) -> Shown:
    """One message; delivered by this where `me` is a recipient that had not fetched it yet."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, me.name, now, room.settings, _join_line(me.name))
        message = read_message(db, find_message(db, room.row.key, wanted).seq, known.row.key, now)
    if not may_read(message, me.name, room.row.operator):
        raise unknown_message(wanted)
    if me.name not in message.recipients or message.delivered_at is not None:
        note_reader(room, me.name, me.via)
        return Shown(message)
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        return Shown(deliver(tx, actor, [read_message(tx.db, message.seq, actor.row.key, tx.now)])[0])


def read_thread(room: Room, name: str, wanted: str) -> Mailbox:
    """The thread that a message stands in, as far as `name` may read it."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, name, now, room.settings, _join_line(name))
        found = list_thread(db, find_message(db, room.row.key, wanted).thread, known.row.key, now)
        messages = [message for message in found if may_read(message, name, room.row.operator)]
        if not messages:
            raise unknown_message(wanted)
        return Mailbox(name, count_unhandled(db, known.row.key, now), messages, None)


def read_outbox(room: Room, name: str, *, before: int = _LAST, limit: int = PAGE) -> Mailbox:
    """What `name` sent, newest first."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, name, now, room.settings, _join_line(name))
        page = _page(list_sent(db, room.row.key, name, now, before or _LAST, limit + 1), limit)
        return page._replace(agent=name, unhandled=count_unhandled(db, known.row.key, now))


def read_history(room: Room, name: str, *, before: int = _LAST, limit: int = PAGE) -> Mailbox:
    """Everything `name` was sent, handled and expired included, newest first."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, name, now, room.settings, _join_line(name))
        page = _page(list_all(db, known.row.key, now, before or _LAST, limit + 1), limit)
        return page._replace(agent=name, unhandled=count_unhandled(db, known.row.key, now))


def read_receipts(room: Room, wanted: str) -> Receipts:
    """The four facts of every recipient of a message."""
    now = room.clock()
    with room.reading() as db:
        message = find_message(db, room.row.key, wanted)
        agents = {known.row.key: known for known in read_agents(db, room.row.key, now, room.settings)}
        rows = db.execute(
            "SELECT agent, notified_at, notified_by, delivered_at, delivered_session, handled_at,"
            " handled_session, note, expired_at, expired_reason FROM deliveries WHERE message = ?",
            (message.seq,),
        ).fetchall()
    receipts = [_receipt(agents[row[0]], message.sent_at, _with_due(row[1:], message.expires_at, now)) for row in rows]
    receipts.sort(key=lambda receipt: receipt.agent)
    return Receipts(message.id, message.sender, message.summary, receipts, _counts(receipts))


def parse_cursor(text: str | None) -> int:
    """The seq behind an opaque cursor; 0 for none. Raises `usage`."""
    if text is None:
        return 0
    seq = int(text[1:]) if text.startswith("c") and text[1:].isdecimal() and len(text) <= 20 else -1
    if not 0 <= seq <= _LAST:
        raise RelayError("usage", "That is not a cursor of a list.", "Take it from 'next' of the list before.")
    return seq


def make_cursor(seq: int) -> str:
    return f"c{seq}"


def _page(found: list[Message], limit: int) -> Mailbox:
    """At most `limit` messages and about PAGE_BYTES of bodies, with the cursor where more follow."""
    messages: list[Message] = []
    size = 0
    for message in found[:limit]:
        size += len(message.body or "")
        if messages and size > PAGE_BYTES:
            break
        messages.append(message)
    more = len(messages) < len(found)
    return Mailbox(None, 0, messages, make_cursor(messages[-1].seq) if more else None)


def _with_due(facts: tuple[object, ...], expires_at: int, now: int) -> tuple[object, ...]:
    *before, expired_at, _reason = facts
    handled_at = facts[4]
    if expired_at is None and handled_at is None and expires_at <= now:
        return (*before, expires_at, "not handled in time")
    return facts


def _receipt(known: KnownAgent, stored_at: int, facts: tuple[object, ...]) -> Receipt:
    receipt = Receipt(
        known.row.name, known.state, "stored", stored_at, *facts, known.sign.last_fetched_at  # type: ignore[call-arg, arg-type]
    )  # fmt: skip
    reached = (
        ("handled", receipt.handled_at),
        ("expired", receipt.expired_at),
        ("delivered", receipt.delivered_at),
        ("notified", receipt.notified_at),
    )
    stage = next((stage for stage, at in reached if at is not None), "stored")
    return receipt._replace(stage=stage)


def _counts(receipts: list[Receipt]) -> ReceiptCounts:
    gone = [one for one in receipts if one.agent_state in ("left", "retired") and one.handled_at is None]
    return ReceiptCounts(
        recipients=len(receipts),
        stored=len(receipts),
        notified=sum(one.notified_at is not None for one in receipts),
        delivered=sum(one.delivered_at is not None for one in receipts),
        handled=sum(one.handled_at is not None for one in receipts),
        expired=sum(one.expired_at is not None for one in receipts),
        missing=len(gone),
    )


def _join_line(name: str) -> str:
    return f"Run: relay join --as {name}"
