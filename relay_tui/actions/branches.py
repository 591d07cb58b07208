"""Actions on branches: who owns what, joined with what git says now. Git is only ever read."""

from __future__ import annotations

from relay_tui.actions.branch_numbers import BranchNumbers, Uncommitted, read_numbers, read_uncommitted, with_numbers
from relay_tui.base.errors import RelayError
from relay_tui.base.names import nearest
from relay_tui.base.resources import Resource, branch_resource
from relay_tui.base.text import inert
from relay_tui.room import claims as taking
from relay_tui.room.branch_facts import read_room_facts
from relay_tui.room.branches import (
    FLAGS,
    BranchView,
    WorktreeView,
    count_flags,
    join_branches,
    short_name,
    view_worktree,
)
from relay_tui.room.held import list_claims
from relay_tui.room.overlap import Overlap, find_overlaps, sides_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import NamedTuple, TypeVar

    from relay_tui.repo.facts import BranchDetails, Commit, FileChange, GitFacts
    from relay_tui.room.claims import Claimed, Released
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room

    _T = TypeVar("_T")
else:
    from relay_tui.base.record import NamedTuple

COMMITS = 50


class BranchList(NamedTuple):
    """`branches` of the contract; `read_at` is when git was asked, `doubts` are what it could not say."""

    repository: str
    default_branch: str | None
    branches: list[BranchView]
    worktrees: list[WorktreeView]
    overlaps: list[Overlap]
    counts: dict[str, int]
    read_at: int
    doubts: list[str]


class BranchDetail(NamedTuple):
    """`branch show` of the contract; `doubts` are what git could not say."""

    branch: BranchView
    commits: list[Commit]
    files: list[FileChange]
    patch: str | None
    doubts: list[str]


def branches(
    room: Room,
    me: Actor | None,
    *,
    all_: bool = False,
    flag: list[str] | None = None,
    mine: bool = False,
    details: bool = False,
) -> BranchList:
    """Every branch with its owner, agents, worktree and tasks, and a flag where it needs somebody.

    relay branches --flag contested --flag orphaned
    """
    for one in flag or ():
        if one not in FLAGS:
            raise RelayError("usage", f"'{one}' is not a flag.", f"Use one of {', '.join(FLAGS)}.")
    if mine and me is None:
        raise RelayError("usage", "--mine must know who you are.", "Add --as NAME, or set RELAY_AGENT.")
    facts = read_facts(room)
    rows = join_branches(facts, read_room_facts(room))
    shown = [row for row in rows if _is_wanted(row, all_, flag, me.name if mine and me else None)]
    found = BranchList(
        facts.repository, short_name(facts.default_branch), shown, [view_worktree(tree) for tree in facts.worktrees],
        [], count_flags(rows), facts.read_at, list(facts.warnings),
    )  # fmt: skip
    return _with_details(room, facts, found, rows) if details else found


def branch_claim(room: Room, me: Actor, branch: str, *, note: str | None = None, new: bool = False) -> Claimed:
    """Hold a branch; with --new one that is not there yet.

    relay branch claim feat/auth --note "auth rewrite"
    """
    wanted = branch_resource(branch)
    known = branch_names(read_facts(room))
    if wanted.resource not in known:
        if not new:
            raise _unknown_branch(wanted, known)
        _refuse_impossible(wanted.resource, known)
    return taking.take(room, me, [wanted], note=note, planned=wanted.resource not in known)


def branch_release(room: Room, me: Actor, branch: str, *, force: bool = False, reason: str | None = None) -> Released:
    """Give a branch back; the operator can free somebody else's, with a reason.

    relay branch release feat/auth
    """
    wanted = [branch_resource(branch)]
    if not force:
        return taking.give_back(room, me, wanted)
    if not reason:
        raise RelayError("usage", "A forced release gives a reason.", "Add --reason TEXT.")
    return taking.force_release(room, me, wanted, reason)


def branch_show(room: Room, branch: str, *, patch: bool = False) -> BranchDetail:
    """One branch in full: claim, agents, tasks, commits and files against the default branch.

    relay branch show feat/auth --patch
    """
    from relay_tui.repo.details import read_details

    wanted = branch_resource(branch)
    facts = read_facts(room)
    details = read_details(facts, [wanted.lookup])
    return _in_full(room, facts, wanted, details, patch=patch)


def look_closer(room: Room, branch: str, *, patch: bool = False) -> BranchDetail:
    """As `branch_show`, but what takes long in a slow worktree is not counted."""
    return _in_full(room, read_facts(room), branch_resource(branch), {}, patch=patch)


def look_at(room: Room, rows: Collection[BranchView]) -> BranchNumbers:
    """What git counts for the rows that are looked at, what is not committed aside."""
    facts, names = read_facts(room), [row.branch for row in rows]
    return read_numbers(facts, names, names_at_work(rows), (), facts.read_at)


def look_for_uncommitted(room: Room, rows: Collection[BranchView]) -> Uncommitted:
    """What is not committed where these rows are checked out: a slow worktree keeps nobody waiting for the rest."""
    return read_uncommitted(read_facts(room), [row.branch for row in rows])


