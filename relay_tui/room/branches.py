"""Who owns which branch: git's facts, claims, agents and open tasks joined into rows (DESIGN §6.4).

One pure function: no clock, no database, no git. Every branch that is named anywhere gets exactly one row,
exactly one flag, and reasons in words that entail it.
"""

from __future__ import annotations

from relay_tui.base.places import HEADS
from relay_tui.base.resources import short_name
from relay_tui.room.branch_reasons import NOBODYS, Named, reasons_for
from relay_tui.room.persons import Person, with_room
from relay_tui.room.standing import Mismatch, Witness, place_agents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import NamedTuple, TypeVar

    from relay_tui.repo.facts import Branch, BranchDetails, GitFacts, Worktree
    from relay_tui.room.held import Claim

    _T = TypeVar("_T")
else:
    from relay_tui.base.record import NamedTuple

# Most urgent first; also the order of rows.
FLAGS = ("contested", "orphaned", "missing", "unclaimed", "clear", "quiet")
UNSETTLED = FLAGS[:3]  # somebody has to decide
_URGENCY = {flag: place for place, flag in enumerate(FLAGS)}


class WorktreeView(NamedTuple):
    """WORKTREE of the contract; `branch` is its short name."""

    path: str
    head: str | None
    branch: str | None
    main: bool
    detached: bool
    bare: bool
    unborn: bool
    busy: str | None
    locked: str | None
    prunable: str | None
    missing: bool
    elsewhere: bool
    dirty: int | None
    doubtful: bool = False
    lost: bool = False


class BranchAgent(NamedTuple):
    room: str
    agent: str
    state: str
    source: str

    @property
    def person(self) -> Person:
        return Person(self.room, self.agent)


class TaskView(NamedTuple):
    """An open item of work, with the name of its room: ids count from W1 in each."""

    id: str
    title: str
    status: str
    room: str

    def seen_from(self, here: str | None) -> str:
        return with_room(self.id, self.room, here)


class BranchTask(NamedTuple):
    """The same with the branch that it names."""

    view: TaskView
    branch: str


class BranchView(NamedTuple):
    """BRANCH of the contract; the counts are None until somebody asks git for them, `renamed` is its name of now."""

    branch: str
    flag: str
    reasons: list[str]
    claim: Claim | None
    worktree: WorktreeView | None
    agents: list[BranchAgent]
    mismatches: list[Mismatch]
    tasks: list[TaskView]
    head: str | None
    committed_at: int | None
    upstream: str | None
    ahead_upstream: int | None
    behind_upstream: int | None
    ahead_default: int | None
    behind_default: int | None
    dirty: int | None
    renamed: str | None = None


class RoomFacts(NamedTuple):
    """What the rooms of a repository say, as of `now`: branch claims, agents, and open tasks with a branch.

    `room` is the one that is looked from.
    """

    claims: Sequence[Claim]
    witnesses: Sequence[Witness]
    tasks: Sequence[BranchTask]
    now: int
    room: str | None = None

    @property
    def named(self) -> set[str]:
        """Every branch that somebody speaks of."""
        reported = {one.branch for one in self.witnesses if one.branch is not None}
        return {*reported, *(claim.resource for claim in self.claims), *(task.branch for task in self.tasks)}


def join_branches(
    facts: GitFacts,
    room: RoomFacts,
    details: Mapping[str, BranchDetails] | None = None,
    renamed: Mapping[str, str] | None = None,
) -> list[BranchView]:
    """A row for each branch that git has or anybody names, most urgent first, then by name.

    `details` are by full ref; rows without them carry None. `renamed` says what those are called now that git had:
    who reports such a name is on the branch.
    """
    if renamed:
        witnesses = [one._replace(branch=renamed.get(one.branch or "", one.branch)) for one in room.witnesses]
        room = room._replace(witnesses=witnesses)
    known, git = details or {}, {branch.ref.removeprefix(HEADS): branch for branch in facts.branches}
    named = [one._replace(renamed=(renamed or {}).get(one.short)) for one in _collect(facts, room, git)]
    rows = [_row(one, room, known.get(HEADS + one.short)) for one in named]
    spoken_of = {row.branch for row in rows}
    rows += [_bare_row(name, branch, known.get(branch.ref)) for name, branch in git.items() if name not in spoken_of]
    return sorted(rows, key=lambda row: (_URGENCY[row.flag], row.branch))


