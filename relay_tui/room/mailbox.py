"""What somebody reads: the inbox poll, which delivers, and the views beside it, which change nothing."""

from __future__ import annotations

from relay_tui.room.agents import KnownAgent, require_actor, require_agent
from relay_tui.room.cursors import LAST, make_cursor
from relay_tui.room.mail import (
    EVERYTHING,
    PAGE,
    PAGE_BYTES,
    Mailbox,
    Message,
    Only,
    count_thread,
    count_unhandled,
    find_message,
    list_all,
    list_expired,
    list_open,
    list_sent,
    list_thread,
    may_read,
    open_ids,
    read_message,
    unknown_message,
)
from relay_tui.room.presence import is_due, note_reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import NamedTuple

    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class Shown(NamedTuple):
    message: Message


def poll_inbox(
    room: Room, me: Actor, *, only: Only = EVERYTHING, after: int = 0, limit: int = PAGE, everything: bool = False
) -> Mailbox:
    """The unhandled messages of `me`, oldest first; those not delivered before are delivered by this.

    With `everything` handled and expired ones too, newest first. A poll that finds nothing new, by an agent
    that was heard from just now, writes nothing.
    """

    def read(db: sqlite3.Connection, agent: int, now: int) -> Mailbox:
        if everything:
            return _page(list_all(db, agent, now, after or LAST, limit + 1, only), limit, only, newest=True)
        return _page(list_open(db, agent, now, after, limit + 1, only), limit, only)

    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, me.name, now, room.settings, _join_line(me.name))
        page = read(db, known.row.key, now)
        unhandled = count_unhandled(db, known.row.key, now)
    fresh = not is_due(known.sign.last_fetched_at, now) and known.row.standing == "here"
    if fresh and all(message.delivered_at is not None for message in page.messages):
        return page._replace(agent=me.name, unhandled=unhandled)
    with room.writing(me) as tx:
        actor = require_actor(tx, room, fetched=True)
        page = read(tx.db, actor.row.key, tx.now)
        delivered = deliver(tx, actor, page.messages)
        return Mailbox(me.name, count_unhandled(tx.db, actor.row.key, tx.now), delivered, page.next)


def deliver(tx: Transaction, actor: KnownAgent, messages: list[Message]) -> list[Message]:
    """Record that these bodies go to their recipient now; returns them with that fact."""
    new = [message.id for message in messages if message.delivered_at is None]
    if not new:
        return messages
    tx.append("message.delivered", {
        "agent": actor.row.name, "messages": new, "session": tx.me.session, "by": tx.me.via,
    })  # fmt: skip
    return [message._replace(delivered_at=tx.now) if message.delivered_at is None else message for message in messages]


def peek_inbox(
    room: Room, name: str, *, only: Only = EVERYTHING, after: int = 0, limit: int = PAGE, bodies: bool = False
) -> Mailbox:
    """Somebody's unhandled messages without a fact or a sign; `bodies` for the operator's `--of` view."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, name, now, room.settings, _join_line(name))
        page = _page(list_open(db, known.row.key, now, after, limit + 1, only), limit, only)
        unhandled = count_unhandled(db, known.row.key, now)
    messages = page.messages if bodies else [message._replace(body=None) for message in page.messages]
    return Mailbox(name, unhandled, messages, page.next)


def count_inbox(room: Room, name: str, only: Only) -> Mailbox:
    """How many messages of `name` are unhandled, of those that `only` lets through."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, name, now, room.settings, _join_line(name))
        if only == EVERYTHING:
            return Mailbox(name, count_unhandled(db, known.row.key, now), [], None)
        return Mailbox(name, len(open_ids(db, known.row.key, now, LAST, only)), [], None)


def show_message(room: Room, me: Actor, wanted: str) -> Shown:
    """One message; delivered by this where `me` is a recipient that had not fetched it yet."""
    message = peek_message(room, me.name, wanted)
    if me.name not in message.recipients or message.delivered_at is not None:
        note_reader(room, me.name, me.via)
        return Shown(message)
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        return Shown(deliver(tx, actor, [read_message(tx.db, message.seq, actor.row.key, tx.now)])[0])


def peek_message(room: Room, name: str, wanted: str) -> Message:
    """One message with the facts of `name`, without a fact or a sign. Raises `unknown_message` for others' mail."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, name, now, room.settings, _join_line(name))
        message = read_message(db, find_message(db, room.row.key, wanted).seq, known.row.key, now)
    if not may_read(message, name, room.row.operator):
        raise unknown_message(wanted)
    return message


def thread_size(room: Room, name: str, thread: str) -> int:
    """How many messages of a thread `name` may read; delivers nothing."""
    with room.reading() as db:
        known = require_agent(db, room.row.key, name, room.clock(), room.settings, _join_line(name))
        return count_thread(db, thread, known.row.key, name, everything=name == room.row.operator)


def read_thread(room: Room, name: str, wanted: str, *, newest: int = -1) -> Mailbox:
    """The thread that a message stands in, or the `newest` of it, as far as `name` may read it; oldest first."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, name, now, room.settings, _join_line(name))
        found = list_thread(db, find_message(db, room.row.key, wanted).thread, known.row.key, now, newest)
        messages = [message for message in found if may_read(message, name, room.row.operator)]
        if not messages:
            raise unknown_message(wanted)
        return Mailbox(name, count_unhandled(db, known.row.key, now), messages, None)


def read_outbox(room: Room, name: str, *, before: int = LAST, limit: int = PAGE) -> Mailbox:
    """What `name` sent, newest first."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, name, now, room.settings, _join_line(name))
        page = _page(list_sent(db, room.row.key, name, now, before or LAST, limit + 1), limit, newest=True)
        return page._replace(agent=name, unhandled=count_unhandled(db, known.row.key, now))


def read_history(room: Room, name: str, *, only: Only = EVERYTHING, before: int = LAST, limit: int = PAGE) -> Mailbox:
    """Everything `name` was sent, handled and expired included, newest first."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, name, now, room.settings, _join_line(name))
        found = list_all(db, known.row.key, now, before or LAST, limit + 1, only)
        page = _page(found, limit, only, newest=True)
        return page._replace(agent=name, unhandled=count_unhandled(db, known.row.key, now))


def read_archive(room: Room, name: str, *, before: int = LAST, limit: int = PAGE) -> Mailbox:
    """What expired before `name` handled it, newest first; each can still be shown and answered."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, name, now, room.settings, _join_line(name))
        page = _page(list_expired(db, known.row.key, now, before or LAST, limit + 1), limit, newest=True)
        return page._replace(agent=name, unhandled=count_unhandled(db, known.row.key, now))


def _page(found: list[Message], limit: int, only: Only = EVERYTHING, *, newest: bool = False) -> Mailbox:
    """At most `limit` messages and about PAGE_BYTES of bodies, with the cursor where more follow."""
    messages: list[Message] = []
    size = 0
    for message in found[:limit]:
        size += len((message.body or "").encode())
        if messages and size > PAGE_BYTES:
            break
        messages.append(message)
    more = len(messages) < len(found)
    return Mailbox(None, 0, messages, make_cursor(messages[-1].seq, only, newest=newest) if more else None)


def _join_line(name: str) -> str:
    return f"Run: relay join --as {name}"
