"""Hearing of commits, new branches and worktrees: watchdog on git's own files. Reads nothing and starts no git."""

from __future__ import annotations

import os
from contextlib import suppress
from logging import NullHandler, getLogger
from typing import TYPE_CHECKING

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

if TYPE_CHECKING:
    from collections.abc import Callable

    from watchdog.observers.api import BaseObserver, ObservedWatch

# Not what only reads: one `git worktree list` opens some eight files for each worktree.
_WRITING: list[type[FileSystemEvent]] = [
    FileCreatedEvent, FileModifiedEvent, FileMovedEvent, FileDeletedEvent,
    DirCreatedEvent, DirMovedEvent, DirDeletedEvent,
]  # fmt: skip
_FOLDERS = ("refs", "reftable", "worktrees")


class _OnChange(FileSystemEventHandler):
    """Rings, and follows the folders that git makes with the first thing in them and removes with the last."""

    def __init__(self, observer: BaseObserver, repository: str, ring: Callable[[], object]) -> None:
        self._observer = observer
        self._ring = ring
        self._watches: dict[str, ObservedWatch] = {}
        self.folders = [os.path.join(repository, name) for name in _FOLDERS]

    def on_any_event(self, event: FileSystemEvent) -> None:
        path = os.fsdecode(event.dest_path or event.src_path)
        if path.endswith(".lock"):
            return
        if event.event_type == "created" and path in self.folders:
            with suppress(OSError):  # gone again, or no watches left: whoever waits looks again by time
                self.follow(path)
        self._ring()

    def follow(self, folder: str) -> None:
        if folder in self._watches:
            self._observer.unschedule(self._watches.pop(folder))
        self._watches[folder] = self._observer.schedule(self, folder, recursive=True, event_filter=_WRITING)


def watch_refs(repository: str, ring: Callable[[], object]) -> Callable[[], None]:
    """Ring, in a thread of watchdog's, for every change of HEAD, refs or worktrees; the answer stops it.

    Where the system has no watches to give nothing rings, and whoever waits looks again by time.
    """
    getLogger("watchdog").addHandler(NullHandler())  # its warnings on the way out are not for a person's terminal
    observer = Observer()
    on_change = _OnChange(observer, repository, ring)
    observer.schedule(on_change, repository, recursive=False, event_filter=_WRITING)
    for folder in filter(os.path.isdir, on_change.folders):
        on_change.follow(folder)
    try:
        observer.start()
    except OSError:
        return lambda: None
    return observer.stop
