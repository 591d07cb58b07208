"""Hearing of commits, new branches and worktrees: watchdog on git's own files. Reads nothing and starts no git."""

from __future__ import annotations

import os
from contextlib import suppress
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

from relay_tui.base.observers import start_observer

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

    _observer: BaseObserver

    def __init__(self, repository: str, ring: Callable[[], object]) -> None:
        self._repository = repository
        self._ring = ring
        self._watches: dict[str, ObservedWatch] = {}
        self._folders = [os.path.join(repository, name) for name in _FOLDERS]

    def schedule(self, observer: BaseObserver) -> None:
        self._observer = observer
        observer.schedule(self, self._repository, recursive=False, event_filter=_WRITING)
        for folder in filter(os.path.isdir, self._folders):
            self._follow(folder)

    def on_any_event(self, event: FileSystemEvent) -> None:
        path = os.fsdecode(event.dest_path or event.src_path)
        if path.endswith(".lock"):
            return
        if event.event_type == "created" and path in self._folders:
            with suppress(OSError):  # gone again, or no watches left: whoever waits looks again by time
                self._follow(path)
        self._ring()

    def _follow(self, folder: str) -> None:
        if folder in self._watches:
            self._observer.unschedule(self._watches.pop(folder))
        self._watches[folder] = self._observer.schedule(self, folder, recursive=True, event_filter=_WRITING)


def watch_refs(repository: str, ring: Callable[[], object]) -> Callable[[], None]:
    """Ring, in a thread of watchdog's, for every change of HEAD, refs or worktrees; the answer stops it.

    Where the system has no watches to give nothing rings, and whoever waits looks again by time.
    """
    observer = start_observer(_OnChange(repository, ring).schedule)
    return observer.stop if observer else lambda: None
