"""Files that more than one has in hand, as lines of a branch's detail. A warning, never a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relay_tui.base.text import inert
from relay_tui.room.overlap import describe
from relay_tui.tui.rows_of.branches import shown_path

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from relay_tui.room.overlap import Overlap
    from relay_tui.tui.rows_of.branches import Stand

SHOWN = 8


def overlap_lines(branch: str, trees: Container[str], overlaps: Iterable[Overlap], stand: Stand) -> list[str]:
    """`auth.py: dirty in 2 trees (…), claimed by codex-3` for what was changed here; `trees` are the branch's."""
    said = [
        f"{inert(one.path)}: {describe(one, lambda tree: shown_path(tree, stand.folder), stand.room)}"
        for one in overlaps
        if branch in one.branches or any(tree in trees for tree in one.worktrees)
    ]
    return said if len(said) <= SHOWN else [*said[:SHOWN], f"and {len(said) - SHOWN} more"]
