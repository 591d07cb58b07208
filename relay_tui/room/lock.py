"""The writers' queue: one `flock` on a side file in front of every write and checkpoint (DESIGN §5).

The kernel keeps the queue and frees the lock when its holder dies. A waiter blocks until its deadline and
is then told who holds the lock, which the holder wrote into the file.
"""

from __future__ import annotations

import fcntl
import os
import sys

from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.base.times import age, system_clock

FILE = "relay.lock"
DEADLINE = 15.0  # seconds, unless RELAY_BUSY says otherwise


class WriterLock:
    """The lock of one home. Not reentrant; one object serves one thread at a time."""

    def __init__(self, home: str, deadline: float = DEADLINE) -> None:
        self.path = os.path.join(home, FILE)
        self.deadline = deadline
        self._file = -1

    def acquire(self) -> None:
        """Take the lock or wait for it. Raises `busy` with the holder's words after the deadline."""
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            self._wait()
            self._sign()
        except BaseException:
            os.close(self._file)
            raise

    def release(self) -> None:
        os.close(self._file)

    def _wait(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if self.deadline <= 0 or not _wait_until(self._file, self.deadline):
                raise self._busy() from None

    def _sign(self) -> None:
        words = f"{os.getpid()}\t{system_clock()}\t{' '.join(sys.argv[:3])[:200]}\n"
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, words.encode("utf-8", "replace"), 0)

    def _busy(self) -> RelayError:
        pid, since, command = (os.pread(self._file, 400, 0).decode("utf-8", "replace") + "\t\t").split("\t")[:3]
        if not pid.isdigit() or not since.isdigit():
            return RelayError("busy", "Somebody else is writing.", "Try again.", {"holder": None})
        command = inert(command.strip())
        held = age(int(since), system_clock())
        message = f"Process {pid} ({command}) has been writing for {held}."
        holder = {"pid": int(pid), "command": command, "since": int(since)}
        return RelayError("busy", message, "Try again, or look at that process.", {"holder": holder})


def _wait_until(file: int, seconds: float) -> bool:
    """Whether the lock was granted in time: by an alarm in the main thread, else by a helper thread."""
    import threading

    if threading.current_thread() is threading.main_thread():
        return _wait_with_alarm(file, seconds)
    return _wait_with_thread(file, seconds)


def _wait_with_alarm(file: int, seconds: float) -> bool:
    import signal

    def give_up(_signal: int, _frame: object) -> None:
        raise TimeoutError

    previous = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
    except TimeoutError:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    return True


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
