"""Waiting beside an idle session until there is mail to wake it for: one waker a session (DESIGN §9).

A newer waker of the same session takes the older one's place, and a waker ends with its client.
"""

from __future__ import annotations

import os

from relay_tui.room.agents import require_reader
from relay_tui.room.bell import LOOK_EVERY, Bell
from relay_tui.room.notices import take_untold
from relay_tui.room.wakers import read_waker, waker_name, waker_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.ledger import Actor
    from relay_tui.room.notices import Untold
    from relay_tui.room.rooms import Room


def wait_for_mail(room: Room, me: Actor) -> list[Untold]:
    """Mail that `me` was not told of, recorded as notified; nothing where another waker came, the agent left
    or the client ended."""
    mine, client = waker_name(os.getpid()), os.getppid()
    path = _take_place(room, me, mine)
    try:
        with Bell(room.store.home) as bell:
            while read_waker(path) == mine and os.getppid() == client and (standing := _standing(room, me)):
                if standing == "here" and (mail := take_untold(room, me, "wake")):
                    return mail
                bell.wait(LOOK_EVERY)
        return []
    finally:
        if read_waker(path) == mine:
            os.unlink(path)


def _standing(room: Room, me: Actor) -> str | None:
    """None where the agent left, or goes on in another session."""
    with room.reading() as db:
        row = require_reader(db, room, me.name, room.clock()).row
    return None if row.standing in ("left", "retired") or row.session != me.session else row.standing


def _take_place(room: Room, me: Actor, mine: str) -> str:
    """Name this process as the one that waits for the session; the one before sees it and ends."""
    path = waker_path(room, me.session)
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(file, "w") as out:
        out.write(mine)
    return path
