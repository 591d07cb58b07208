"""What git counts for some branches: ahead, behind, and what is not committed. For the rows that somebody looks at."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import NamedTuple

    from relay_tui.repo.facts import BranchDetails, GitFacts, Worktree
    from relay_tui.room.branches import BranchView
else:
    from relay_tui.base.record import NamedTuple

HEADS = "refs/heads/"


class BranchNumbers(NamedTuple):
    """`details` are by short name; `paths` are those not committed, by worktree, where they could be read."""

    details: dict[str, BranchDetails]
    paths: dict[str, list[str]]
    troubles: list[str]
    read_at: int


def read_numbers(facts: GitFacts, names: Collection[str], trees: Iterable[Worktree], now: int) -> BranchNumbers:
    """The numbers of the branches that git has, and what is not committed in these worktrees."""
    from relay_tui.repo.details import read_details, read_dirty

    known = {branch.ref for branch in facts.branches}
    dirty = read_dirty([tree.path for tree in trees if not (tree.missing or tree.elsewhere or tree.bare)])
    details = read_details(facts, [HEADS + name for name in names if HEADS + name in known], dirty=dirty)
    return BranchNumbers(
        {ref.removeprefix(HEADS): found for ref, found in details.items()},
        {tree: paths for tree, paths in dirty.items() if isinstance(paths, list)},
        list(dict.fromkeys(trouble for found in details.values() for trouble in found.trouble)),
        now,
    )


def trees_of(facts: GitFacts, names: Collection[str]) -> list[Worktree]:
    """The worktrees in which these branches are checked out, and the main one."""
    refs = {HEADS + name for name in names}
    return [tree for tree in facts.worktrees if tree.main or tree.branch in refs]


def with_numbers(row: BranchView, details: Mapping[str, BranchDetails], paths: Mapping[str, list[str]]) -> BranchView:
    """The row with its counts; those that were not read stay None."""
    found = details.get(row.branch)
    if found is None:
        return row
    tree = row.worktree
    if tree is not None:
        tree = tree._replace(dirty=len(paths[tree.path]) if tree.path in paths else None)
    return row._replace(
        ahead_upstream=found.ahead_upstream, behind_upstream=found.behind_upstream, worktree=tree,
        ahead_default=found.ahead_default, behind_default=found.behind_default, dirty=found.dirty,
    )  # fmt: skip
