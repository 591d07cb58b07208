"""Files that two worktrees have changed at once, with who claims them. A warning, never a refusal."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import NamedTuple

    from relay_tui.room.held import Claim
else:
    from relay_tui.base.record import NamedTuple


class Overlap(NamedTuple):
    """A path that is dirty in several worktrees, and the claim that covers it, if there is one."""

    path: str
    worktrees: list[str]
    claim: Claim | None


def find_overlaps(dirty: Mapping[str, Iterable[str]], claims: Sequence[Claim]) -> list[Overlap]:
    """Paths (from each tree's top) dirty in more than one worktree, by path. `dirty` is by worktree."""
    trees_of: dict[str, list[str]] = {}
    for tree, paths in dirty.items():
        for path in paths:
            trees_of.setdefault(path, []).append(tree)
    covering = {claim.resource: claim for claim in claims if claim.scope == "project"}
    return [
        Overlap(path, sorted(trees), covering_claim(path, covering))
        for path, trees in sorted(trees_of.items())
        if len(trees) > 1
    ]


def covering_claim(path: str, claims: Mapping[str, Claim]) -> Claim | None:
    """The claim on a path or on the nearest folder above it; `claims` by their resource."""
    while path:
        if path in claims:
            return claims[path]
        path = path.rpartition("/")[0]
    return claims.get(".")
