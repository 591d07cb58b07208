"""What git counts for some branches: ahead, behind, and what is not committed. For the rows that somebody looks at."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.places import HEADS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import NamedTuple, TypeVar

    from relay_tui.repo.facts import BranchDetails, GitFacts, Worktree
    from relay_tui.room.branches import BranchView

    _T = TypeVar("_T")
else:
    from relay_tui.base.record import NamedTuple


class BranchNumbers(NamedTuple):
    """`details` are by short name; `paths` are those not committed, by worktree, where they could be read.

    `changed` are the commits of each path, by short name, of the branches that somebody works on.
    """

    details: dict[str, BranchDetails]
    paths: dict[str, list[str]]
    changed: dict[str, dict[str, set[str]]]
    troubles: list[str]
    read_at: int


class Uncommitted(NamedTuple):
    """What is not committed: the paths by worktree, the worktrees that could not be read, and for each branch the
    count and why it is not known."""

    paths: dict[str, list[str]]
    unread: list[str]
    counts: dict[str, int | None]
    troubles: dict[str, list[str]]


def read_numbers(
    facts: GitFacts, names: Collection[str], at_work: Collection[str], trees: Iterable[Worktree], now: int
) -> BranchNumbers:
    """The numbers of the branches that git has, what is not committed in these worktrees, and what those
    `at_work` have changed since they left the default branch."""
    from relay_tui.repo.details import read_changed, read_details, read_dirty

    known = {branch.ref for branch in facts.branches} | {tree.branch for tree in facts.worktrees if tree.unborn}
    dirty = read_dirty(readable_paths(trees))
    details = read_details(facts, [HEADS + name for name in names if HEADS + name in known], dirty=dirty)
    changed = read_changed(facts, [HEADS + name for name in at_work])
    for ref, found in details.items():
        details[ref] = found._replace(trouble=[*found.trouble, *faults_of({ref: changed.get(ref)})])
    troubles = [trouble for found in details.values() for trouble in found.trouble]
    return BranchNumbers(
        {ref.removeprefix(HEADS): found for ref, found in details.items()},
        answers_of(dirty),
        {ref.removeprefix(HEADS): paths for ref, paths in answers_of(changed).items()},
        list(dict.fromkeys([*troubles, *faults_of(dirty), *faults_of(changed)])),
        now,
    )


def read_uncommitted(facts: GitFacts, names: Collection[str]) -> Uncommitted:
    """What is not committed on these branches, and in the main worktree."""
    from relay_tui.repo.details import read_dirty

    trees = trees_of(facts, names)
    found = read_dirty(readable_paths(trees))
    paths, counts, troubles = answers_of(found), {}, {}
    for name in names:
        own = [tree.path for tree in trees if tree.branch == HEADS + name and tree.path in found]
        troubles[name] = faults_of({path: found[path] for path in own})
        counts[name] = sum(len(paths[path]) for path in own) if own and not troubles[name] else None
    return Uncommitted(paths, [path for path in found if path not in paths], counts, troubles)


def names_at_work(rows: Iterable[BranchView]) -> list[str]:
    """Branches that somebody holds or works on: only these can overlap."""
    return [row.branch for row in rows if row.flag != "quiet"]


def trees_of(facts: GitFacts, names: Collection[str]) -> list[Worktree]:
    """The worktrees in which these branches are checked out, and the main one."""
    refs = {HEADS + name for name in names}
    return [tree for tree in facts.worktrees if tree.main or tree.branch in refs]


def readable_paths(trees: Iterable[Worktree]) -> list[str]:
    """Worktrees that have files of this repository to look at."""
    return [tree.path for tree in trees if tree.has_files]


def answers_of(found: Mapping[str, _T | RelayError]) -> dict[str, _T]:
    return {key: answer for key, answer in found.items() if not isinstance(answer, RelayError)}


def faults_of(found: Mapping[str, object]) -> list[str]:
    """What could not be read, each said once."""
    return list(dict.fromkeys(answer.message for answer in found.values() if isinstance(answer, RelayError)))


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
