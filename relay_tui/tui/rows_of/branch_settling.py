"""The git command that would settle a branch: for a person to read and copy. relay never runs one of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relay_tui.base.resources import can_be_branch
from relay_tui.base.text import shell_line
from relay_tui.base.times import DAY

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple

    from relay_tui.room.branches import BranchView, WorktreeView
    from relay_tui.room.standing import Mismatch
else:
    from relay_tui.base.record import NamedTuple


SETTLED_FOR = 7 * DAY  # since the last commit of a branch that may be cleared away


class Settling(NamedTuple):
    """A git line and, in a few words, what it would do; one that `deletes` is shown and never the one to copy."""

    argv: list[str]
    effect: str
    deletes: bool = False

    @property
    def line(self) -> str:
        """The line to copy: a shell makes these very words of it, whatever is in them."""
        return shell_line(self.argv)


def settle_by_git(
    branch: BranchView, others: Mapping[str, BranchView], default: str | None, now: int
) -> Settling | None:
    """What git could do about this branch; None where it is for people to agree. `others` are by name.

    Names come from agents and plans: `--` stands before each, and one that git refuses makes no line.
    """
    if not can_be_branch(branch.branch) or branch.flag == "orphaned":
        return None
    tree = branch.worktree
    if tree is not None and tree.missing and not tree.main:
        return _settle_missing_tree(tree)
    for mismatch in branch.mismatches:
        if (found := _settle_mismatch(branch, mismatch, others)) is not None:
            return found
    if branch.flag == "missing" and branch.renamed is None:
        base = [default] if default and can_be_branch(default) else []
        return Settling(["git", "branch", "--", branch.branch, *base], "makes the branch that others speak of")
    if _is_finished(branch, default, now):
        return _clear_away(branch, tree)
    return None


def _settle_missing_tree(tree: WorktreeView) -> Settling:
    if tree.locked is not None:
        return Settling(["git", "worktree", "unlock", "--", tree.path], "lets git forget the absent folder later")
    return Settling(["git", "worktree", "remove", "--", tree.path], "forgets the folder that is gone; the branch stays")


def _settle_mismatch(branch: BranchView, mismatch: Mismatch, others: Mapping[str, BranchView]) -> Settling | None:
    """Put the agent's worktree on the branch that it speaks of, where that branch is free."""
    stands = others.get(mismatch.observed or "")
    if stands is None or stands.worktree is None or branch.worktree is not None or branch.head is None:
        return None
    command = ["git", "-C", stands.worktree.path, "switch", "--", branch.branch]
    return Settling(command, f"puts {mismatch.agent}'s worktree on the branch that it reports")


def _is_finished(branch: BranchView, default: str | None, now: int) -> bool:
    """Nothing of it is missing in the default branch, which has gone on since, and nobody is on it.

    A branch that was made a moment ago, and has no commit of its own yet, looks alike but for its age.
    """
    is_merged = branch.ahead_default == 0 and bool(branch.behind_default) and branch.branch != default
    is_old = branch.committed_at is not None and now - branch.committed_at > SETTLED_FOR
    return is_merged and is_old and not (branch.claim or branch.agents or branch.tasks or branch.dirty)


def _clear_away(branch: BranchView, tree: WorktreeView | None) -> Settling | None:
    if tree is None:
        effect = "deletes a branch whose commits are all merged"
        return Settling(["git", "branch", "-d", "--", branch.branch], effect, True)
    if tree.main or tree.locked is not None or tree.busy or branch.dirty is None:
        return None
    effect = "removes the folder with all ignored files in it; every commit is merged"
    return Settling(["git", "worktree", "remove", "--", tree.path], effect, True)
