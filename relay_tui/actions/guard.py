"""The action behind a commit hook and an edit hook: is anything of this held by somebody else?"""

from __future__ import annotations

import os
import sys

from relay_tui.actions.claims import resolve, where_typed
from relay_tui.base.errors import RelayError
from relay_tui.base.resources import parse_resource
from relay_tui.room.guarding import Guarded, guard_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.base.resources import Resource
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room


def guard(
    room: Room, me: Actor | None, paths: list[str] | None = None, *, staged: bool = False, stdin0: bool = False,
    advise: bool = False,
) -> Guarded:  # fmt: skip
    """Whether somebody else holds these paths, or the staged ones: exit 5 if so.

    relay guard src/auth/session.py
    """
    if [bool(paths), staged, stdin0].count(True) != 1:
        raise RelayError("usage", "Say what to look at.", "Give paths, or --staged, or --stdin0 for NUL-ended names.")
    wanted = resolve(room, paths, "project") if paths else claimable(room, _named(room, staged))
    return guard_paths(room, me.name if me else None, wanted, advise=advise)


def changed_paths(room: Room) -> dict[Resource, int]:
    """What git finds changed in this worktree and not committed, each with the moment of its last change.

    What is gone has no such moment and is left out. Raises what git raises.
    """
    from relay_tui.repo.details import dirty_paths

    top = where_typed(room)[1]
    found = {}
    for path in dirty_paths(top):
        try:
            changed_at = os.stat(os.path.join(top, path)).st_mtime_ns // 1000
        except OSError:
            continue
        found.update(dict.fromkeys(claimable(room, [os.path.join(top, path)]), changed_at))
    return found


def _named(room: Room, staged: bool) -> list[str]:
    """Names from git or from standard input, which count from the top of the tree."""
    if staged:
        from relay_tui.repo.staged import staged_paths

        names = staged_paths(room.folder)
    else:
        names = os.fsdecode(sys.stdin.buffer.read()).split("\0")
    top = room.place.worktree if room.place and room.place.worktree else room.folder
    return [os.path.join(top, name) for name in names if name]


def claimable(room: Room, names: list[str]) -> list[Resource]:
    """The keys of paths, as typed in the room's folder; those that no claim can have (not UTF-8, patterns, links
    out of the tree) are nobody's."""
    folder, top = where_typed(room)
    trees: dict[str, str] = {}
    found = []
    for name in names:
        try:
            found.append(parse_resource(name, folder, top, "project", trees))
        except RelayError as fault:
            if fault.code not in ("invalid", "outside_tree"):
                raise
    return found
