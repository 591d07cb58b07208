"""Answers as of a moment that is past: the same readings, of the room as it was then (DESIGN §3.1)."""

from __future__ import annotations

from relay_tui.base.moments import parse_moment
from relay_tui.base.places import HEADS
from relay_tui.room.branch_facts import read_room_facts
from relay_tui.room.branches import join_branches
from relay_tui.room.journal import read_log_until
from relay_tui.room.past import AsOf, as_it_was

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from relay_tui.repo.facts import GitFacts
    from relay_tui.room.branches import BranchView, RoomFacts
    from relay_tui.room.rooms import Room

MAIL = ("message", "wake")  # by far the most events, and nothing but mail is made of them
BY_EVENTS = "States are what the ledger tells: reading leaves no event, so an agent that only read shows as quiet."
NO_GIT = "Git's side is not in the ledger: which branches and worktrees there were is not told."


def look_back(
    room: Room, at: str, read: Callable[[Room], object], *, doubts: Sequence[str] = (), without: Collection[str] = ()
) -> AsOf:
    """What `read` finds in the room as it was; events whose kind's first word is in `without` are not needed for it.

    Raises `usage` for what is no moment or is still to come, `unknown_room` for one before the room.
    """
    with as_it_was(room, parse_moment(at, room.clock()), without=without) as past:
        return AsOf(past.clock(), read(past), list(doubts))


def read_log_then(room: Room, at: str, reader: str | None, *, after: int | None, kind: str | None, limit: int) -> AsOf:
    """The log as far as it had come."""
    moment = parse_moment(at, room.clock())
    page = read_log_until(room, reader, moment, after=after, kind=kind, limit=limit)
    return AsOf(moment, page._replace(doubts=()), list(page.doubts))


def branches_then(room: Room) -> tuple[GitFacts, list[BranchView]]:
    """Every branch that a claim, an agent or a task named, as if git had it; no worktree is known."""
    from relay_tui.repo.facts import Branch, GitFacts

    said = _without_folders(read_room_facts(room))
    named = {claim.resource for claim in said.claims} | {task.branch for task in said.tasks}
    named |= {witness.branch for witness in said.witnesses if witness.branch}
    git = [Branch(HEADS + name, "", None, None) for name in sorted(named)]
    facts = GitFacts(room.row.repository or room.row.root, None, git, [], [], room.clock())
    return facts, [row._replace(head=None) for row in join_branches(facts, said)]


def _without_folders(said: RoomFacts) -> RoomFacts:
    """Agents by their word alone: what stands in their folders now is nothing of then."""
    witnesses = [one._replace(worktree=None, elsewhere=False, gone=False) for one in said.witnesses]
    return said._replace(witnesses=witnesses)
