"""Branches that were renamed while they were checked out, as git's log of a branch tells: small files, no process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from relay_tui.base.places import HEADS
from relay_tui.repo.runner import decode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from relay_tui.repo.facts import GitFacts

_RENAMED = b"\tBranch: renamed refs/heads/"
_TAIL = 1 << 16  # bytes of a log that are read: a rename is looked for soon after it


def find_renames(facts: GitFacts, lost: Collection[str]) -> dict[str, str]:
    """What each of the `lost` is called now, by short names, as far as a worktree stands on it."""
    branches = {tree.branch for tree in facts.worktrees if tree.branch} if lost else set()
    return {
        former: ref.removeprefix(HEADS)
        for ref in sorted(branches)
        for former in _former_names(os.path.join(facts.repository, "logs", ref))
        if former in lost
    }


def _former_names(log: str) -> Iterator[str]:
    """Every name that the branch of this log had; nothing where git keeps none, or otherwise."""
    try:
        with open(log, "rb") as file:
            file.seek(max(os.fstat(file.fileno()).st_size - _TAIL, 0))
            lines = file.read().split(b"\n")
    except OSError:
        return
    for line in lines:
        _, _, renamed = line.partition(_RENAMED)
        if renamed:
            yield decode(renamed.partition(b" to ")[0])
