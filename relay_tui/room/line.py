"""The line in front of the writers' lock: whoever came first writes first (DESIGN §5).

`flock` alone keeps no order: between one holder's release and the next one's waking, whoever is running takes it. So
each writer draws a number, locks the byte of that number in a side file until it has the lock, and waits for the byte
before, for which nobody else waits. So one at a time waits for the lock itself, awake already when it is let go. The
kernel lets the byte go when its process dies.

The line excludes nobody, the lock behind it does. So whatever is odd about the line (a process that died or was
stopped in it, threads of one process, which POSIX locks do not tell apart, a damaged number) costs its order alone.
"""

from __future__ import annotations

import fcntl
import os

FILE = "relay.line"
PATIENCE = 1.0  # seconds at the most for those before: a hundred writers take less, and one of them may be stopped
_COUNTER = 0  # the byte that is locked while a number is drawn
_NUMBERS = 2**62


class Place:
    """One writer's place in the line of a home, from `enter` to `leave`."""

    def __init__(self, home: str) -> None:
        self._path = os.path.join(home, FILE)
        self._file = -1

    def enter(self, seconds: float) -> None:
        """Wait until those before are gone, for so many seconds at the most."""
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            self._wait_for(self._draw_number() - 1, min(seconds, PATIENCE))
        except OSError:  # another draws a number at this very moment, or there can be no line here
            self.leave()

    def leave(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _draw_number(self) -> int:
        """At least 2: one before it is always left. Raises `BlockingIOError` where somebody else draws one."""
        fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _COUNTER)
        number = int.from_bytes(os.pread(self._file, 8, 0), "big") % _NUMBERS + 2
        fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
        os.pwrite(self._file, (number - 1).to_bytes(8, "big"), 0)
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _COUNTER)
        return number

    def _wait_for(self, number: int, seconds: float) -> None:
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
        except BlockingIOError:
            from relay_tui.base.alarm import ends_within, is_main_thread

            if is_main_thread():
                ends_within(seconds, lambda: fcntl.lockf(self._file, fcntl.LOCK_EX, 1, number))
