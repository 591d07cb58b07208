"""Actions on claims: paths, branches and parts of the machine in one list."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import Resource, parse_resource
from relay_tui.base.text import is_unicode
from relay_tui.base.times import parse_age
from relay_tui.room import claims as taking
from relay_tui.room import held
from relay_tui.room.where import where_typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal, NamedTuple, TypeVar

    from relay_tui.base.gauges import Measure
    from relay_tui.room.claims import Claimed, Released
    from relay_tui.room.held import ClaimList
    from relay_tui.room.ledger import Actor
    from relay_tui.room.past import AsOf
    from relay_tui.room.rooms import Room

    T = TypeVar("T")
else:
    from relay_tui.base.record import NamedTuple


class GateReport(NamedTuple):
    """`gate` of the contract; what could not be measured does not refuse."""

    ok: bool
    measures: list[Measure]

    @property
    def exit_code(self) -> int:
        return 0 if self.ok else 8


def claim(
    room: Room, me: Actor, resources: list[str], *, scope: Literal["project", "machine"] | None = None,
    note: str | None = None, gate: bool = False, wait: str | None = None,
) -> Claimed:  # fmt: skip
    """Claim paths, branches or parts of the machine. All of them, or none if somebody holds one.

    relay claim src/auth machine:native --note "auth rewrite"
    """
    wanted = resolve(room, resources, scope)
    if named := [one for one in wanted if one.scope == "branch"]:
        from relay_tui.actions.branches import require_branches

        require_branches(room, me, named)

    def measure() -> list[Measure]:
        return _pass_gate(room, wanted) if gate else []

    if wait is not None:
        from relay_tui.room.queueing import take_in_turn

        return take_in_turn(room, me, wanted, note=note, measure=measure, patience=parse_age(wait))
    return taking.take(room, me, wanted, note=note, gate=measure())


def release(
    room: Room, me: Actor, resources: list[str] | None = None, *, all_: bool = False,
    scope: Literal["project", "machine"] | None = None, force: bool = False, reason: str | None = None,
) -> Released:  # fmt: skip
    """Give back what you hold. The operator can free what somebody else holds, with a reason.

    relay release src/auth
    """
    if all_ == bool(resources):
        raise RelayError("usage", "Say what to release.", "Name resources, or --all for everything you hold.")
    if force:
        if all_ or not reason:
            raise RelayError("usage", "A forced release names its resources and a reason.", "Add --reason TEXT.")
        return by_either_spelling(
            room, resources or [], scope, lambda held: taking.force_release(room, me, held, reason)
        )
    if all_:
        return taking.give_back_all(room, me, scope, reason)
    return by_either_spelling(room, resources or [], scope, lambda held: taking.give_back(room, me, held, reason))


def claims(
    room: Room, *, holder: str | None = None, scope: Literal["project", "machine", "branch"] | None = None,
    stale: bool = False, over: str | None = None, at: str | None = None,
) -> ClaimList | AsOf:  # fmt: skip
    """Who holds which paths, branches and parts of the machine.

    relay claims --over src/auth
    """
    if at is not None:
        from relay_tui.actions.past import BY_EVENTS, MAIL, look_back

        return look_back(
            room, at, lambda past: _listed(past, holder, scope, stale, over), doubts=[BY_EVENTS], without=MAIL
        )
    return _listed(room, holder, scope, stale, over)


def _listed(room: Room, holder: str | None, scope: str | None, stale: bool, over: str | None) -> ClaimList:
    below = resolve_both(room, [over], None) if over is not None else ()
    found = held.list_claims(room, holder=holder, scope=scope, stale=stale, over=below)
    if holder is not None and not found.claims:
        held.require_holder(room, holder)
    return found


def gate(room: Room) -> GateReport:
    """Measure swap, load and free disk against their bounds. This claims nothing.

    relay gate
    """
    from relay_tui.base.gauges import judge, read_gauges

    measures = judge(read_gauges(room.folder), room.settings.bounds())
    return GateReport(all(one.ok is not False for one in measures), measures)


def _pass_gate(room: Room, wanted: list[Resource]) -> list[Measure]:
    """What was measured for these resources. Raises `gate_refused` with the figures against their bounds."""
    from relay_tui.base.bounds import strictest
    from relay_tui.base.gauges import describe_measure, judge, read_gauges

    bounds = strictest(room.settings.bounds(str(one), one.resource) for one in wanted)
    measures = judge(read_gauges(room.folder), bounds)
    over = [describe_measure(one) for one in measures if one.ok is False]
    if over:
        raise RelayError(
            "gate_refused", f"The machine is too busy: {'; '.join(over)}.", "Add --wait SECONDS to wait for it.",
            {"measures": measures},
        )  # fmt: skip
    return measures


def by_either_spelling(room: Room, typed: list[str], scope: str | None, act: Callable[[list[Resource]], T]) -> T:
    """What was claimed under a name is found under it, also where a link has taken its place since."""
    try:
        return act(resolve(room, typed, scope))
    except RelayError as fault:
        if fault.code not in ("unknown_claim", "outside_tree", "invalid"):
            raise
        first = fault
    try:
        return act(resolve(room, typed, scope, follow=False))
    except RelayError as fault:
        raise (first if fault.code == "unknown_claim" else fault) from None


def resolve(room: Room, typed: list[str], scope: str | None, *, follow: bool = True) -> list[Resource]:
    """Canonical keys of what was typed in the folder that `room` is seen from; links are followed unless told."""
    folder, top = where_typed(room)
    trees: dict[str, str] = {}
    return [parse_resource(one, folder, top, scope, trees, follow=follow) for one in typed]


def resolve_both(room: Room, typed: list[str], scope: str | None) -> list[Resource]:
    """The keys of what was typed, each where links lead and as it is called; one of the two must be in the tree."""
    folder, top = where_typed(room)
    trees: dict[str, str] = {}
    found: dict[Resource, None] = {}
    for one in typed:
        try:
            found[parse_resource(one, folder, top, scope, trees)] = None
        except RelayError as fault:
            if fault.code != "outside_tree" and is_unicode(one):
                raise
        found[parse_resource(one, folder, top, scope, trees, follow=False)] = None
    return list(found)
