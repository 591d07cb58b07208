"""The writers' lock: one `flock` on a side file around every write and checkpoint (DESIGN §5).

The kernel frees it when its holder dies. A waiter stands in line first, blocks until its deadline, and is then told
who holds the lock, which the holder wrote into the file.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time
from itertools import takewhile

from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.base.times import age, system_clock
from relay_tui.room.line import Place

FILE = "relay.lock"
DEADLINE = 15.0  # seconds, unless RELAY_BUSY says otherwise
A_MOMENT = 1.0  # seconds that those before may take, also where somebody's own time is over
_WORDS = 240  # bytes, always: a file that is cut to another length each time makes the next flush a third slower


class WriterLock:
    """The lock of one home. Not reentrant; one object serves one thread at a time."""

    def __init__(self, home: str, deadline: float = DEADLINE) -> None:
        self.path = os.path.join(home, FILE)
        self.deadline = deadline
        self._place = Place(home)
        self._file = -1

    def acquire(self) -> None:
        """Take the lock or wait for it. Raises `busy` with the holder's words after the deadline."""
        try:
            self._take()
            self._sign()
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _take(self) -> None:
        """At once where that is possible or no time is given, else in turn."""
        ends = time.monotonic() + self.deadline
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            if self.deadline > 0:
                self._place.enter(self.deadline)
            self._wait(ends)
        finally:
            self._place.leave()

    def _wait(self, ends: float) -> None:
        if self._is_free():
            return
        left = ends - time.monotonic()
        if left > 0 and _wait_until(self._file, left):
            return
        if not self._is_free():  # which it may have become while this very process was stopped
            raise self._busy()

    def _is_free(self) -> bool:
        """Whether nobody held it, and now this does."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _sign(self) -> None:
        words = f"{os.getpid()}\t{system_clock()}\t{_command()}\n".encode("utf-8", "replace")
        os.pwrite(self._file, words[:_WORDS].ljust(_WORDS), 0)

    def _busy(self) -> RelayError:
        """Who holds it: one that was stopped before it signed, or that does not know relay, leaves the words of whoever
        had it before."""
        from relay_tui.base.processes import lock_holder, name_of

        pid, since, command = (os.pread(self._file, _WORDS, 0).decode("utf-8", "replace") + "\t\t").split("\t")[:3]
        found = lock_holder(self._file)
        if found is not None and str(found) != pid:
            told = {"pid": found, "command": inert(name_of(found)), "since": None}
            message = f"Process {found} ({told['command']}) holds the writers' lock."
            return RelayError("busy", message, "Try again, or look at that process.", {"holder": told})
        if not pid.isdigit() or not since.isdigit() or _has_ended(int(pid)):
            return RelayError("busy", "Somebody else is writing.", "Try again.", {"holder": None})
        command = inert(command.strip())
        held = age(int(since), system_clock())
        message = f"Process {pid} ({command}) has been writing for {held}."
        holder = {"pid": int(pid), "command": command, "since": int(since)}
        return RelayError("busy", message, "Try again, or look at that process.", {"holder": holder})


def _has_ended(pid: int) -> bool:
    from relay_tui.base.processes import identify

    try:
        return identify(pid) is None
    except PermissionError:
        return False


def _command() -> str:
    """The program and its command; no option, whose value may be somebody's mail."""
    program, *words = sys.argv[:3]
    return " ".join([program, *takewhile(lambda word: not word.startswith("-"), words)])


def _wait_until(file: int, seconds: float) -> bool:
    """Whether the lock was granted in time: by an alarm in the main thread, else by a helper thread."""
    from relay_tui.base.alarm import ends_within, is_main_thread

    if is_main_thread():
        return ends_within(seconds, lambda: fcntl.flock(file, fcntl.LOCK_EX))
    return _wait_with_thread(file, seconds)


def _wait_with_thread(file: int, seconds: float) -> bool:
    """`flock` belongs to the open file, so a duplicate that a helper thread waits on locks it for us."""
    import threading

    ours = os.dup(file)
    granted = threading.Event()

    def wait() -> None:
        try:
            fcntl.flock(ours, fcntl.LOCK_EX)
            granted.set()
        finally:
            os.close(ours)

    threading.Thread(target=wait, daemon=True, name="relay-lock").start()
    return granted.wait(seconds)
