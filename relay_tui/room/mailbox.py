"""What somebody reads: the inbox poll, which delivers, and the views beside it, which change nothing."""

from __future__ import annotations

from relay_tui.room.agents import KnownAgent, refuse_gone, require_actor, require_reader
from relay_tui.room.cursors import NEWEST, Cursor, make_cursor
from relay_tui.room.finding import unknown_message
from relay_tui.room.ledger import LAST
from relay_tui.room.mail import (
    EVERYTHING,
    PAGE,
    PAGE_BYTES,
    Mailbox,
    Message,
    Only,
    Reader,
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
)
from relay_tui.room.presence import note_reader
from relay_tui.room.questions import message_that_asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from typing import NamedTuple

    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class Shown(NamedTuple):
    message: Message


class Page(NamedTuple):
    """What one answer shows of a list; `next` is the cursor behind it, None at the end."""

    messages: list[Message]
    next: str | None


def poll_inbox(
    room: Room, me: Actor, *, only: Only = EVERYTHING, after: int = 0, limit: int = PAGE, everything: bool = False
) -> Mailbox:
    """The unhandled messages of `me`, oldest first; those not delivered before are delivered by this.

    With `everything` handled and expired ones too, newest first. A poll that finds nothing new waits for no writer:
    it leaves a sign where that can be done at once.
    """
    start = Cursor(after, only, everything)
    now = room.clock()
    with room.reading() as db:
        known = require_reader(db, room, me.name, now)
        page = _inbox_page(db, known.row.key, now, start, limit)
        unhandled = count_unhandled(db, known.row.key, now)
    refuse_gone(known)
    if all(message.delivered_at is not None for message in page.messages):
        note_reader(room, me.name, me.via, fetched=True)
        return Mailbox(me.name, unhandled, page.messages, page.next)
    with room.writing(me) as tx:
        actor = require_actor(tx, room, fetched=True)
        page = _inbox_page(tx.db, actor.row.key, tx.now, start, limit)
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
    room: Room, name: str, *, only: Only = EVERYTHING, after: int = 0, limit: int = PAGE, everything: bool = False,
    bodies: bool = False,
) -> Mailbox:  # fmt: skip
    """What a poll by `name` would show, without a fact or a sign; `bodies` for the operator's `--of` view."""
    start = Cursor(after, only, everything)
    mailbox = read_mailbox(room, name, lambda db, agent, now: _inbox_page(db, agent, now, start, limit))
    if bodies:
        return mailbox
    return mailbox._replace(messages=[message._replace(body=None) for message in mailbox.messages])


def count_inbox(room: Room, name: str, only: Only) -> Mailbox:
    """How many messages of `name` are unhandled, of those that `only` lets through."""
    now = room.clock()
    with room.reading() as db:
        agent = require_reader(db, room, name, now).row.key
        narrowed = only != EVERYTHING
        unhandled = len(open_ids(db, agent, now, LAST, only)) if narrowed else count_unhandled(db, agent, now)
        return Mailbox(name, unhandled, [], None)


def show_message(room: Room, me: Actor, wanted: str) -> Shown:
    """One message; delivered by this where `me` is a recipient that had not fetched it yet."""
    message = peek_message(room, me.name, wanted)
    if me.name not in message.recipients or message.delivered_at is not None:
        return Shown(message)
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        return Shown(deliver(tx, actor, [read_message(tx.db, message.seq, actor.row.key, tx.now)])[0])


def peek_message(room: Room, name: str, wanted: str) -> Message:
    """One message with the facts of `name`, without a fact or a sign. Raises `unknown_message` for others' mail."""
    now = room.clock()
    with room.reading() as db:
        known = require_reader(db, room, name, now)
        message = read_message(db, find_message(db, room.row.key, wanted).seq, known.row.key, now)
    if not may_read(message, name, room.row.operator):
        raise unknown_message(wanted)
    return message


def asked_message(room: Room, name: str, question: str) -> Message:
    """The message that asked a question, with the facts of `name`. Raises `unknown_message`."""
    with room.reading() as db:
        asked = message_that_asked(db, room.row.key, question)
    return peek_message(room, name, asked)


def thread_size(room: Room, name: str, thread: str) -> int:
    """How many messages of a thread `name` may read; delivers nothing."""
    with room.reading() as db:
        known = require_reader(db, room, name, room.clock())
        return count_thread(db, thread, _reader(room, name, known.row.key))


def read_thread(
    room: Room, name: str, wanted: str, *, after: int = 0, limit: int = PAGE, newest: bool = False
) -> Mailbox:
    """The thread that a message stands in, as far as `name` may read it, oldest first; or the `newest` of it."""

    def read(db: sqlite3.Connection, agent: int, now: int) -> Page:
        thread, reader = find_message(db, room.row.key, wanted).thread, _reader(room, name, agent)
        if not count_thread(db, thread, reader):
            raise unknown_message(wanted)
        if newest:
            return Page(list_thread(db, thread, reader, now, after, limit, newest=True), None)
        found = list_thread(db, thread, reader, now, after, limit + 1)
        return make_page(found, limit, Cursor(after, Only(thread=thread)))

    return read_mailbox(room, name, read)


def _reader(room: Room, name: str, agent: int) -> Reader:
    return Reader(name == room.row.operator, name, agent)


def read_outbox(room: Room, name: str, *, before: int = LAST, limit: int = PAGE) -> Mailbox:
    """What `name` sent, newest first."""

    def read(db: sqlite3.Connection, agent: int, now: int) -> Page:
        return make_page(list_sent(db, room.row.key, name, now, before, limit + 1), limit)

    return read_mailbox(room, name, read)


def read_history(room: Room, name: str, *, only: Only = EVERYTHING, before: int = LAST, limit: int = PAGE) -> Mailbox:
    """Everything `name` was sent, handled and expired included, newest first."""
    return peek_inbox(room, name, only=only, after=before, limit=limit, everything=True, bodies=True)


def read_archive(room: Room, name: str, *, before: int = LAST, limit: int = PAGE) -> Mailbox:
    """What expired before `name` handled it, newest first; each can still be shown and answered."""

    def read(db: sqlite3.Connection, agent: int, now: int) -> Page:
        return make_page(list_expired(db, agent, now, before, limit + 1), limit)

    return read_mailbox(room, name, read)


def read_mailbox(room: Room, name: str, read: Callable[[sqlite3.Connection, int, int], Page]) -> Mailbox:
    """The page that `read` finds for `name` by its key and the moment; this delivers nothing."""
    now = room.clock()
    with room.reading() as db:
        agent = require_reader(db, room, name, now).row.key
        page = read(db, agent, now)
        return Mailbox(name, count_unhandled(db, agent, now), page.messages, page.next)


def make_page(found: list[Message], limit: int, start: Cursor = NEWEST) -> Page:
    """At most `limit` messages and about PAGE_BYTES of bodies, of a list that was read one further than that."""
    messages: list[Message] = []
    size = 0
    for message in found[:limit]:
        size += len((message.body or "").encode())
        if messages and size > PAGE_BYTES:
            break
        messages.append(message)
    more = len(messages) < len(found)
    return Page(messages, make_cursor(messages[-1].seq, start.only, newest=start.newest) if more else None)


def _inbox_page(db: sqlite3.Connection, agent: int, now: int, start: Cursor, limit: int) -> Page:
    """What is unhandled, oldest first; or all there ever was, where the cursor goes from the newest."""
    if start.newest:
        found = list_all(db, agent, now, start.seq or LAST, limit + 1, start.only)
    else:
        found = list_open(db, agent, now, start.seq, limit + 1, start.only)
    return make_page(found, limit, start)
