"""Files that more than one has in hand: dirty in two worktrees, changed on two branches, or claimed by another.

Pure functions of what git and the claims say. A warning, never a refusal (DESIGN §6.4).
"""

from __future__ import annotations

from itertools import pairwise

from relay_tui.base.text import counted, inert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import NamedTuple

    from relay_tui.room.branches import BranchView, WorktreeView
    from relay_tui.room.held import Claim
    from relay_tui.room.persons import Person
else:
    from relay_tui.base.record import NamedTuple


class Overlap(NamedTuple):
    """A path, the worktrees in which it is not committed, the claim over it, and the branches that changed it."""

    path: str
    worktrees: list[str]
    claim: Claim | None
    branches: list[str]


class Side(NamedTuple):
    """One worktree, or a branch without one: who is there, what is not committed, and the commits of each path."""

    branch: str | None
    worktree: str | None
    holder: Person | None
    live: tuple[Person, ...]
    others: tuple[Person, ...]
    dirty: Collection[str]
    changed: Mapping[str, Collection[str]]

    @property
    def people(self) -> set[Person]:
        return {*self.live, *self.others, *([self.holder] if self.holder else [])}

    def marks(self, path: str) -> set[str]:
        """What was done to the path here: its commits, and the worktree itself where it is dirty."""
        here = {self.worktree} if self.worktree is not None and path in self.dirty else set()
        return {*self.changed.get(path, ()), *here}


class Contest(NamedTuple):
    """A path with everybody who has it in hand."""

    path: str
    sides: list[Side]
    claim: Claim | None

    @property
    def overlap(self) -> Overlap:
        trees = {side.worktree for side in self.sides if side.worktree and self.path in side.dirty}
        branches = {side.branch for side in self.sides if side.branch and self.path in side.changed}
        return Overlap(self.path, sorted(trees), self.claim, sorted(branches))


def sides_of(
    rows: Iterable[BranchView],
    trees: Sequence[WorktreeView],
    dirty: Mapping[str, Collection[str]],
    changed: Mapping[str, Mapping[str, Collection[str]]],
) -> list[Side]:
    """A side for every worktree, and for every branch without one. `dirty` is by worktree, `changed` by branch."""
    by_branch = {row.branch: row for row in rows}
    places = [(tree.branch, tree.path) for tree in trees]
    checked_out = {branch for branch, _ in places}
    return [
        _side(branch, tree, by_branch.get(branch or ""), dirty.get(tree or "", ()), changed.get(branch or "", {}))
        for branch, tree in [*places, *((name, None) for name in changed if name not in checked_out)]
    ]


def find_overlaps(sides: Sequence[Side], claims: Sequence[Claim]) -> list[Overlap]:
    return [contest.overlap for contest in find_contests(sides, claims)]


def find_contests(sides: Sequence[Side], claims: Sequence[Claim]) -> Iterator[Contest]:
    """Paths, from the tree's top, that two sides have in hand, or one while somebody else claims it; by path."""
    touching: dict[str, list[Side]] = {}
    for side in sides:
        for path in {*side.dirty, *side.changed}:
            touching.setdefault(path, []).append(side)
    covering = {claim.resource: claim for claim in claims if claim.scope == "project"}
    for path, touchers in sorted(touching.items()):
        claim = covering_claim(path, covering)
        is_anothers = claim is not None and any(claim.person not in side.people for side in touchers)
        if is_anothers or _diverge([side.marks(path) for side in touchers]):
            yield Contest(path, touchers, claim)


def describe(overlap: Overlap, name_tree: Callable[[str], str], here: str | None) -> str:
    """`dirty in 2 trees (…), changed on feat/auth, claimed by codex-3`, inert, as seen from the room `here`."""
    trees, said = [inert(name_tree(tree)) for tree in overlap.worktrees], []
    if trees:
        said.append(f"dirty in {counted(len(trees), 'tree')} ({', '.join(trees)})")
    if overlap.branches:
        said.append(f"changed on {' and '.join(map(inert, overlap.branches))}")
    if overlap.claim:
        said.append(f"claimed by {inert(overlap.claim.person.seen_from(here))}")
    return ", ".join(said)


def covering_claim(path: str, claims: Mapping[str, Claim]) -> Claim | None:
    """The claim on a path or on the nearest folder above it; `claims` by their resource."""
    while path:
        if path in claims:
            return claims[path]
        path = path.rpartition("/")[0]
    return claims.get(".")


def _diverge(marks: Iterable[set[str]]) -> bool:
    """Whether two have each done what the other has not: a branch built upon another one has all of its commits."""
    by_size = sorted(marks, key=len)
    return not all(fewer <= more for fewer, more in pairwise(by_size))


def _side(
    branch: str | None,
    worktree: str | None,
    row: BranchView | None,
    dirty: Collection[str],
    changed: Mapping[str, Collection[str]],
) -> Side:
    agents = row.agents if row else []
    return Side(
        branch, worktree, row.claim.person if row and row.claim else None,
        tuple(one.person for one in agents if one.state == "live"),
        tuple(one.person for one in agents if one.state != "live"), frozenset(dirty), changed,
    )  # fmt: skip
