"""Hearing of files that are saved: watchdog on their folders, and a look at each file once a second.

Editors save by writing, or by renaming a new file over the old one, or by removing it first; a folder may go away
and come back. So an event only says "look now", and what a file's own facts say decides.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from watchdog.events import FileSystemEvent, FileSystemEventHandler

from relay_tui.base.observers import start_observer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from watchdog.observers.api import BaseObserver

LOOK_EVERY = 1.0  # seconds between two looks when nothing rings
SETTLED = 0.1  # seconds without a change after which a file counts as saved
_MOST_WAITED = 2.0  # seconds after which a file that never holds still is looked at anyway
_READING = ("opened", "closed_no_write")

# The inode, the time of the last change and the size; None where there is no file.
State = tuple[int, int, int] | None


class Saves(FileSystemEventHandler):
    """Files that are watched from the moment this is made; `wait` says which of them were saved since."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._seen = {path: _state(path) for path in paths}
        self._rung = threading.Event()
        self._over = False
        self._observer = start_observer(self._schedule)

    def __enter__(self) -> Saves:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def on_any_event(self, event: FileSystemEvent) -> None:
        names = {os.fsdecode(event.src_path), os.fsdecode(event.dest_path)}
        if event.event_type not in _READING and not names.isdisjoint(self._seen):
            self._rung.set()

    @property
    def is_over(self) -> bool:
        return self._over

    def wait(self) -> list[str]:
        """The files that are others now, after each held still; none where a second passed without any."""
        self._rung.wait(LOOK_EVERY)
        self._rung.clear()
        changed = [path for path, seen in self._seen.items() if _state(path) != seen and not self._over]
        for path in changed:
            self._seen[path] = self._settled(path)
        return changed

    def close(self) -> None:
        """Another thread's `wait` returns at once, with nothing."""
        self._over = True
        self._rung.set()
        if self._observer is not None:
            self._observer.stop()

    def _settled(self, path: str) -> State:
        """The file's facts once they did not change for a while: a save may take several steps."""
        patience = time.monotonic() + _MOST_WAITED
        while True:
            before = _state(path)
            time.sleep(SETTLED)
            if _state(path) == before or time.monotonic() > patience:
                return before

    def _schedule(self, observer: BaseObserver) -> None:
        for folder in {os.path.dirname(path) for path in self._seen}:
            if os.path.isdir(folder):
                observer.schedule(self, folder, recursive=False)


def _state(path: str) -> State:
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_ino, facts.st_mtime_ns, facts.st_size
