"""A bell that rings when another process has written: watchdog on the database's folder (DESIGN §8, live).

It rings when a writer closes the lock, which every writer does once, right after its commit can be seen. What SQLite
writes into its own files comes many times a commit and before it. Whoever waits decides by `PRAGMA data_version` or by
a cursor, and looks once a second besides. Where files cannot be watched it only polls.
"""

from __future__ import annotations

import os
import sys
import threading
import time

from relay_tui.room import lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from watchdog.observers.api import BaseObserver

LOOK_EVERY = 1.0  # seconds at the most between two looks of who waits for it
POLL_EVERY = 0.25  # seconds, when nothing can ring


class Bell:
    """Rings for writes in one home. `polling` says that nothing rings and the caller is woken by time."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._rung = threading.Event()
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
        """Until the next ring, at most `seconds`."""
        if self.polling:
            time.sleep(min(seconds, POLL_EVERY))
        elif self._rung.wait(seconds):
            self._rung.clear()

    def _ring(self) -> None:
        self._rung.set()


def _observe(home: str, ring: Callable[[], None]) -> BaseObserver | None:
    """A running observer on the home, or None where the system has no more watches to give."""
    from watchdog.events import FileClosedEvent, FileSystemEvent, FileSystemEventHandler

    from relay_tui.base.observers import start_observer

    class OnWrite(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            if os.fsdecode(event.src_path).endswith(lock.FILE):
                ring()

    # Other systems tell that a file was changed, and not that it was closed.
    events: list[type[FileSystemEvent]] | None = [FileClosedEvent] if sys.platform == "linux" else None
    return start_observer(lambda observer: observer.schedule(OnWrite(), home, recursive=False, event_filter=events))
