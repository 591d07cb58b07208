"""The process that waits beside a session to wake it, in a file of the home that names it; no ledger, no database."""

from __future__ import annotations

import os

from relay_tui.base.digest import hex_digest
from relay_tui.base.processes import identify

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.rooms import Room

FOLDER = "wakers"  # in the home: a file for each session


def waker_path(room: Room, session: str | None) -> str:
    """The file in which the process that waits beside a session names itself."""
    return os.path.join(room.store.home, FOLDER, hex_digest(f"{room.row.id}:{session}".encode())[:32])


def waker_name(pid: int) -> str:
    """What a waker writes there, which no later process under its pid can pass for."""
    running = identify(pid)
    return f"{pid} {running.start if running else 0}"


def has_waker(room: Room, session: str | None) -> bool:
    """Whether a hook waits beside the session, and will wake it."""
    pid, _, start = read_waker(waker_path(room, session)).partition(" ")
    running = identify(int(pid)) if pid.isdecimal() else None
    return running is not None and start == str(running.start)


def read_waker(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""
