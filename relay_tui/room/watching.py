"""`watch`: one notice for each new message, as it arrives; it notifies once and never delivers."""

from __future__ import annotations

import time

from relay_tui.base.errors import RelayError
from relay_tui.base.times import SECOND
from relay_tui.room.agents import require_reader
from relay_tui.room.bell import LOOK_EVERY, Bell
from relay_tui.room.lock import A_MOMENT
from relay_tui.room.mail import list_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple

    from relay_tui.room.ledger import Actor
    from relay_tui.room.mail import Message
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

_BATCH = 100


class Notice(NamedTuple):
    """One line of `watch`: that there is a message, never what it says."""

    seq: int
    at: int
    kind: str
    id: str
    from_: str
    summary: str
    thread: str


def watch_inbox(room: Room, me: Actor, *, after: int | None, timeout: int | None) -> Iterator[Notice]:
    """Notices of open messages behind the cursor, or of those neither told of nor fetched before; then of new ones.

    With `timeout` (microseconds) it ends after messages came, or raises `timeout` without one, and `busy` where
    others write all that time.
    """
    ends = float("inf") if timeout is None else time.monotonic() + timeout / SECOND
    told, seen, version = False, after or 0, (room.store.inode, 0)
    with Bell(room.store.home) as bell:
        while True:
            before, version = version, room.store.read_version()
            if version[0] != before[0]:
                seen = after or 0  # a restored ledger counts on from an earlier number
            is_news = version != before
            while is_news:
                with room.store.waiting(min(room.store.deadline, max(ends - time.monotonic(), A_MOMENT))):
                    found, ended = _look(room, me, seen, again=after is not None)
                yield from map(_notice_of, found)
                told, is_news, seen = told or bool(found), ended > seen, ended
            if timeout is not None and (told or time.monotonic() >= ends):
                break
            bell.wait(min(LOOK_EVERY, max(ends - time.monotonic(), 0.0)))
    if not told:
        raise RelayError("timeout", "No message came in time.", "Watch again, or go on.")


def _notice_of(message: Message) -> Notice:
    return Notice(
        message.seq, message.sent_at, "message", message.id, message.from_, message.summary, message.thread
    )  # fmt: skip


def _look(room: Room, me: Actor, seen: int, *, again: bool) -> tuple[list[Message], int]:
    """What to tell of the open messages behind `seen`, and where this look ended.

    Each is recorded as notified before it is told, so that two watchers do not tell the same; with `again`
    those told of or fetched before are told too.
    """
    now = room.clock()
    with room.reading() as db:
        known = require_reader(db, room, me.name, now)
        found = list_open(db, known.row.key, now, seen, _BATCH)
    fresh: list[Message] = []
    if any(map(_is_news, found)):
        with room.writing(me) as tx:
            found = list_open(tx.db, known.row.key, tx.now, seen, _BATCH)
            fresh = list(filter(_is_news, found))
            if fresh:
                tx.append("message.notified", {
                    "agent": me.name, "messages": [message.id for message in fresh], "by": "watch",
                })  # fmt: skip
    return found if again else fresh, found[-1].seq if found else seen


def _is_news(message: Message) -> bool:
    """Neither told of before nor fetched."""
    return message.notified_at is None and message.delivered_at is None
