"""The process that waits beside a session to wake it, in a file of the home that names it; no ledger, no database."""

from __future__ import annotations

import os

from relay_tui.base.digest import sha256
from relay_tui.base.processes import identify

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.rooms import Room

WAITERS = "wakers"  # in the home: a file for each session


def waiter_path(room: Room, session: str | None) -> str:
    """The file in which the process that waits beside a session names itself."""
    return os.path.join(room.store.home, WAITERS, sha256(f"{room.row.id}:{session}".encode()).digest().hex()[:32])


def waiter_name(pid: int) -> str:
    """What a waiter writes there, which no later process under its pid can pass for."""
    running = identify(pid)
    return f"{pid} {running.start if running else 0}"


def has_waiter(room: Room, session: str | None) -> bool:
    """Whether a hook waits beside the session, and will wake it."""
    pid, _, start = read_waiter(waiter_path(room, session)).partition(" ")
    running = identify(int(pid)) if pid.isdecimal() else None
    return running is not None and start == str(running.start)


def read_waiter(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""
