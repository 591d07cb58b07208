"""Whether somebody else holds what is about to be changed (DESIGN §6.3, guard). Reads; never refuses a claim."""

from __future__ import annotations

from relay_tui.base.resources import Resource, ancestors
from relay_tui.room.held import Claim, held_claims

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class HeldPath(NamedTuple):
    path: str
    claim: Claim


class Guarded(NamedTuple):
    """`guard` of the contract; `advise` turns the refusal into a warning."""

    checked: int
    held: list[HeldPath]
    advise: bool

    @property
    def exit_code(self) -> int:
        return 5 if self.held and not self.advise else 0


def guard_paths(room: Room, name: str | None, paths: Sequence[Resource], *, advise: bool) -> Guarded:
    """Each path with the claim of somebody else on it or on a folder above; nobody's name owns nothing.

    One walk over the repository's claims, so that thousands of paths cost what one does.
    """
    if not room.exists:
        return Guarded(len(paths), [], advise)
    with room.reading() as db:
        mine = (room.row.name, name)
        others = {
            held.lookup: held.claim
            for held in held_claims(db, room, room.clock())
            if held.claim.scope == "project" and (held.claim.room, held.claim.holder) != mine
        }
    held = [HeldPath(one.resource, claim) for one in paths if (claim := _covering(one.lookup, others)) is not None]
    return Guarded(len(paths), held, advise)


def _covering(lookup: str, claims: dict[str, Claim]) -> Claim | None:
    """The claim on a key itself, else on the nearest folder above it."""
    if not claims:
        return None
    for key in (lookup, *reversed(ancestors(lookup))):
        if key in claims:
            return claims[key]
    return None
