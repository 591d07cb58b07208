"""What is unusual about a worktree, in words. Pure."""

from __future__ import annotations

from relay_tui.base.text import inert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.repo.facts import Worktree
    from relay_tui.room.branches import WorktreeView

_BUSY = {"am": "git am"}


def worktree_oddities(tree: Worktree | WorktreeView) -> list[str]:
    """Each goes behind the worktree's path."""
    said = _absences(tree)
    if tree.elsewhere:
        said.append("is now another repository")
    if tree.busy:
        said.append(f"is busy with {_BUSY.get(tree.busy, f'a {tree.busy}')}")
    if tree.unborn:
        said.append("has no commit yet")
    if tree.doubtful:
        said.append("is doubtful: a git before 2.36 does not say where its path ends")
    return said


def _absences(tree: Worktree | WorktreeView) -> list[str]:
    said = []
    if tree.locked is not None:
        why = f" ({inert(tree.locked)})" if tree.locked else ""
        said.append(f"is locked{why}" + (" and its folder is absent" if tree.missing else ""))
    elif tree.missing:
        said.append("is missing" if tree.prunable is None else "is missing (prunable)")
    elif tree.prunable is not None and not tree.lost:
        said.append(f"is prunable ({inert(tree.prunable)})")
    if tree.lost and tree.prunable is not None:
        said.append("is there, but its .git is missing: git no longer takes it for a worktree")
    elif tree.lost:
        said.append("is no worktree any more: its .git does not lead to this repository")
    return said
