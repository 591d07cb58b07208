"""Where git looks for hooks in this repository, and whom a hook there concerns besides. Reads; writes nothing."""

from __future__ import annotations

import os

from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.repo.hooks import HOOK, LINE, is_ours
from relay_tui.repo.runner import GitError, decode, run
from relay_tui.repo.worktrees import parse_worktrees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

_HUSKY = ("h", "husky.sh")  # what its dispatchers read beside them
_FOR_ALL = ("global", "system")


class _Setting(NamedTuple):
    """`core.hooksPath` as git reads it."""

    scope: str
    value: str


def hooks_folder(folder: str, common_dir: str) -> str:
    """`core.hooksPath` where it is set, else the repository's own `hooks`. Raises `refused` for an empty one."""
    setting = _read_setting(folder)
    if setting is None:
        return os.path.join(common_dir, "hooks")
    if not setting.value:
        raise RelayError(
            "refused",
            "core.hooksPath is set to nothing, so git runs no hooks.",
            f"Run: git config --{setting.scope} --unset-all core.hooksPath",
        )
    return os.path.join(folder, setting.value)


def refuse_shared(top: str, folder: str, common_dir: str) -> None:
    """Raises `refused` where the hook would be published, or written over by whoever else writes hooks there."""
    if any(os.path.lexists(os.path.join(folder, name)) for name in _HUSKY):
        raise RelayError(
            "refused",
            f"The hooks in {folder} are husky's, which writes them anew at each install of packages.",
            f"Add a line to .husky/{HOOK} instead: {LINE}",
        )
    if _lies_in_tree(top, folder, common_dir) and run(top, "ls-files", "-z", "--", folder):
        raise RelayError(
            "refused",
            f"{folder} is in git, so a hook with paths of this machine would be published.",
            f"Add a line to its {HOOK} instead: {LINE}",
        )


def read_notes(top: str, folder: str, common_dir: str) -> list[str]:
    """Whom a hook in this folder concerns besides this worktree, and whom not."""
    setting = _read_setting(top)
    notes = []
    if setting is not None and setting.scope in _FOR_ALL:
        notes.append(f"core.hooksPath is {setting.scope}, so the guard runs in every repository that has no other.")
    if setting is not None and not os.path.isabs(setting.value):
        without = [tree for tree in _other_trees(top) if not is_ours(os.path.join(tree, setting.value, HOOK))]
        if without:
            notes.append(
                "core.hooksPath is relative, so each worktree has its own hooks; "
                f"run `relay hooks install` also in {', '.join(map(inert, without))}."
            )
    if _lies_in_tree(top, folder, common_dir) and not _is_ignored(top, folder):
        notes.append(f"{inert(folder)} is not ignored by git: keep the hook out of commits.")
    return notes


def _read_setting(folder: str) -> _Setting | None:
    words = ("config", "--show-scope", "--null", "--type=path", "--get", "core.hooksPath")
    try:
        scope, value = decode(run(folder, *words)).split("\0")[:2]
    except GitError as failure:
        if failure.status != 1:  # 1 is "not set"
            raise
        return None
    return _Setting(scope, value)


def _lies_in_tree(top: str, folder: str, common_dir: str) -> bool:
    real = f"{os.path.realpath(folder)}/"
    return real.startswith(f"{top}/") and not real.startswith(f"{common_dir}/")


def _is_ignored(top: str, folder: str) -> bool:
    try:
        run(top, "check-ignore", "-q", "--", os.path.join(folder, HOOK))
    except GitError as failure:
        if failure.status != 1:
            raise
        return False
    return True


def _other_trees(top: str) -> list[str]:
    trees = parse_worktrees(run(top, "worktree", "list", "--porcelain", "-z"), b"\0")
    paths = [os.path.realpath(tree["worktree"]) for tree in trees if "bare" not in tree]
    return [path for path in paths if path != top and os.path.isdir(path)]
