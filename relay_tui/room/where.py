"""Where a line is typed, and how a resource is written there so that a shell and relay read it as meant."""

from __future__ import annotations

import os

from relay_tui.base.resources import spell
from relay_tui.base.text import shell_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.rooms import Room


def where_typed(room: Room) -> tuple[str, str]:
    """The folder that paths count from, and its tree; for a room named from elsewhere both are its root."""
    root = room.row.root if room.exists else room.folder
    place = room.own_place
    if place is None and not f"{room.folder}/".startswith(f"{root.rstrip('/')}/"):
        return root, root
    return room.folder, place.worktree if place and place.worktree else root


def typed_here(room: Room, scope: str, resource: str) -> str:
    """A resource as it is typed: a path counts from where one stands, and is no option."""
    if scope != "project":
        return spell(scope, resource)
    folder, top = where_typed(room)
    path = spell(scope, os.path.relpath(os.path.join(top, resource), folder))
    return f"./{path}" if path.startswith("-") else path


def word_here(room: Room, scope: str, resource: str) -> str:
    """The same as a word of a line, for a shell."""
    return shell_word(typed_here(room, scope, resource))
