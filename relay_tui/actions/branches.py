"""Actions on branches: who owns what, joined with what git says now. Git is only ever read."""

from __future__ import annotations

import os

from relay_tui.actions.branch_numbers import names_at_work, read_numbers, with_numbers
from relay_tui.base.errors import RelayError, check_choices
from relay_tui.base.names import unknown_branch
from relay_tui.base.places import HEADS
from relay_tui.base.resources import Resource, branch_resource, short_name
from relay_tui.base.text import shell_word
from relay_tui.room import claims as taking
from relay_tui.room.adrift import repository_gone
from relay_tui.room.branch_facts import read_room_facts
from relay_tui.room.branches import FLAGS, BranchView, WorktreeView, count_flags, join_branches, view_worktree
from relay_tui.room.held import list_claims
from relay_tui.room.overlap import Overlap, find_overlaps, sides_of
from relay_tui.room.persons import Person

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import NamedTuple, TypeVar

    from relay_tui.repo.facts import BranchDetails, Commit, FileChange, GitFacts
    from relay_tui.room.claims import Claimed, Released
    from relay_tui.room.ledger import Actor
    from relay_tui.room.past import AsOf
    from relay_tui.room.rooms import Room

    _T = TypeVar("_T")
else:
    from relay_tui.base.record import NamedTuple

COMMITS = 50


class BranchList(NamedTuple):
    """`branches` of the contract, as seen from `room`, where there is one; `read_at` is when git was asked, `doubts`
    are what it could not say."""

    repository: str
    default_branch: str | None
    branches: list[BranchView]
    worktrees: list[WorktreeView]
    overlaps: list[Overlap]
    counts: dict[str, int]
    read_at: int
    doubts: list[str]
    room: str | None


class BranchDetail(NamedTuple):
    """`branch show` of the contract, as seen from `room`; `doubts` are what git could not say."""

    branch: BranchView
    commits: list[Commit]
    files: list[FileChange]
    patch: str | None
    doubts: list[str]
    room: str | None = None


def branches(
    room: Room,
    me: Actor | None,
    *,
    all_: bool = False,
    flag: list[str] | None = None,
    mine: bool = False,
    details: bool = False,
    at: str | None = None,
) -> BranchList | AsOf:
    """Every branch with its owner, agents, worktree and tasks. A flag says where it needs somebody.

    relay branches --flag contested --flag orphaned
    """
    check_choices(flag or (), "flag", FLAGS)
    if mine and me is None:
        raise RelayError("usage", "--mine must know who you are.", "Add --as NAME, or set RELAY_AGENT.")
    name = me.name if mine and me else None
    if at is not None:
        if details:
            raise RelayError("usage", "--details asks git, which knows no --at.", "Leave one of them out.")
        from relay_tui.actions.past import BY_EVENTS, MAIL, NO_GIT, branches_then, look_back

        return look_back(
            room, at, lambda past: _listed(past, *branches_then(past), all_, flag, name), doubts=[NO_GIT, BY_EVENTS],
            without=MAIL,
        )  # fmt: skip
    return list_branches(room, name, all_=all_, flags=flag, details=details)


def list_branches(
    room: Room,
    name: str | None = None,
    *,
    all_: bool = False,
    flags: list[str] | None = None,
    details: bool = False,
    facts: GitFacts | None = None,
) -> BranchList:
    """Branches as they are now, of one agent's or of all, those that are quiet with `all_`.

    `facts` are git's, where they have been read just before.
    """
    facts = facts or read_facts(room)
    rows = read_rows(room, facts)
    found = _listed(room, facts, rows, all_, flags, name)
    return _with_details(room, facts, found, rows) if details else found


def branch_claim(room: Room, me: Actor, branch: str, *, note: str | None = None, new: bool = False) -> Claimed:
    """Hold a branch; with --new one that is not there yet.

    relay branch claim feat/auth --note "auth rewrite"
    """
    wanted = branch_resource(branch)
    known = branch_names(read_facts(room))
    if wanted.resource not in known:
        if not new:
            raise unknown_branch(wanted.resource, known, "With --new it can be claimed before it is there.")
        _refuse_impossible(wanted.resource, known)
    return taking.take(room, me, [wanted], note=note, planned=wanted.resource not in known)


def branch_release(room: Room, me: Actor, branch: str, *, force: bool = False, reason: str | None = None) -> Released:
    """Give a branch back. The operator can free somebody else's, with a reason.

    relay branch release feat/auth
    """
    wanted = [branch_resource(branch)]
    if not force:
        return taking.give_back(room, me, wanted, reason)
    if not reason:
        raise RelayError("usage", "A forced release gives a reason.", "Add --reason TEXT.")
    return taking.force_release(room, me, wanted, reason)


