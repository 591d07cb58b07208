"""Who owns which branch: git's facts, claims, agents and open tasks joined into rows (DESIGN §6.4).

One pure function: no clock, no database, no git. Every branch that is named anywhere gets exactly one row,
exactly one flag, and reasons in words that entail it.
"""

from __future__ import annotations

from relay_tui.base.resources import HEADS, short_name
from relay_tui.base.text import inert
from relay_tui.base.times import heard_from
from relay_tui.room.oddities import worktree_oddities
from relay_tui.room.presence import STATE_WORDS
from relay_tui.room.standing import Mismatch, Person, Place, Witness, holder_of, place_agents

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
_NOBODYS = "nobody holds a claim on it, and no work is on it"


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


class BranchTask(NamedTuple):
    """An open item of work that names a branch."""

    id: str
    title: str
    status: str
    branch: str


class TaskView(NamedTuple):
    id: str
    title: str
    status: str


class BranchView(NamedTuple):
    """BRANCH of the contract; the counts are None until somebody asks git for them."""

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


class RoomFacts(NamedTuple):
    """What the rooms of a repository say, as of `now`: branch claims, agents, and open tasks with a branch.

    `room` is the one that is looked from.
    """

    claims: Sequence[Claim]
    witnesses: Sequence[Witness]
    tasks: Sequence[BranchTask]
    now: int
    room: str | None = None


class _Named(NamedTuple):
    """Everything that names one branch."""

    short: str
    git: Branch | None
    trees: list[Worktree]
    claim: Claim | None
    places: list[Place]
    mismatches: list[Mismatch]
    tasks: list[BranchTask]

    @property
    def exists(self) -> bool:
        return self.git is not None or bool(self.trees)

    @property
    def live(self) -> list[Place]:
        return [place for place in self.places if place.witness.state == "live"]

    @property
    def strangers(self) -> list[Place]:
        """Live agents on it that are not the claim's holder."""
        holder = holder_of(self.claim) if self.claim else None
        return [place for place in self.live if place.witness.person != holder]


def join_branches(
    facts: GitFacts, room: RoomFacts, details: Mapping[str, BranchDetails] | None = None
) -> list[BranchView]:
    """A row for each branch that git has or anybody names, most urgent first, then by name.

    `details` are by full ref; rows without them carry None.
    """
    known, git = details or {}, {branch.ref.removeprefix(HEADS): branch for branch in facts.branches}
    rows = [_row(named, room, known.get(HEADS + named.short)) for named in _collect(facts, room, git)]
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


