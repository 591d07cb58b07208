"""The programs that relay has started and that must not outlive it, each the leader of a process group of its own.

A signal that cannot be caught (SIGKILL) leaves them: no system that relay runs on ends a child with its parent.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from subprocess import Popen
    from types import FrameType
    from typing import Any

# What a process has started is the process's own, so this is the one state that relay keeps outside of its objects.
_groups: set[int] = set()
_is_over = False


def follow(pid: int) -> None:
    """The group is ended with relay from now on; at once where relay is just being left."""
    _groups.add(pid)
    if _is_over:
        end_group(pid)


def finish(child: Popen[bytes]) -> None:
    """End it where it still runs, and follow it no more: its number may soon be somebody else's."""
    if child.returncode is None:
        end_group(child.pid)
        child.wait()
    _groups.discard(child.pid)
    for pipe in (child.stdout, child.stderr):
        if pipe is not None:
            pipe.close()


def end_group(pid: int) -> None:
    """With all that it has started: a program that waits for a child of its own holds our pipes open."""
    import signal

    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def end_children() -> None:
    """End all that still run, and whatever is started after: for a process that is about to end."""
    global _is_over
    _is_over = True
    for pid in list(_groups):
        end_group(pid)


def end_children_on_signals() -> None:
    """Where a signal would end relay on the spot, the children go first; a door that has its own way out keeps it."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        if before in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _children_first(before))


def _children_first(before: Any) -> Callable[[int, FrameType | None], None]:
    import signal

    def leave(number: int, frame: FrameType | None) -> None:
        end_children()
        if callable(before):
            before(number, frame)
        signal.signal(number, before)
        os.kill(os.getpid(), number)

    return leave
