"""Which paths a tree has: those that git tracks, and new ones that it does not ignore."""

from __future__ import annotations

from relay_tui.repo.runner import decode, run

_NAMES = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")


def list_tree(folder: str) -> list[str]:
    """Relative to `folder` and sorted; what lies above it is left out. Raises what `run` raises."""
    answer = run(folder, *_NAMES)
    return sorted({decode(name) for name in answer.split(b"\0") if name})
