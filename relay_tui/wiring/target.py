"""Where a client's files are: below a project, or in the person's own folders."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.wiring.clients import FileWiring
else:
    from relay_tui.base.record import NamedTuple

# Folders that a person may have moved, and the variables that say where to.
_MOVED = {".claude": "CLAUDE_CONFIG_DIR", ".codex": "CODEX_HOME", ".config": "XDG_CONFIG_HOME"}


def client_folder(name: str, person: str) -> str:
    """A folder that a client keeps in a person's home, such as `.claude`, or where a variable has moved it."""
    return os.environ.get(_MOVED.get(name, "")) or os.path.join(person, name)


class Target(NamedTuple):
    """Files below `root`; with `is_user` those that the clients read in every project."""

    root: str
    is_user: bool = False

    def files(self, client: str, *, wake: bool = False) -> list[FileWiring]:
        from relay_tui.wiring.clients import wiring_of

        wiring = wiring_of(client, wake=wake)
        return wiring.user if self.is_user else wiring.project

    def name(self, wiring: FileWiring) -> str:
        """What a person calls the file."""
        if not self.is_user:
            return wiring.path
        path = self._path(wiring)
        return f"~/{wiring.path}" if path == os.path.join(self.root, wiring.path) else path

    def path(self, wiring: FileWiring) -> str:
        """The real file, through links. Raises `outside_tree` for a link that leads out of a project."""
        from relay_tui.wiring.files import real_path

        return self._real(wiring) if self.is_user else real_path(self.root, wiring.path)

    def other_name(self, wiring: FileWiring) -> str | None:
        """Another client's file, or another one of this client's, that a link makes the same as this one."""
        from relay_tui.wiring.clients import GENERIC, INCLUDES, NAMES

        for client in (*NAMES, *([] if self.is_user else [GENERIC])):
            for other in self.files(client):
                if other.path not in (wiring.path, *INCLUDES) and self._real(other) == self._real(wiring):
                    return self.name(other)
        return None

    def _real(self, wiring: FileWiring) -> str:
        return os.path.realpath(self._path(wiring))

    def _path(self, wiring: FileWiring) -> str:
        if not self.is_user:
            return os.path.join(self.root, wiring.path)
        first, _, rest = wiring.path.partition("/")
        return os.path.join(client_folder(first, self.root), rest)

    @property
    def agents_path(self) -> str:
        """The real AGENTS.md of the project."""
        from relay_tui.wiring.clients import AGENTS

        return os.path.realpath(os.path.join(self.root, AGENTS))


def person() -> Target:
    return Target(os.path.expanduser("~"), True)
