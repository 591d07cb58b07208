"""Texts of the actions on handovers."""

from __future__ import annotations

from relay_tui.base.resources import spell
from relay_tui.base.text import inert
from relay_tui.base.times import age
from relay_tui.cli.texts.layout import columns
from relay_tui.room.handoffs import word_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.room.asking import AskedList
    from relay_tui.room.handoffs import Handoff, HandoffAnswer, HandoffList


def request(done: HandoffAnswer, now: int) -> Iterator[str]:
    one = done.handoff
    yield f"{one.id}: offered to {one.to}: {_names(one)}. It stays yours until they accept."


def respond(done: HandoffAnswer, now: int) -> Iterator[str]:
    one = done.handoff
    taken = [inert(spell(each.scope, each.resource)) for each in one.resources if each.accepted]
    holds = f" {one.to} holds {', '.join(taken)}." if taken else ""
    yield f"{one.id}: {word_of(one.state)}.{holds}"


def cancel(done: HandoffAnswer, now: int) -> Iterator[str]:
    yield f"{done.handoff.id}: cancelled; nothing moved."


def ask(done: AskedList, now: int) -> Iterator[str]:
    for one in done.asked:
        yield f"{one.holder} was asked for {inert(one.resource)} ({one.message})."


def list_all(found: HandoffList, now: int) -> Iterator[str]:
    yield from columns([_row(one, now) for one in found.handoffs])
    if not found.handoffs:
        yield "No handover waits."


def _row(one: Handoff, now: int) -> list[str]:
    asked = f"{age(one.requested_at, now)} ago"
    return [one.id, one.state, f"{one.from_} → {one.to}", _names(one), asked, one.reason or ""]


def _names(one: Handoff) -> str:
    return ", ".join(inert(spell(each.scope, each.resource)) for each in one.resources)
