"""Files that more than one has in hand, as lines of a branch's detail. A warning, never a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relay_tui.base.text import inert
from relay_tui.room.overlap import covering_claim, find_overlaps
from relay_tui.tui.rows_of.branches import shown_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from relay_tui.room.branches import BranchView
    from relay_tui.room.held import Claim
    from relay_tui.room.overlap import Overlap

SHOWN = 8


def overlap_lines(
    branch: BranchView, dirty: Mapping[str, Sequence[str]], changed: Sequence[str], claims: Sequence[Claim], folder: str
) -> list[str]:
    """`auth.py: dirty in 2 trees (…), claimed by codex-3`, and files changed here that somebody else claims."""
    here = branch.worktree.path if branch.worktree else None
    overlaps = [one for one in find_overlaps(dirty, claims) if here in one.worktrees]
    said = [_two_trees(one, folder) for one in overlaps]
    told = {one.path for one in overlaps}
    own = {one.agent for one in branch.agents} | ({branch.claim.holder} if branch.claim else set())
    covering = {claim.resource: claim for claim in claims if claim.scope == "project" and claim.holder not in own}
    for path in dict.fromkeys([*changed, *dirty.get(here or "", ())]):
        claim = covering_claim(path, covering)
        if claim is not None and path not in told:
            said.append(f"{inert(path)}: changed here, claimed by {inert(claim.holder)}")
    return said if len(said) <= SHOWN else [*said[:SHOWN], f"and {len(said) - SHOWN} more"]


def _two_trees(overlap: Overlap, folder: str) -> str:
    trees = ", ".join(inert(shown_path(tree, folder)) for tree in overlap.worktrees)
    claimed = f", claimed by {inert(overlap.claim.holder)}" if overlap.claim else ""
    return f"{inert(overlap.path)}: dirty in {len(overlap.worktrees)} trees ({trees}){claimed}"
