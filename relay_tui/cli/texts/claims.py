"""Texts of the actions on claims."""

from __future__ import annotations

from relay_tui.base.gauges import describe_measure
from relay_tui.base.resources import spell
from relay_tui.base.text import clip, inert
from relay_tui.base.times import age, heard_from
from relay_tui.cli.texts.layout import NAME_SHOWN, TEXT_SHOWN, columns, of_any_moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from relay_tui.actions.claims import GateReport
    from relay_tui.room.claims import Claimed, Released
    from relay_tui.room.held import Claim, ClaimList
    from relay_tui.room.waiting import WaitedFor


def claim(done: Claimed, now: int) -> Iterator[str]:
    if done.claimed:
        yield f"Held by {inert(done.claimed[0].holder)}: {_names(done.claimed)}"
    if done.already:
        yield f"Held already: {_names(done.already)}"


def release(done: Released, now: int) -> Iterator[str]:
    if not done.released:
        yield "Nothing was held."
    elif done.forced:
        holders = sorted({inert(claim.person.seen_from(done.room)) for claim in done.released})
        yield f"Released by force: {_names(done.released)}. Held until now by {', '.join(holders)}."
    else:
        yield f"Released: {_names(done.released)}"


@of_any_moment
def claims(found: ClaimList, now: int) -> Iterator[str]:
    if not found.claims:
        yield "No claims to show. Take something with: relay claim PATH"
    yield from columns(
        [*(_row(one, found.room, now) for one in found.claims), *(_free_row(one, found.room) for one in found.free)]
    )


def gate(found: GateReport, now: int) -> Iterator[str]:
    for one in found.measures:
        word = {True: "ok", False: "over", None: "unknown"}[one.ok]
        yield f"{word:<8} {describe_measure(one)}"


def _row(one: Claim, here: str, now: int) -> list[str]:
    state = "Stale" if one.stale else "Held"
    heard = f"{one.holder_state}, {heard_from(one.holder_last_seen, now)}" if one.stale else ""
    remarks = ["planned"] if one.planned else []
    remarks += [f"offered in {one.handoff}"] if one.handoff else []
    remarks += [_waiting(one, here)] if one.waiting else []
    return [
        state, clip(spell(one.scope, one.resource), NAME_SHOWN), one.person.seen_from(here),
        age(one.claimed_at, now), heard, " · ".join(remarks), clip(one.note or "", TEXT_SHOWN),
    ]  # fmt: skip


def _free_row(one: WaitedFor, here: str) -> list[str]:
    """Free, but whoever waits comes first."""
    name = clip(spell(one.scope, one.resource), NAME_SHOWN)
    return ["Free", name, "", "", "", _waiting(one, here), ""]


def _waiting(one: Claim | WaitedFor, here: str) -> str:
    return f"waiting: {', '.join(person.seen_from(here) for person in one.queue)}"


def _names(claims: Sequence[Claim]) -> str:
    return ", ".join(inert(clip(spell(claim.scope, claim.resource), NAME_SHOWN)) for claim in claims)