def _collect(facts: GitFacts, room: RoomFacts, git: Mapping[str, Branch]) -> list[_Named]:
    """Every branch that a worktree, a claim, a task or an agent names: few of all that git has."""
    trees = _grouped((short_name(tree.branch), tree) for tree in facts.worktrees)
    claims = {claim.resource: claim for claim in room.claims}
    tasks = _grouped((task.branch, task) for task in room.tasks)
    standing = place_agents(room.witnesses, facts.worktrees, room.room)
    places = _grouped((place.branch, place) for place in standing.places)
    mismatches = _grouped((mismatch.reported, mismatch) for mismatch in standing.mismatches)
    return [
        _Named(
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


def _row(named: _Named, room: RoomFacts, details: BranchDetails | None) -> BranchView:
    flag = _flag(named)
    tree = next((tree for tree in named.trees if not tree.missing), named.trees[0] if named.trees else None)
    counts = details[:5] if details else (None,) * 5
    return BranchView(
        named.short, flag, [*_reasons(named, flag, room), *_remarks(named)], named.claim,
        view_worktree(tree, details.dirty if details and len(named.trees) == 1 else None) if tree else None,
        [BranchAgent(*place.witness[:3], place.source) for place in named.places],
        named.mismatches, [TaskView(task.id, task.title, task.status) for task in named.tasks],
        named.git.head if named.git else None, named.git.committed_at if named.git else None,
        named.git.upstream if named.git else None, *counts,
    )  # fmt: skip


def _bare_row(name: str, branch: Branch, details: BranchDetails | None) -> BranchView:
    """The row of a branch that nobody speaks of: there may be thousands."""
    counts = details[:5] if details else (None,) * 5
    return BranchView(
        name, "quiet", [_NOBODYS], None, None, [], [], [], branch.head, branch.committed_at, branch.upstream, *counts
    )


def _flag(named: _Named) -> str:
    """The first that fits, in the order of DESIGN §6.4; total and exclusive."""
    claim = named.claim
    planned = claim is not None and claim.planned
    if not named.exists and not planned and (claim or named.tasks or named.live or _live_reports(named)):
        return "missing"
    if len(named.live) > 1 or (claim and named.strangers):
        return "contested"
    if claim:
        return "orphaned" if claim.stale else "clear"
    if named.live or named.tasks or any(not tree.main for tree in named.trees):
        return "unclaimed"
    return "quiet"


def _live_reports(named: _Named) -> list[Mismatch]:
    return [mismatch for mismatch in named.mismatches if mismatch.live]


def _reasons(named: _Named, flag: str, room: RoomFacts) -> list[str]:
    """Why the flag is what it is; every reason by itself is true."""
    claim = named.claim
    if flag == "missing":
        said = [f"{claim.holder} holds a claim on it"] if claim else []
        speakers = [*(place.witness.person for place in named.live), *(one.person for one in _live_reports(named))]
        said += [f"{one.seen_from(room.room)} reports it" for one in speakers]
        return ["git has no such branch", *said, *_task_reasons(named)]
    if flag == "contested":
        return _contest(named, room.room)
    if flag == "orphaned" and claim:
        heard = heard_from(claim.holder_last_seen, room.now)
        unheard = f"{claim.holder} holds it and {STATE_WORDS[claim.holder_state]}, {heard}; nobody live is on it"
        return [unheard, *_task_reasons(named)]
    if flag == "clear" and claim:
        return [f"{claim.holder} holds it and is live"]
    if flag == "unclaimed":
        linked = [_checked_out(tree) for tree in named.trees if not tree.main]
        on_it = [f"{place.witness.person.seen_from(room.room)} is live on it" for place in named.live]
        return ["nobody holds a claim on it", *on_it, *_task_reasons(named), *linked]
    return [_NOBODYS]


def _checked_out(tree: Worktree | WorktreeView) -> str:
    return f"checked out in {inert(tree.path)}" + (", which is missing" if tree.missing else "")


def _odd(tree: Worktree | WorktreeView) -> list[str]:
    return [f"worktree {inert(tree.path)} {oddity}" for oddity in worktree_oddities(tree)]


def told_of_worktree(tree: WorktreeView) -> set[str]:
    """The reasons that say nothing but what is to be seen of the worktree."""
    return {_checked_out(tree), *_odd(tree)}


def _contest(named: _Named, room: str | None) -> list[str]:
    names = [place.witness.person.seen_from(room) for place in named.live]
    reasons = []
    if len(names) > 1:
        reasons.append(f"{len(names)} live agents are on it: {', '.join(names[:-1])} and {names[-1]}")
    if named.claim:
        reasons += [_stranger_reason(place.witness.person, named.claim, room) for place in named.strangers]
    return reasons


def _stranger_reason(stranger: Person, claim: Claim, room: str | None) -> str:
    where = f" in room {inert(claim.room)}" if stranger.name == claim.holder else ""
    return f"{stranger.seen_from(room)} is live on it, and the claim is {claim.holder}'s{where}"


def _task_reasons(named: _Named) -> list[str]:
    return [f'task {task.id} "{inert(task.title)}" is {task.status}' for task in named.tasks]


def _remarks(named: _Named) -> list[str]:
    """What is worth saying beside the flag: planned claims, odd worktrees, agents that stand elsewhere."""
    said = ["planned: the branch is not there yet"] if named.claim and named.claim.planned and not named.exists else []
    for tree in named.trees:
        said += _odd(tree)
    if len(named.trees) > 1:
        said.append(f"checked out in {len(named.trees)} worktrees at once")
    return said + [mismatch.text for mismatch in named.mismatches]
