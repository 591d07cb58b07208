"""The line of those that wait for a claim: first come, first served, and who dies loses the place.

Places stand beside the ledger: they say who waits, not who holds. A waiter is known by its process, so that
one that was killed is passed over by whoever looks next, and one that was stopped when its time is over (DESIGN §6.3).
"""

from __future__ import annotations

import os

from relay_tui.base.processes import ProcessIdentity, identify, is_running
from relay_tui.base.resources import Resource, ancestors
from relay_tui.base.times import DAY

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from typing import NamedTuple

    from relay_tui.room.persons import Person
else:
    from relay_tui.base.record import NamedTuple


class Waiter(NamedTuple):
    """One resource that somebody waits for; a ticket may have several."""

    ticket: int
    scope: str
    family: int
    lookup: str
    resource: str
    agent: int
    name: str
    room: str
    pid: int

    @property
    def person(self) -> Person:
        """Whoever waits. Loaded when it is asked for, as with a claim's."""
        from relay_tui.room.persons import Person

        return Person(self.room, self.name)


class WaitedFor(NamedTuple):
    """What nobody holds, and who comes first for it."""

    scope: str
    resource: str
    waiting: Sequence[str]
    waiting_rooms: Sequence[str]

    @property
    def queue(self) -> list[Person]:
        from relay_tui.room.persons import persons

        return persons(self.waiting, self.waiting_rooms)


_LINE = """
SELECT w.ticket, w.scope, w.family, w.lookup, w.resource, w.agent, a.name, r.name, w.pid, w.process_start, w.boot
FROM waiting AS w JOIN agents AS a ON a.key = w.agent JOIN rooms AS r ON r.key = a.room
WHERE w.ends > ? AND a.standing IN ('here', 'dormant') ORDER BY w.ticket, w.scope, w.lookup
"""


def stand_in_line(
    db: sqlite3.Connection, agent: int, wanted: Sequence[tuple[int, Resource]], now: int, patience: int
) -> int:
    """A place behind everybody else for resources with their families, for so long; returns the ticket."""
    me = identify(os.getpid())
    start, boot = (me.start, me.boot) if me else (0, "")
    ticket = int(db.execute("SELECT coalesce(max(ticket), 0) + 1 FROM waiting").fetchone()[0])
    db.executemany(
        "INSERT INTO waiting (ticket, scope, family, lookup, resource, agent, pid, process_start, boot, ends)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (ticket, one.scope, family, one.lookup, one.resource, agent, os.getpid(), start, boot, now + patience)
            for family, one in wanted
        ],
    )
    return ticket


def leave_line(db: sqlite3.Connection, ticket: int, agent: int) -> None:
    """Give up a place; one that was lost before may be another agent's now."""
    db.execute("DELETE FROM waiting WHERE ticket = ? AND agent = ?", (ticket, agent))


def read_line(db: sqlite3.Connection, now: int) -> list[Waiter]:
    """Everybody who waits, in a process that runs, as an agent that has not left or been retired, and whose time is
    not over, in the order of their places."""
    alive: dict[tuple[object, ...], bool] = {}
    found = []
    for *waiter, start, boot in db.execute(_LINE, (now,)).fetchall():
        one = Waiter(*waiter)
        identity = ProcessIdentity(one.pid, start, boot)
        if alive.setdefault(identity, is_running(identity)):
            found.append(one)
    return found


def sweep_line(db: sqlite3.Connection, now: int) -> None:
    """Forget the places of processes that ended, and those whose time was over a day ago: a clock may be ahead."""
    kept = {waiter.ticket for waiter in read_line(db, now - DAY)}
    for ticket, agent in db.execute("SELECT DISTINCT ticket, agent FROM waiting").fetchall():
        if ticket not in kept:
            leave_line(db, ticket, agent)


def first_ahead(
    line: Sequence[Waiter], wanted: Sequence[tuple[int, Resource]], agent: int, ticket: int | None
) -> Waiter | None:
    """Whoever stands before `ticket` (everybody, for None) for something that overlaps."""
    for waiter in line:
        if (ticket is not None and waiter.ticket >= ticket) or waiter.agent == agent:
            continue
        if any(overlaps(waiter, family, one) for family, one in wanted):
            return waiter
    return None


def waiting_for(line: Sequence[Waiter], scope: str, family: int, lookup: str) -> tuple[list[str], list[str]]:
    """Who waits for one resource or what overlaps it, in the order of their places: their names, and their rooms."""
    one = Resource(scope, lookup, lookup)
    found = dict.fromkeys((waiter.name, waiter.room) for waiter in line if overlaps(waiter, family, one))
    return [name for name, _ in found], [room for _, room in found]


def overlaps(waiter: Waiter, family: int, one: Resource) -> bool:
    """Whether the resource of one family is what somebody waits for, or lies above or below it."""
    if (waiter.scope, waiter.family) != (one.scope, family):
        return False
    if waiter.lookup == one.lookup:
        return True
    nested = waiter.lookup in ancestors(one.lookup) or one.lookup in ancestors(waiter.lookup)
    return one.scope == "project" and nested
