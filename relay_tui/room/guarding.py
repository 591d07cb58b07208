"""Whether somebody else holds what is about to be changed (DESIGN §6.3, guard). Reads; never refuses a claim."""

from __future__ import annotations

from bisect import bisect_left

from relay_tui.base.resources import Resource, ancestors
from relay_tui.room.held import Claim, held_claims, overlapping
from relay_tui.room.where import word_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from typing import NamedTuple

    from relay_tui.room.agents import KnownAgent
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

_OF_OTHERS = """
SELECT c.resource, c.claimed_at, a.worktree FROM claims AS c JOIN agents AS a ON a.key = c.agent
WHERE c.scope = 'project' AND c.family = ? AND c.agent <> ?
"""
_FEW = 20  # paths of an edit hook or a hand; a lookup each is cheaper than all claims


class HeldPath(NamedTuple):
    """`word` names what is claimed in a line that is typed where the room is seen from."""

    path: str
    claim: Claim
    word: str


class Guarded(NamedTuple):
    """`guard` of the contract; `advise` turns the refusal into a warning, `doubts` are the document's warnings, and
    `asker`, in `room`, is who may ask for what is held."""

    checked: int
    held: list[HeldPath]
    advise: bool
    doubts: list[str]
    asker: str | None = None
    room: str | None = None

    @property
    def exit_code(self) -> int:
        return 5 if self.held and not self.advise else 0


def held_elsewhere(room: Room, agent: KnownAgent) -> list[tuple[str, int]]:
    """The paths of this repository that others hold, and do not hold where the agent works, each with the moment
    of its claim: where there are none, there is nothing to look for."""
    with room.reading() as db:
        held = db.execute(_OF_OTHERS, (room.row.family, agent.row.key)).fetchall()
    return [(path, at) for path, at, worktree in held if worktree is None or worktree != agent.row.worktree]


def guard_paths(room: Room, name: str | None, paths: Sequence[Resource], *, advise: bool) -> Guarded:
    """Each path with the claim of somebody else on it, on a folder above or on something below; nobody's name
    owns nothing.

    A few paths are looked up in the index, so that thousands of claims cost what one does; for many the
    repository's claims are walked once.
    """
    if not room.exists:
        return Guarded(len(paths), [], advise, [])
    with room.reading() as db:
        mine, now = (room.row.name, name), room.clock()
        claims = overlapping(db, room, paths, now) if len(paths) <= _FEW else held_claims(db, room, now, ["project"])
        others = {
            held.lookup: held.claim
            for held in claims
            if held.claim.scope == "project" and (held.claim.room, held.claim.holder) != mine
        }
    keys = sorted(others)
    held = [
        HeldPath(one.resource, others[key], word_here(room, "project", others[key].resource))
        for one in paths
        if (key := _overlapping(one.lookup, others, keys)) is not None
    ]
    return Guarded(len(paths), held, advise, [], name, room.row.name)


def _overlapping(lookup: str, claims: Container[str], keys: Sequence[str]) -> str | None:
    """The claimed key that is the path's own, else the nearest folder above it, else the first below it."""
    for key in (lookup, *reversed(ancestors(lookup))):
        if key in claims:
            return key
    prefix = f"{lookup}/" if lookup else ""
    place = bisect_left(keys, prefix)
    return keys[place] if place < len(keys) and keys[place].startswith(prefix) else None
