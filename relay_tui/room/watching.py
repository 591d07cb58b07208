"""`watch`: one notice for each new message, as it arrives; it notifies once and never delivers."""

from __future__ import annotations

import time

from relay_tui.base.errors import RelayError
from relay_tui.base.times import SECOND
from relay_tui.room.agents import require_reader
from relay_tui.room.bell import LOOK_EVERY, Bell
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
    """Notices of open messages behind the cursor, or of those not notified before; then of new ones.

    With `timeout` (microseconds) it ends after messages came, or raises `timeout` without one.
    """
    ends = None if timeout is None else time.monotonic() + timeout / SECOND
    told, seen = False, after or 0
    file = room.store.inode
    room.store.keep_open = True  # opening the file anew for each fact took as long as making it durable
    with Bell(room.store.home) as bell:
        while True:
            if room.store.inode != file:
                file, seen = room.store.inode, after or 0  # a restored ledger counts on from an earlier number
            found, ended = _look(room, me, seen, again=after is not None)
            for message in found:
                yield Notice(
                    message.seq, message.sent_at, "message", message.id, message.from_, message.summary,
                    message.thread,
                )  # fmt: skip
            told = told or bool(found)
            if ended > seen:
                seen = ended
                continue
            if ends is not None and (told or time.monotonic() >= ends):
                break
            bell.wait(LOOK_EVERY if ends is None else min(LOOK_EVERY, max(ends - time.monotonic(), 0.0)))
    if not told:
        raise RelayError("timeout", "No message came in time.", "Watch again, or go on.")


def _look(room: Room, me: Actor, seen: int, *, again: bool) -> tuple[list[Message], int]:
    """What to tell of the open messages behind `seen`, and where this look ended.

    Each is recorded as notified before it is told, so that two watchers do not tell the same; with `again`
    those notified before are told too.
    """
    now = room.clock()
    with room.reading() as db:
        known = require_reader(db, room, me.name, now)
        found = list_open(db, known.row.key, now, seen, _BATCH)
    fresh: list[Message] = []
    if any(message.notified_at is None for message in found):
        with room.writing(me) as tx:
            found = list_open(tx.db, known.row.key, tx.now, seen, _BATCH)
            fresh = [message for message in found if message.notified_at is None]
            if fresh:
                tx.append("message.notified", {
                    "agent": me.name, "messages": [message.id for message in fresh], "by": "watch",
                })  # fmt: skip
    return found if again else fresh, found[-1].seq if found else seen