def view_worktree(tree: Worktree, dirty: int | None = None) -> WorktreeView:
    return WorktreeView(
        tree.path, tree.head, short_name(tree.branch), tree.main, tree.detached, tree.bare, tree.unborn, tree.busy,
        tree.locked, tree.prunable, tree.missing, tree.elsewhere, tree.dirty if dirty is None else dirty,
        tree.doubtful, tree.lost,
    )  # fmt: skip


def count_flags(rows: Iterable[BranchView]) -> dict[str, int]:
    counts = dict.fromkeys(FLAGS, 0)
    for row in rows:
        counts[row.flag] += 1
    return counts


def _collect(facts: GitFacts, room: RoomFacts, git: Mapping[str, Branch]) -> list[Named]:
    """Every branch that a worktree, a claim, a task or an agent names: few of all that git has."""
    trees = _grouped((short_name(tree.branch), tree) for tree in facts.worktrees)
    claims = {claim.resource: claim for claim in room.claims}
    tasks = _grouped((task.branch, task) for task in room.tasks)
    standing = place_agents(room.witnesses, facts.worktrees, room.room)
    places = _grouped((place.branch, place) for place in standing.places)
    mismatches = _grouped((mismatch.reported, mismatch) for mismatch in standing.mismatches)
    return [
        Named(
            name, git.get(name), trees.get(name, []), claims.get(name), places.get(name, []),
            mismatches.get(name, []), tasks.get(name, []),
        )
        for name in {*trees, *claims, *tasks, *places, *mismatches}
        if name is not None
    ]  # fmt: skip


def _grouped(pairs: Iterable[tuple[str | None, _T]]) -> dict[str | None, list[_T]]:
    groups: dict[str | None, list[_T]] = {}
    for name, thing in pairs:
        groups.setdefault(name, []).append(thing)
    return groups


def _row(named: Named, room: RoomFacts, details: BranchDetails | None) -> BranchView:
    flag = _flag(named)
    tree = next((tree for tree in named.trees if not tree.missing), named.trees[0] if named.trees else None)
    counts = details[:5] if details else (None,) * 5
    return BranchView(
        named.short, flag, reasons_for(named, flag, room), named.claim,
        view_worktree(tree, details.dirty if details and len(named.trees) == 1 else None) if tree else None,
        [BranchAgent(*place.witness[:3], place.source) for place in named.places],
        named.mismatches, [task.view for task in named.tasks],
        named.git.head if named.git else None, named.git.committed_at if named.git else None,
        named.git.upstream if named.git else None, *counts, named.renamed,
    )  # fmt: skip


def _bare_row(name: str, branch: Branch, details: BranchDetails | None) -> BranchView:
    """The row of a branch that nobody speaks of: there may be thousands."""
    counts = details[:5] if details else (None,) * 5
    return BranchView(
        name, "quiet", [NOBODYS], None, None, [], [], [], branch.head, branch.committed_at, branch.upstream, *counts
    )


def _flag(named: Named) -> str:
    """The first that fits, in the order of DESIGN §6.4; total and exclusive."""
    claim = named.claim
    planned = claim is not None and claim.planned
    if not named.exists and not planned and (claim or named.tasks or named.live or named.live_reports):
        return "missing"
    if len(named.live) > 1 or (claim and named.strangers):
        return "contested"
    if claim:
        return "orphaned" if claim.stale else "clear"
    if named.live or named.tasks or any(not tree.main for tree in named.trees):
        return "unclaimed"
    return "quiet"
