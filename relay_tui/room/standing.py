"""Where agents stand: what each reports, against what git has checked out in its worktree now.

Pure. An agent counts on exactly one branch, the one where it is; what it reported instead is a mismatch.
"""

from __future__ import annotations

from relay_tui.base.text import inert

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


class Place(NamedTuple):
    """An agent on the branch where it counts, by its word (`reported`) or by git's (`observed`)."""

    witness: Witness
    branch: str
    source: str


class Mismatch(NamedTuple):
    """An agent that reports one branch and stands on another (None: on no branch of this repository)."""

    agent: str
    reported: str
    observed: str | None
    live: bool
    text: str


class Standing(NamedTuple):
    places: list[Place]
    mismatches: list[Mismatch]


def place_agents(witnesses: Iterable[Witness], worktrees: Sequence[Worktree]) -> Standing:
    """Put every witness on at most one branch, and say where word and fact differ."""
    places, mismatches = [], []
    for witness in witnesses:
        tree = None if witness.elsewhere else find_worktree(witness.worktree, worktrees)
        if witness.worktree is None:
            if witness.branch is not None:
                places.append(Place(witness, witness.branch, "reported"))
            continue
        observed = _branch_of(tree)
        if observed is not None:
            places.append(Place(witness, observed, "observed" if observed != witness.branch else "reported"))
        if witness.branch is not None and observed != witness.branch:
            mismatches.append(_mismatch(witness, tree, observed))
    return Standing(places, mismatches)


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
    return tree.branch.removeprefix("refs/heads/")


def _mismatch(witness: Witness, tree: Worktree | None, observed: str | None) -> Mismatch:
    where = inert(witness.worktree or "")
    if observed is not None:
        stands = f"stands in {inert(observed)}"
    elif witness.gone:
        stands = f"stands in {where}, which does not exist"
    elif tree is None or tree.elsewhere:
        stands = f"stands in {where}, which is no worktree of this repository"
    else:
        stands = f"stands in {where}, which is on no branch"
    text = f"{witness.agent} reports {inert(witness.branch or '')} and {stands}"
    return Mismatch(witness.agent, witness.branch or "", observed, witness.state == "live", text)
