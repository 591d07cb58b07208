"""What tells the screen that git has changed: watchdog on the repository, set up in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from textual.message import Message

from relay_tui.actions.branch_looks import watch_branches
from relay_tui.base.errors import RelayError
from relay_tui.tui.beside import start_beside
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
        start_beside(self._watch, self._post, "relay-git-pulse")

    def stop(self) -> None:
        if self._stop is not None:
            self._stop()

    def _watch(self) -> None:
        with suppress(RelayError), self._desk.borrowed() as room:  # every other reading says why it cannot be read
            self._stop = watch_branches(room, lambda: self._post(GitChanged()))
