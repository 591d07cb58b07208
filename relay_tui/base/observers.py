"""Starting watchdog's observers of files, which either run or hold nothing: watches are scarce where they run out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from watchdog.observers.api import BaseObserver


def start_observer(schedule: Callable[[BaseObserver], object]) -> BaseObserver | None:
    """A running observer of all that `schedule` tells it to watch; None where the system has no watches for that."""
    from logging import NullHandler, getLogger

    from watchdog.observers import Observer

    log = getLogger("watchdog")
    if not log.handlers:
        log.addHandler(NullHandler())  # its warnings are not for a person's terminal
    observer = Observer()
    schedule(observer)
    try:
        observer.start()
    except OSError:
        observer.unschedule_all()  # those before the one that failed do run
        return None
    return observer
