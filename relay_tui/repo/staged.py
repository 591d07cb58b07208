"""What the index holds for the next commit: the one question where git's own GIT_INDEX_FILE must count."""

from __future__ import annotations

import os

from relay_tui.repo.runner import decode, run

_NAMES = ("diff", "--cached", "--name-only", "--no-renames", "--no-relative", "--no-ext-diff", "-z")


def staged_paths(folder: str) -> list[str]:
    """Paths from the tree's top that the next commit changes; of a rename both sides.

    Of a merge only what is as in none of its parents: the rest was changed by others, who committed it.
    """
    names = _differing(folder)
    for parent in _merged(folder):
        also = set(_differing(folder, parent))
        names = [name for name in names if name in also]
    return names


def _differing(folder: str, *commit: str) -> list[str]:
    answer = run(folder, *_NAMES, *commit, keep=("GIT_INDEX_FILE",))
    return [name for name in decode(answer).split("\0") if name]


def _merged(folder: str) -> list[str]:
    """The commits that a merge which is under way brings in."""
    path = decode(run(folder, "rev-parse", "--git-path", "MERGE_HEAD")).removesuffix("\n")
    try:
        with open(os.path.join(folder, path), encoding="ascii") as merged:
            return merged.read().split()
    except FileNotFoundError:
        return []
