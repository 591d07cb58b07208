"""A bell that rings when another process writes: watchdog on the database's folder (DESIGN §8, live).

The event can come before the commit is visible, so a bell only says "look now, and again soon", and rings once more
when the writer lets the lock go, which is after it, however slow the disk is. Whoever waits decides by
`PRAGMA data_version` or by a cursor. Where files cannot be watched it only polls.
"""

from __future__ import annotations

import threading
import time

from relay_tui.base.places import DATABASE
from relay_tui.room import lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from watchdog.observers.api import BaseObserver

LOOK_EVERY = 1.0  # seconds at the most between two looks of who waits for it
POLL_EVERY = 0.25  # seconds, when nothing can ring
_LOOK_AGAIN = (0.002, 0.008, 0.03)  # seconds after a ring, while the commit may still be on its way


class Bell:
    """Rings for writes in one home. `polling` says that nothing rings and the caller is woken by time."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._rung = threading.Event()
        self._echoes: list[float] = []
        self._observer: BaseObserver | None = None
        self.polling = False

    def __enter__(self) -> Bell:
        self._observer = _observe(self._home, self._ring)
        self.polling = self._observer is None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()

    def wait(self, seconds: float) -> None:
        """Until the next ring or its echo, at most `seconds`."""
        if self.polling:
            time.sleep(min(seconds, POLL_EVERY))
            return
        patience = self._echoes.pop(0) if self._echoes else seconds
        if self._rung.wait(min(patience, seconds)):
            self._rung.clear()
            self._echoes = list(_LOOK_AGAIN)

    def _ring(self) -> None:
        self._rung.set()


def _observe(home: str, ring: Callable[[], None]) -> BaseObserver | None:
    """A running observer on the home, or None where the system has no more watches to give."""
    from watchdog.events import FileSystemEvent, FileSystemEventHandler

    from relay_tui.base.observers import start_observer

    class OnWrite(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            paths = str(event.src_path) + str(event.dest_path)
            is_written = DATABASE in paths and event.event_type not in ("opened", "closed_no_write")
            if is_written or (event.event_type == "closed" and paths.endswith(lock.FILE)):
                ring()

    return start_observer(lambda observer: observer.schedule(OnWrite(), home, recursive=False))
