"""Where agents stand: what each reports, against what git has checked out in its worktree now.

Pure. An agent counts on exactly one branch, the one where it is; what it reported instead is a mismatch. One without
a worktree is taken at its word, and so is one whose worktree is gone, which is a mismatch too.
"""

from __future__ import annotations

from relay_tui.base.resources import short_name
from relay_tui.base.text import inert
from relay_tui.room.persons import Person

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import NamedTuple

    from relay_tui.repo.facts import Worktree
else:
    from relay_tui.base.record import NamedTuple


class Witness(NamedTuple):
    """An agent that has not left, with the branch and the worktree that it reports; paths are real.

    `elsewhere` says that the worktree is another repository's, though it may lie inside one of ours; `gone`
    that there is no such folder.
    """

    room: str
    agent: str
    state: str
    branch: str | None
    worktree: str | None
    elsewhere: bool = False
    gone: bool = False

    @property
    def person(self) -> Person:
        return Person(self.room, self.agent)


class Place(NamedTuple):
    """An agent on the branch where it counts, by its word (`reported`) or by git's (`observed`)."""

    witness: Witness
    branch: str
    source: str


class Mismatch(NamedTuple):
    """An agent that reports one branch and stands on another (None: on no branch of this repository, or nowhere)."""

    room: str
    agent: str
    reported: str
    observed: str | None
    live: bool
    text: str

    @property
    def person(self) -> Person:
        return Person(self.room, self.agent)


class Standing(NamedTuple):
    places: list[Place]
    mismatches: list[Mismatch]


def place_agents(witnesses: Iterable[Witness], worktrees: Sequence[Worktree], here: str | None = None) -> Standing:
    """Put every witness on at most one branch, and say, as seen from the room `here`, where word and fact differ."""
    places, mismatches = [], []
    for witness in witnesses:
        tree = None if witness.elsewhere else find_worktree(witness.worktree, worktrees)
        observed, at_its_word = _branch_of(tree), witness.worktree is None
        if _is_lost(witness, tree, observed):
            observed, at_its_word = None, True
        branch = witness.branch if at_its_word else observed
        if branch is not None:
            places.append(Place(witness, branch, "reported" if branch == witness.branch else "observed"))
        if witness.worktree is not None and witness.branch is not None and observed != witness.branch:
            mismatches.append(_mismatch(witness, tree, observed, here))
    return Standing(places, mismatches)


def _is_lost(witness: Witness, tree: Worktree | None, observed: str | None) -> bool:
    """Whether its folder is gone, so that only its word says where it is: git may still list it, or have pruned it."""
    if not witness.gone or witness.branch is None:
        return False
    return tree is None or tree.missing or observed != witness.branch


def find_worktree(path: str | None, worktrees: Sequence[Worktree]) -> Worktree | None:
    """The worktree that holds `path`: the deepest one, since worktrees may lie inside another."""
    if path is None:
        return None
    holding = [
        tree for tree in worktrees
        if not tree.lost and (path == tree.path or path.startswith(tree.path.rstrip("/") + "/"))
    ]  # fmt: skip
    return max(holding, key=lambda tree: len(tree.path), default=None)


def _branch_of(tree: Worktree | None) -> str | None:
    if tree is None or tree.branch is None or tree.elsewhere:
        return None
    return short_name(tree.branch)


def _mismatch(witness: Witness, tree: Worktree | None, observed: str | None, here: str | None) -> Mismatch:
    where = inert(witness.worktree or "")
    if observed is not None:
        stands = f"stands in {inert(observed)}"
    elif witness.gone:
        stands = f"stands in {where}, which does not exist"
    elif tree is None or tree.elsewhere:
        stands = f"stands in {where}, which is no worktree of this repository"
    else:
        stands = f"stands in {where}, which is on no branch"
    reported = witness.branch or ""
    text = f"{witness.person.seen_from(here)} reports {inert(reported)} and {stands}"
    return Mismatch(witness.room, witness.agent, reported, observed, witness.state == "live", text)
