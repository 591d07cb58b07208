"""Hearing of commits, new branches and worktrees: watchdog on git's own files. Reads nothing and starts no git."""

from __future__ import annotations

import os
from collections.abc import Callable
from logging import NullHandler, getLogger

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

_READING = ("opened", "closed_no_write")


class _OnChange(FileSystemEventHandler):
    def __init__(self, ring: Callable[[], object]) -> None:
        self._ring = ring

    def on_any_event(self, event: FileSystemEvent) -> None:
        path = os.fsdecode(event.dest_path or event.src_path)
        if event.event_type not in _READING and not path.endswith(".lock"):
            self._ring()


def watch_refs(repository: str, ring: Callable[[], object]) -> Callable[[], None]:
    """Ring, in a thread of watchdog's, for every change of HEAD, refs or worktrees; the answer stops it.

    Where the system has no watches to give nothing rings, and whoever waits looks again by time.
    """
    getLogger("watchdog").addHandler(NullHandler())  # its warnings on the way out are not for a person's terminal
    observer = Observer()
    on_change = _OnChange(ring)
    observer.schedule(on_change, repository, recursive=False)
    for folder in ("refs", "worktrees"):
        if os.path.isdir(os.path.join(repository, folder)):
            observer.schedule(on_change, os.path.join(repository, folder), recursive=True)
    try:
        observer.start()
    except OSError:
        return lambda: None
    return observer.stop
