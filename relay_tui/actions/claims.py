"""Actions on claims: paths, branches and parts of the machine in one list."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import SCOPES, Resource, parse_resource
from relay_tui.room import claims as held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from relay_tui.room.claims import Claimed, ClaimList, Released
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room


def claim(
    room: Room, me: Actor, resources: list[str], *, scope: Literal["project", "machine"] | None = None,
    note: str | None = None,
) -> Claimed:  # fmt: skip
    """Claim paths, branches or parts of the machine: all of them, or none if somebody holds one.

    relay claim src/auth machine:native --note "auth rewrite"
    """
    wanted = resolve(room, resources, scope)
    for one in wanted:
        if one.scope == "branch":
            from relay_tui.actions.branches import require_branch

            require_branch(room, one)
    return held.take(room, me, wanted, note=note)


def release(
    room: Room, me: Actor, resources: list[str] | None = None, *, all_: bool = False,
    scope: Literal["project", "machine"] | None = None, force: bool = False, reason: str | None = None,
) -> Released:  # fmt: skip
    """Give back what you hold; the operator can free what somebody else holds, with a reason.

    relay release src/auth
    """
    if all_ == bool(resources):
        raise RelayError("usage", "Say what to release.", "Name resources, or --all for everything you hold.")
    if force:
        if all_ or not reason:
            raise RelayError("usage", "A forced release names its resources and a reason.", "Add --reason TEXT.")
        return held.force_release(room, me, resolve(room, resources or [], scope), reason)
    if all_:
        return held.give_back_all(room, me, scope)
    return held.give_back(room, me, resolve(room, resources or [], scope))


def claims(
    room: Room, *, holder: str | None = None, scope: str | None = None, stale: bool = False,
    over: str | None = None,
) -> ClaimList:  # fmt: skip
    """Who holds what: this repository's paths and branches, and the machine's resources.

    relay claims --over src/auth
    """
    if scope is not None and scope not in SCOPES:
        raise RelayError("usage", f"'{scope}' is not a scope.", f"Use one of {', '.join(SCOPES)}.")
    below = resolve(room, [over], None)[0] if over is not None else None
    return held.list_claims(room, holder=holder, scope=scope, stale=stale, over=below)


def resolve(room: Room, typed: list[str], scope: str | None) -> list[Resource]:
    """Canonical keys of what was typed in the folder that `room` is seen from."""
    root = room.place.worktree if room.place else None
    top = root or (room.row.root if room.exists else room.folder)
    return [parse_resource(one, room.folder, top, scope) for one in typed]
