"""Waiting beside an idle session until there is mail to wake it for: one waiter a session (DESIGN §9).

A newer waiter of the same session takes the older one's place, and a waiter ends with its client.
"""

from __future__ import annotations

import os

from relay_tui.base.digest import sha256
from relay_tui.room.bell import Bell
from relay_tui.room.notices import read_untold, take_untold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.ledger import Actor
    from relay_tui.room.notices import Untold
    from relay_tui.room.rooms import Room

FOLDER = "wakers"  # in the home: a file for each session, naming the process that waits for it
LOOK_EVERY = 1.0  # seconds at the most between two looks


def wait_for_mail(room: Room, me: Actor) -> list[Untold]:
    """Mail that `me` was not told of, recorded as notified; nothing where another waiter came, the agent left
    or the client ended."""
    path, mine, client = _take_place(room, me), str(os.getpid()), os.getppid()
    with Bell(room.store.home) as bell:
        while _reads(path) == mine and os.getppid() == client:
            if _has_mail(room, me):
                return take_untold(room, me, "wake")
            bell.wait(LOOK_EVERY)
    return []


def _has_mail(room: Room, me: Actor) -> bool:
    from relay_tui.room.agents import require_reader

    with room.reading() as db:
        known = require_reader(db, room, me.name, room.clock())
        return known.row.standing == "here" and bool(read_untold(db, known.row.key, room.clock()))


def _take_place(room: Room, me: Actor) -> str:
    """Name this process as the one that waits for the session; the one before sees it and ends."""
    folder = os.path.join(room.store.home, FOLDER)
    os.makedirs(folder, 0o700, exist_ok=True)
    path = os.path.join(folder, sha256(f"{room.row.id}:{me.session}".encode()).digest().hex()[:32])
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(file, "w") as out:
        out.write(str(os.getpid()))
    return path


def _reads(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""
