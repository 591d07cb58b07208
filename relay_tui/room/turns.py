"""Whose turn it is: who comes before whom for what is free, and when waiting would never end (DESIGN §6.3)."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.text import shell_word
from relay_tui.room.held import distinct, family_of, holders_against, overlapping, shown_resource
from relay_tui.room.waiting import Waiter, first_ahead, read_line
from relay_tui.room.where import word_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from relay_tui.base.resources import Resource
    from relay_tui.room.rooms import Room


def whose_turn(
    db: sqlite3.Connection, room: Room, wanted: Sequence[Resource], agent: int, ticket: int | None, now: int
) -> Waiter | None:
    """Whoever comes before `ticket` (before anybody new, for None); None where it is the agent's own turn.

    One that waits for several keeps none of them from others while another of them is held. A place that its agent
    lost by leaving is none, whoever has its number now.
    """
    line = read_line(db, now)
    if not any((one.ticket, one.agent) == (ticket, agent) for one in line):
        ticket = None
    held = {waiter for waiter in line if holders_against(db, waiter)}
    stuck = {one for one in line if any(other.ticket == one.ticket and other != one for other in held)}
    families = [(family_of(room, one.scope), one) for one in distinct(wanted)]
    return first_ahead([one for one in line if one not in stuck], families, agent, ticket)


def ahead_error(room: Room, ahead: Waiter) -> RelayError:
    elsewhere = "" if ahead.room == room.row.name else f" --room {shell_word(ahead.room)}"
    return RelayError(
        "claim_conflict",
        f"{ahead.person.seen_from(room.row.name)} waits for {shown_resource(ahead)} and comes first.",
        f"Add --wait SECONDS to stand in line. Process {ahead.pid} waits; if it was stopped, end it,"
        f" or the operator may run: relay retire {ahead.name}{elsewhere}",
        {"conflicts": [], "waiting": [ahead.name], "waiting_rooms": [ahead.room]},
    )


def refuse_circle(db: sqlite3.Connection, room: Room, wanted: Sequence[Resource], agent: int, now: int) -> None:
    """Raises `claim_conflict` where those who hold it wait, one for another, for what this agent holds."""
    line = read_line(db, now)
    conflicts = overlapping(db, room, wanted, now, not_of=agent)
    reached = {one.agent for one in conflicts}
    todo = list(reached)
    while todo:
        holder = todo.pop()
        for waiter in (one for one in line if one.agent == holder):
            holders = holders_against(db, waiter)
            if agent in holders:
                raise _circle(room, waiter, [one.claim for one in conflicts])
            todo += holders - reached
            reached |= holders


def _circle(room: Room, waiter: Waiter, conflicts: Sequence[object]) -> RelayError:
    word = word_here(room, waiter.scope, waiter.resource)
    who = waiter.person.seen_from(room.row.name)
    offer = f", or offer it: relay handoff request {word} --to {waiter.name}" if waiter.room == room.row.name else "."
    return RelayError(
        "claim_conflict",
        f"{who} waits for {shown_resource(waiter)}, which you hold: waiting for each other would never end.",
        f"Release it{offer}",
        {"conflicts": conflicts, "waiting": [waiter.name], "waiting_rooms": [waiter.room]},
    )
