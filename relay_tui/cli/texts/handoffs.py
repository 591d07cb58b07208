"""Texts of the actions on handovers."""

from __future__ import annotations

from relay_tui.base.resources import spell
from relay_tui.base.text import clip, inert
from relay_tui.base.times import age
from relay_tui.cli.texts.layout import NAME_SHOWN, TEXT_SHOWN, columns
from relay_tui.room.handoffs import word_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from relay_tui.room.asking import AskedList
    from relay_tui.room.handoffs import Handoff, HandoffAnswer, HandoffList, HandoffResource

NAMES_SHOWN = 160  # characters of all the names in a row


def request(done: HandoffAnswer, now: int) -> Iterator[str]:
    one = done.handoff
    stays = "It stays" if len(one.resources) == 1 else "They stay"
    to = one.recipient.seen_from(done.room)
    yield f"{one.id}: offered to {to}: {_names(one.resources)}. {stays} yours until {to} accepts."


def respond(done: HandoffAnswer, now: int) -> Iterator[str]:
    one = done.handoff
    taken, kept = _taken(one), _kept(one)
    holds = f" {one.to} holds {_names(taken)}." if taken else ""
    giver = one.giver.seen_from(done.room)
    stays = f" {_names(kept)} {'stays' if len(kept) == 1 else 'stay'} with {giver}." if taken and kept else ""
    yield f"{one.id}: {word_of(one.state)}.{holds}{stays}"


def cancel(done: HandoffAnswer, now: int) -> Iterator[str]:
    yield f"{done.handoff.id}: cancelled; nothing moved."


def ask(done: AskedList, now: int) -> Iterator[str]:
    for one in done.asked:
        yield f"{one.person.seen_from(done.room)} was asked for {inert(one.resource)} ({one.message})."


def list_all(found: HandoffList, now: int) -> Iterator[str]:
    yield from columns([_row(one, found.room, now) for one in found.handoffs])
    if found.more:
        yield f"and {found.more:,} more that were answered before."
    if not found.handoffs:
        yield "No handover waits."


def _row(one: Handoff, here: str, now: int) -> list[str]:
    asked = f"{age(one.requested_at, now)} ago"
    names = _names(one.resources)
    if one.state == "partly":
        names = f"took {_names(_taken(one))}; not {_names(_kept(one))}"
    parties = f"{one.giver.seen_from(here)} → {one.recipient.seen_from(here)}"
    return [one.id, one.state, parties, clip(names, NAMES_SHOWN), asked, clip(one.reason or "", TEXT_SHOWN)]


def _taken(one: Handoff) -> list[HandoffResource]:
    return [each for each in one.resources if each.accepted]


def _kept(one: Handoff) -> list[HandoffResource]:
    return [each for each in one.resources if not each.accepted]


def _names(resources: Sequence[HandoffResource]) -> str:
    return ", ".join(inert(clip(spell(each.scope, each.resource), NAME_SHOWN)) for each in resources)
