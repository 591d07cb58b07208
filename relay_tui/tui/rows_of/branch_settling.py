"""The git command that would settle a branch: for a person to read and copy. relay never runs one of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple

    from relay_tui.room.branches import BranchView, WorktreeView
    from relay_tui.room.standing import Mismatch
else:
    from relay_tui.base.record import NamedTuple


class Settling(NamedTuple):
    """A git line and, in a few words, what it would do."""

    argv: list[str]
    effect: str


def settle_by_git(branch: BranchView, others: Mapping[str, BranchView], default: str | None) -> Settling | None:
    """What git could do about this branch; None where it is for people to agree. `others` are by name."""
    tree = branch.worktree
    if tree is not None and tree.missing and not tree.main:
        return _settle_missing_tree(tree)
    for mismatch in branch.mismatches:
        if (found := _settle_mismatch(branch, mismatch, others)) is not None:
            return found
    if branch.flag == "missing":
        base = [default] if default else []
        return Settling(["git", "branch", branch.branch, *base], "makes the branch that others speak of")
    if _is_finished(branch, default):
        return _clear_away(branch, tree)
    return None


def _settle_missing_tree(tree: WorktreeView) -> Settling:
    if tree.locked is not None:
        return Settling(["git", "worktree", "unlock", tree.path], "lets git forget the absent folder later")
    return Settling(["git", "worktree", "remove", tree.path], "forgets the folder that is gone; the branch stays")


def _settle_mismatch(branch: BranchView, mismatch: Mismatch, others: Mapping[str, BranchView]) -> Settling | None:
    """Put the agent's worktree on the branch that it speaks of, where that branch is free."""
    stands = others.get(mismatch.observed or "")
    if stands is None or stands.worktree is None or branch.worktree is not None or branch.head is None:
        return None
    command = ["git", "-C", stands.worktree.path, "switch", branch.branch]
    return Settling(command, f"puts {mismatch.agent}'s worktree on the branch that it reports")


def _is_finished(branch: BranchView, default: str | None) -> bool:
    """Nothing of it is missing in the default branch, and nobody is on it."""
    is_merged = branch.ahead_default == 0 and branch.branch != default
    return is_merged and not (branch.claim or branch.agents or branch.tasks or branch.dirty)


def _clear_away(branch: BranchView, tree: WorktreeView | None) -> Settling | None:
    if tree is None:
        return Settling(["git", "branch", "-d", branch.branch], "deletes a branch whose commits are all merged")
    if tree.main or tree.locked is not None or tree.busy or branch.dirty is None:
        return None
    return Settling(["git", "worktree", "remove", tree.path], "removes a clean worktree whose commits are all merged")
