"""What tells the screen that git has changed: watchdog on the repository, set up in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from textual.message import Message

from relay_tui.actions.branch_looks import watch_branches
from relay_tui.base.errors import RelayError
from relay_tui.tui.desk import Desk


class GitChanged(Message):
    """A branch, HEAD or a worktree is another now. A burst of them is one."""

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, GitChanged)


class GitPulse:
    """Posts `GitChanged`. Setting up the watches takes as long as the repository has folders."""

    def __init__(self, desk: Desk, post: Callable[[Message], object]) -> None:
        self._desk = desk
        self._post = post
        self._stop: Callable[[], None] | None = None

    def start(self) -> None:
        threading.Thread(target=self._watch, name="relay-git-pulse", daemon=True).start()

    def stop(self) -> None:
        if self._stop is not None:
            self._stop()

    def _watch(self) -> None:
        try:
            with self._desk.borrowed() as room:
                self._stop = watch_branches(room, lambda: self._post(GitChanged()))
        except RelayError:
            return  # the room cannot be read, which every other reading says