def branch_show(room: Room, branch: str, *, patch: bool = False) -> BranchDetail:
    """One branch in full: claim, agents, tasks, commits and files. It is compared with the default branch.

    relay branch show feat/auth --patch
    """
    from relay_tui.repo.details import read_details

    wanted = branch_resource(branch)
    facts = read_facts(room)
    details = read_details(facts, [wanted.lookup])
    rows = {row.branch: row for row in read_rows(room, facts, details)}
    if wanted.resource not in rows:
        raise unknown_branch(wanted.resource, rows)
    return in_full(facts, rows[wanted.resource], details, patch=patch)._replace(room=_name_of(room))


def in_full(
    facts: GitFacts, row: BranchView, details: dict[str, BranchDetails], *, patch: bool = False
) -> BranchDetail:
    """The row with what is on it; nothing of a branch that git lacks."""
    from relay_tui.repo.branch_contents import read_commits, read_diffstat, read_patch

    ref = HEADS + row.branch
    if row.head is None:
        return BranchDetail(row, [], [], None, [])
    doubts = [trouble for found in details.values() for trouble in found.trouble]
    commits = _attempt(lambda: read_commits(facts, ref, COMMITS), doubts)
    files = _attempt(lambda: read_diffstat(facts, ref), doubts)
    shown = _attempt(lambda: read_patch(facts, ref), doubts) if patch else None
    return BranchDetail(row, commits or [], files or [], shown, list(dict.fromkeys(doubts)))


def _attempt(read: Callable[[], _T], doubts: list[str]) -> _T | None:
    """What was read; a commit that git lost is a doubt, and the rest is shown."""
    try:
        return read()
    except RelayError as fault:
        if fault.code != "invalid":
            raise
        doubts.append(fault.message)
        return None


def require_branches(room: Room, me: Actor, wanted: Iterable[Resource]) -> None:
    """Raises `unknown_branch` for the first that git does not have, with the nearest that it has."""
    known = branch_names(read_facts(room))
    for one in wanted:
        if one.resource not in known:
            line = f"relay branch claim {shell_word(one.resource)} --new --as {me.name}"
            raise unknown_branch(one.resource, known, f"Before it is there: {line}")


def read_facts(room: Room) -> GitFacts:
    """Git's facts for the room's repository, wherever the room is seen from. Raises `no_file` outside of one."""
    from relay_tui.repo.reader import read_git

    if not room.exists or room.own_place:
        return read_git(room.folder, room.clock)
    if room.repository and not os.path.isdir(room.repository):
        raise repository_gone(room.row)
    return read_git(room.repository or room.row.root, room.clock)


def read_rows(room: Room, facts: GitFacts, details: dict[str, BranchDetails] | None = None) -> list[BranchView]:
    """Git's facts joined with what the rooms of the repository say now."""
    said = read_room_facts(room)
    lost = said.named - branch_names(facts)
    if not lost:
        return join_branches(facts, said, details)
    from relay_tui.repo.renames import find_renames

    return join_branches(facts, said, details, find_renames(facts, lost))


def branch_names(facts: GitFacts) -> set[str]:
    """Short names of the branches that git has, unborn ones included."""
    unborn = {tree.branch for tree in facts.worktrees if tree.branch}
    return {ref.removeprefix(HEADS) for ref in {branch.ref for branch in facts.branches} | unborn}


def _refuse_impossible(name: str, known: Iterable[str]) -> None:
    """Raises `invalid` where git has a branch that is called as a folder of this one's name, or the other way round."""
    for other in sorted(known):
        if name.startswith(other + "/") or other.startswith(name + "/"):
            raise RelayError(
                "invalid",
                f"Git cannot have '{name}' beside '{other}', which is there.",
                "Take a name that is not below the other.",
            )


def _listed(
    room: Room, facts: GitFacts, rows: list[BranchView], all_: bool, flags: list[str] | None, name: str | None
) -> BranchList:
    here = _name_of(room)
    me = Person(here, name) if here is not None and name is not None else None
    wanted = [row for row in rows if (name is None or _is_of(row, me)) and _is_flagged(row, all_, flags)]
    return BranchList(
        facts.repository, short_name(facts.default_branch), wanted, [view_worktree(tree) for tree in facts.worktrees],
        [], count_flags(rows), facts.read_at, list(facts.warnings), here,
    )  # fmt: skip


def _name_of(room: Room) -> str | None:
    """What the room is called, where there is one already."""
    return room.row.name if room.exists else None


def _is_of(row: BranchView, person: Person | None) -> bool:
    """Whether that agent holds the branch or is on it; a namesake in another room is somebody else."""
    holders = [row.claim.person] if row.claim else []
    return person in [*holders, *(agent.person for agent in row.agents)]


def _is_flagged(row: BranchView, all_: bool, flags: list[str] | None) -> bool:
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
