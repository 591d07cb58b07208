"""What the index holds for the next commit: the one question where git's own GIT_INDEX_FILE must count."""

from __future__ import annotations

from relay_tui.repo.runner import DEADLINE, decode, run

_NAMES = ("diff", "--cached", "--name-only", "--no-renames", "--no-relative", "--no-ext-diff", "-z")


def staged_paths(folder: str, deadline: float = DEADLINE) -> list[str]:
    """Paths from the tree's top that the next commit changes; of a rename both sides."""
    answer = run(folder, *_NAMES, deadline=deadline, keep=("GIT_INDEX_FILE",))
    return [name for name in decode(answer).split("\0") if name]
