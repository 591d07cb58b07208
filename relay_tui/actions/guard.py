"""The action behind a commit hook and an edit hook: is anything of this held by somebody else?"""

from __future__ import annotations

import os

from relay_tui.actions.claims import resolve_both
from relay_tui.base.errors import RelayError
from relay_tui.base.resources import parse_resource
from relay_tui.room.guarding import Guarded, guard_paths
from relay_tui.room.where import where_typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from relay_tui.base.resources import Resource
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room

_FILES_LOOKED_AT = 5000  # for all paths together
_NAMES_BYTES = 16 << 20


def guard(
    room: Room, me: Actor | None, paths: list[str] | None = None, *, staged: bool = False, stdin0: bool = False,
    advise: bool = False,
) -> Guarded:  # fmt: skip
    """Whether somebody else holds these paths, or the staged ones. Exit 5 if so.

    relay guard src/auth/session.py
    """
    if [bool(paths), staged, stdin0].count(True) != 1:
        raise RelayError("usage", "Say what to look at.", "Give paths, or --staged, or --stdin0 for NUL-ended names.")
    names = paths or _named(room, staged)
    wanted = resolve_both(room, paths, "project") if paths else recorded(room, names)
    guarded = guard_paths(room, me.name if me else None, wanted, advise=advise)
    return guarded._replace(checked=len(names), doubts=_doubts(room, me, guarded))


def changed_paths(room: Room, since: Sequence[tuple[str, int]]) -> dict[Resource, int]:
    """What git finds changed in this worktree and not committed, each with the moment of its last change.

    `since` are paths with moments: git is not asked where by the look of the files nothing in them has changed
    after those. Raises what git raises.
    """
    top = where_typed(room)[1]
    if not _has_changed([(os.path.join(top, path), moment) for path, moment in since]):
        return {}
    from relay_tui.repo.details import STATUS_DEADLINE, dirty_paths

    found = {}
    for name in dirty_paths(top, STATUS_DEADLINE):
        path = os.path.join(top, name)
        found.update(dict.fromkeys(recorded(room, [path]), _changed_at(path)))
    return found


def _has_changed(since: Sequence[tuple[str, int]]) -> bool:
    """Whether a path, or anything below it, was changed after its moment; of many files nobody can say quickly."""
    left = _FILES_LOOKED_AT
    for path, moment in since:
        left -= 1
        if left < 0 or _changed_at(path) > moment:
            return True
        for folder, _, names in os.walk(path):
            left -= len(names) + 1
            if left < 0 or any(_changed_at(os.path.join(folder, name)) > moment for name in ("", *names)):
                return True
    return False


def _changed_at(path: str) -> int:
    """When a path was changed last; for one that is gone, the folder that it was in."""
    while True:
        try:
            return os.lstat(path).st_mtime_ns // 1000
        except OSError:
            path = os.path.dirname(path)


def recorded(room: Room, names: list[str]) -> list[Resource]:
    """The keys of paths as git records them, which are names: git stores a link itself and never follows one."""
    return _claimable(room, names, [False])


def touched(room: Room, names: list[str]) -> list[Resource]:
    """The keys of paths as typed in the room's folder, each for what it is called and for where links lead."""
    return _claimable(room, names, [False, True])


def _claimable(room: Room, names: list[str], spellings: list[bool]) -> list[Resource]:
    """What no claim can be on (out of the tree, longer than a path) is nobody's."""
    folder, top = where_typed(room)
    trees: dict[str, str] = {}
    found = []
    for name in names:
        for follow in spellings:
            try:
                found.append(parse_resource(name, folder, top, "project", trees, follow=follow))
            except RelayError as fault:
                if fault.code not in ("invalid", "outside_tree"):
                    raise
    return list(dict.fromkeys(found))


def _named(room: Room, staged: bool) -> list[str]:
    """Names from git or from standard input, which count from the top of the tree."""
    if staged:
        from relay_tui.repo.staged import staged_paths

        if room.place is None:
            raise RelayError("no_file", f"{room.folder} is not in a git repository.", "Change into one.")
        names = staged_paths(room.place.worktree or room.folder)
    else:
        content = room.stdin().read(_NAMES_BYTES + 1)
        if len(content) > _NAMES_BYTES:
            raise RelayError("too_large", "Standard input has more than 16 MiB of names.", "Ask in several parts.")
        names = os.fsdecode(content).split("\0")
    top = room.place.worktree if room.place and room.place.worktree else room.folder
    return [os.path.join(top, name) for name in names if name]


def _doubts(room: Room, me: Actor | None, guarded: Guarded) -> list[str]:
    """What may make the answer another one than was meant."""
    if not room.exists:
        return [f"There is no room for {room.folder}, so nobody holds anything here. If it was moved: relay doctor"]
    holders = [one.claim.holder for one in guarded.held if one.claim.room == guarded.room]
    if me is None and holders:
        return [f"You are nobody here: set RELAY_AGENT={holders[0]} if this is you."]
    return []