def _in_full(
    room: Room, facts: GitFacts, wanted: Resource, details: dict[str, BranchDetails], *, patch: bool
) -> BranchDetail:
    from relay_tui.repo.details import read_commits, read_diffstat, read_patch

    rows = {row.branch: row for row in join_branches(facts, read_room_facts(room), details)}
    if wanted.resource not in rows:
        raise _unknown_branch(wanted, rows)
    if wanted.lookup not in {one.ref for one in facts.branches}:
        return BranchDetail(rows[wanted.resource], [], [], None, [])
    doubts = [trouble for found in details.values() for trouble in found.trouble]
    commits = _attempt(lambda: read_commits(facts, wanted.lookup, COMMITS), doubts)
    files = _attempt(lambda: read_diffstat(facts, wanted.lookup), doubts)
    shown = _attempt(lambda: read_patch(facts, wanted.lookup), doubts) if patch else None
    return BranchDetail(rows[wanted.resource], commits or [], files or [], shown, list(dict.fromkeys(doubts)))


def _attempt(read: Callable[[], _T], doubts: list[str]) -> _T | None:
    """What was read; a commit that git lost is a doubt, and the rest is shown."""
    try:
        return read()
    except RelayError as fault:
        if fault.code != "invalid":
            raise
        doubts.append(fault.message)
        return None


def names_at_work(rows: Iterable[BranchView]) -> list[str]:
    """Branches that somebody holds or works on: only these can overlap."""
    return [row.branch for row in rows if row.flag != "quiet"]


def watch_branches(room: Room, ring: Callable[[], object]) -> Callable[[], None]:
    """Ring whenever a branch or a worktree of the repository changes, until the answer is called."""
    from relay_tui.repo.watching import watch_refs

    repository = room.place.common_dir if room.place else room.row.repository if room.exists else None
    return watch_refs(repository, ring) if repository else lambda: None


def require_branch(room: Room, wanted: Resource) -> None:
    """Raises `unknown_branch` for a branch that git does not have, with the nearest that it has."""
    known = branch_names(read_facts(room))
    if wanted.resource not in known:
        raise _unknown_branch(wanted, known)


def read_facts(room: Room) -> GitFacts:
    """Git's facts for the room's repository, wherever the room is seen from. Raises `no_file` outside of one."""
    from relay_tui.repo.reader import read_git

    if not room.exists or (room.place and room.place.common_dir == room.row.repository):
        return read_git(room.folder, room.clock)
    return read_git(room.row.repository or room.row.root, room.clock)


def branch_names(facts: GitFacts) -> set[str]:
    """Short names of the branches that git has, unborn ones included."""
    unborn = {tree.branch for tree in facts.worktrees if tree.branch}
    return {ref.removeprefix("refs/heads/") for ref in {branch.ref for branch in facts.branches} | unborn}


def _unknown_branch(wanted: Resource, known: Iterable[str]) -> RelayError:
    near = nearest(wanted.resource, known)
    meant = f"Did you mean {inert(' or '.join(near))}?" if near else "Run: relay branches --all."
    message = f"Git has no branch '{inert(wanted.resource)}' here."
    return RelayError(
        "unknown_branch", message, f"{meant} With --new it can be claimed before it is there.", {"near": near}
    )


def _refuse_impossible(name: str, known: Iterable[str]) -> None:
    """Raises `invalid` where git has a branch that is called as a folder of this one's name, or the other way round."""
    for other in sorted(known):
        if name.startswith(other + "/") or other.startswith(name + "/"):
            raise RelayError(
                "invalid",
                f"Git cannot have '{inert(name)}' beside '{inert(other)}', which is there.",
                "Take a name that is not below the other.",
            )


def _is_wanted(row: BranchView, all_: bool, flags: list[str] | None, name: str | None) -> bool:
    if name is not None:
        holder = row.claim.holder if row.claim else None
        if name != holder and name not in {agent.agent for agent in row.agents}:
            return False
    return row.flag in flags if flags else all_ or row.flag != "quiet"


def _with_details(room: Room, facts: GitFacts, found: BranchList, rows: Collection[BranchView]) -> BranchList:
    """The same list with ahead, behind and dirty filled, and the files that more than one has in hand."""
    names = [row.branch for row in found.branches]
    numbers = read_numbers(facts, names, names_at_work(rows), facts.worktrees, facts.read_at)
    claims = list_claims(room, scope="project").claims if room.exists else []
    dirty = {path: len(files) for path, files in numbers.paths.items()}
    return found._replace(
        branches=[with_numbers(row, numbers.details, numbers.paths) for row in found.branches],
        worktrees=[tree._replace(dirty=dirty.get(tree.path)) for tree in found.worktrees],
        overlaps=find_overlaps(sides_of(rows, found.worktrees, numbers.paths, numbers.changed), claims),
        doubts=[*found.doubts, *numbers.troubles],
    )
