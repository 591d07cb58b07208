"""What the screen asks about branches, each a question for a thread of its own.

Git's facts are read once, by `look_around`, and handed to the questions about single rows.
"""

from __future__ import annotations

from relay_tui.actions.branch_numbers import names_at_work, read_numbers, read_uncommitted
from relay_tui.actions.branches import in_full, list_branches, read_facts
from relay_tui.base.places import HEADS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from relay_tui.actions.branch_numbers import BranchNumbers, Uncommitted
    from relay_tui.actions.branches import BranchDetail, BranchList
    from relay_tui.repo.facts import GitFacts
    from relay_tui.room.branches import BranchView
    from relay_tui.room.rooms import Room


def look_around(room: Room) -> tuple[BranchList, GitFacts]:
    """Every branch, and the facts that the rows were made of."""
    facts = read_facts(room)
    return list_branches(room, all_=True, facts=facts), facts


def look_at(facts: GitFacts, rows: Collection[BranchView]) -> BranchNumbers:
    """What git counts for the rows that are looked at, what is not committed aside."""
    return read_numbers(facts, [row.branch for row in rows], names_at_work(rows), (), facts.read_at)


def look_for_uncommitted(facts: GitFacts, rows: Collection[BranchView]) -> Uncommitted:
    """What is not committed where these rows are checked out: a slow worktree keeps nobody waiting for the rest."""
    return read_uncommitted(facts, [row.branch for row in rows])


def look_closer(facts: GitFacts, row: BranchView) -> BranchDetail:
    """What is on it, without what takes long in a slow worktree."""
    return in_full(facts, row, {})


def look_at_patch(room: Room, branch: str) -> str:
    """Its diff against the default branch, as git prints it now. Raises `invalid` for a commit that git has lost."""
    from relay_tui.repo.branch_contents import read_patch

    return read_patch(read_facts(room), HEADS + branch)


def watch_branches(room: Room, ring: Callable[[], object]) -> Callable[[], None]:
    """Ring whenever a branch or a worktree of the repository changes, until the answer is called."""
    from relay_tui.repo.watching import watch_refs

    return watch_refs(room.repository, ring) if room.repository else lambda: None
