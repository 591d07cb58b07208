"""Why a branch has its flag, in words, from everything that names it (DESIGN §6.4).

Pure. Every reason by itself is true, and together they entail the flag.
"""

from __future__ import annotations

from relay_tui.base.text import inert
from relay_tui.base.times import heard_from
from relay_tui.room.oddities import worktree_oddities
from relay_tui.room.presence import STATE_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.repo.facts import Branch, Worktree
    from relay_tui.room.branches import BranchTask, RoomFacts, WorktreeView
    from relay_tui.room.held import Claim
    from relay_tui.room.persons import Person
    from relay_tui.room.standing import Mismatch, Place
else:
    from relay_tui.base.record import NamedTuple

NOBODYS = "nobody holds a claim on it, and no work is on it"


class Named(NamedTuple):
    """Everything that names one branch."""

    short: str
    git: Branch | None
    trees: list[Worktree]
    claim: Claim | None
    places: list[Place]
    mismatches: list[Mismatch]
    tasks: list[BranchTask]
    renamed: str | None = None

    @property
    def exists(self) -> bool:
        return self.git is not None or bool(self.trees)

    @property
    def live(self) -> list[Place]:
        return [place for place in self.places if place.witness.state == "live"]

    @property
    def strangers(self) -> list[Place]:
        """Live agents on it that are not the claim's holder."""
        holder = self.claim.person if self.claim else None
        return [place for place in self.live if place.witness.person != holder]

    @property
    def live_reports(self) -> list[Mismatch]:
        return [mismatch for mismatch in self.mismatches if mismatch.live]


def reasons_for(named: Named, flag: str, room: RoomFacts) -> list[str]:
    """Why the flag is what it is, and what is worth saying beside it."""
    return [*_reasons(named, flag, room), *_remarks(named)]


def told_of_worktree(tree: WorktreeView) -> set[str]:
    """The reasons that say nothing but what is to be seen of the worktree."""
    return {_checked_out(tree), *_odd(tree)}


def _reasons(named: Named, flag: str, room: RoomFacts) -> list[str]:
    claim = named.claim
    holder = claim.person.seen_from(room.room) if claim else ""
    if flag == "missing":
        said = [f"{holder} holds a claim on it"] if claim else []
        speakers = [*(place.witness.person for place in named.live), *(one.person for one in named.live_reports)]
        said += [f"{one.seen_from(room.room)} reports it" for one in dict.fromkeys(speakers)]
        renamed = f": it was renamed to {inert(named.renamed)}" if named.renamed else ""
        return [f"git has no such branch{renamed}", *said, *_task_reasons(named, room.room)]
    if flag == "contested":
        return _contest(named, room.room)
    if flag == "orphaned" and claim:
        heard = heard_from(claim.holder_last_seen, room.now)
        unheard = f"{holder} holds it and {STATE_WORDS[claim.holder_state]}, {heard}; nobody live is on it"
        return [unheard, *_task_reasons(named, room.room)]
    if flag == "clear":
        return [f"{holder} holds it and is live"]
    if flag == "unclaimed":
        linked = [_checked_out(tree) for tree in named.trees if not tree.main]
        on_it = [f"{place.witness.person.seen_from(room.room)} is live on it" for place in named.live]
        return ["nobody holds a claim on it", *on_it, *_task_reasons(named, room.room), *linked]
    return [NOBODYS]


def _checked_out(tree: Worktree | WorktreeView) -> str:
    return f"checked out in {inert(tree.path)}" + (", which is missing" if tree.missing else "")


def _odd(tree: Worktree | WorktreeView) -> list[str]:
    return [f"worktree {inert(tree.path)} {oddity}" for oddity in worktree_oddities(tree)]


def _contest(named: Named, room: str | None) -> list[str]:
    names = [place.witness.person.seen_from(room) for place in named.live]
    reasons = []
    if len(names) > 1:
        reasons.append(f"{len(names)} live agents are on it: {', '.join(names[:-1])} and {names[-1]}")
    if named.claim:
        reasons += [_stranger_reason(place.witness.person, named.claim, room) for place in named.strangers]
    return reasons


def _stranger_reason(stranger: Person, claim: Claim, room: str | None) -> str:
    """The holder's room is said where it is another one than `room`, and to tell it from a namesake."""
    holder = claim.person.seen_from(stranger.room if stranger.name == claim.holder else room)
    return f"{stranger.seen_from(room)} is live on it, and the claim is {holder}'s"


def _task_reasons(named: Named, here: str | None) -> list[str]:
    tasks = [task.view for task in named.tasks]
    return [f'task {one.seen_from(here)} "{inert(one.title)}" is {one.status}' for one in tasks]


def _remarks(named: Named) -> list[str]:
    """Planned claims, odd worktrees, agents that stand elsewhere."""
    said = ["planned: the branch is not there yet"] if named.claim and named.claim.planned and not named.exists else []
    for tree in named.trees:
        said += _odd(tree)
    if len(named.trees) > 1:
        said.append(f"checked out in {len(named.trees)} worktrees at once")
    return said + [mismatch.text for mismatch in named.mismatches]
