"""The paths of a repository, as words are completed with them: folder by folder, what git has before the rest."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from threading import Lock

from relay_tui.actions.paths import list_claimable
from relay_tui.base.errors import RelayError
from relay_tui.tui.readings.known import FILES_SHOWN, list_paths

_AFTER_SLASH = chr(ord("/") + 1)


class PathTree:
    """Git is asked once, in the thread that asks first; that one waits."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._paths: Sequence[str] | None = None
        self._reading = Lock()

    def beginning(self, typed: str) -> list[str]:
        """Files and folders, these with a slash, that begin as typed."""
        tracked = islice(next_steps(self._read(), typed), FILES_SHOWN)
        return list(dict.fromkeys([*tracked, *list_paths(self._folder, typed)]))

    def _read(self) -> Sequence[str]:
        with self._reading:
            if self._paths is None:
                try:
                    self._paths = list_claimable(self._folder)
                except RelayError:
                    self._paths = ()  # outside of git there is what the disk has
            return self._paths


def next_steps(paths: Sequence[str], typed: str) -> Iterator[str]:
    """What could stand next of sorted paths: a file, or a folder as far as its slash. Hidden ones when asked for."""
    begins = typed.rfind("/") + 1
    place = bisect_left(paths, typed)
    while place < len(paths) and paths[place].startswith(typed):
        name, slash, _ = paths[place][begins:].partition("/")
        step = paths[place][:begins] + name
        if not name.startswith(".") or typed[begins:].startswith("."):
            yield step + slash
        place = bisect_left(paths, step + _AFTER_SLASH, place + 1) if slash else place + 1
