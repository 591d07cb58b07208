"""`watch`: one notice for each new message, as it arrives; it notifies once and never delivers."""

from __future__ import annotations

import time

from relay_tui.base.errors import RelayError
from relay_tui.base.times import SECOND
from relay_tui.room.agents import require_agent
from relay_tui.room.bell import Bell
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

LOOK_EVERY = 1.0  # seconds at the most between two looks when nothing rings
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
    told = False
    with Bell(room.store.home) as bell:
        while True:
            found = _new_messages(room, me, after)
            for message in found:
                after = message.seq if after is not None else None
                yield Notice(
                    message.seq, message.sent_at, "message", message.id, message.from_, message.summary,
                    message.thread,
                )  # fmt: skip
            told = told or bool(found)
            if ends is not None and (told or time.monotonic() >= ends):
                break
            bell.wait(LOOK_EVERY if ends is None else min(LOOK_EVERY, max(ends - time.monotonic(), 0.0)))
    if not told:
        raise RelayError("timeout", "No message came in time.", "Watch again, or go on.")


def _new_messages(room: Room, me: Actor, after: int | None) -> list[Message]:
    """What to tell now, recorded as notified before it is told, so that nothing is told twice."""
    now = room.clock()
    with room.reading() as db:
        known = require_agent(db, room.row.key, me.name, now, room.settings, f"Run: relay join --as {me.name}")
        found = list_open(db, known.row.key, now, after or 0, _BATCH)
    fresh = [message for message in found if message.notified_at is None]
    if fresh:
        with room.writing(me) as tx:
            tx.append("message.notified", {
                "agent": me.name, "messages": [message.id for message in fresh], "by": "watch",
            })  # fmt: skip
    return fresh if after is None else found
