"""The action that wakes idle agents that have mail: an opt-in, which nothing else imports (DESIGN §1).

Sending never waits for it and starts nothing: it runs where somebody lets it, by hand, in a script, or in the
screen while that is open. Each attempt is recorded before it is made.
"""

from __future__ import annotations

import os

from relay_tui.base.processes import is_running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
    from relay_tui.room.wakes import Due
    from relay_tui.wiring.waking import Way
else:
    from relay_tui.base.record import NamedTuple

PLANNED = "planned"  # the outcome of a dry run


class Attempt(NamedTuple):
    """`outcome` is told, failed, uncertain (which is never tried again) or planned; `text` says why."""

    agent: str
    means: str
    messages: int
    outcome: str
    text: str


class NotWoken(NamedTuple):
    agent: str
    reason: str


class Woken(NamedTuple):
    """Whom it was tried with, who has mail and cannot be woken now, and whom relay.toml allows to be woken."""

    attempts: list[Attempt]
    skipped: list[NotWoken]
    allowed: list[str]


def wake(room: Room, me: Actor, names: list[str] | None = None) -> Woken:
    """Wake idle agents that have new mail. Once for the same mail, and only where relay.toml allows it.

    relay wake claude-1
    """
    from relay_tui.room.wakes import due_agents

    due = due_agents(room, names)
    named = dict.fromkeys(names or [one.agent.row.name for one in due])
    found = [_wake(room, me, name, due, again=bool(names)) for name in named]
    attempts = [one for one in found if isinstance(one, Attempt)]
    skipped = [one for one in found if isinstance(one, NotWoken)]
    return Woken(attempts, skipped, list(room.settings.wake))


def _wake(room: Room, me: Actor, name: str, due: list[Due], *, again: bool) -> Attempt | NotWoken:
    from relay_tui.room.wakers import has_waker
    from relay_tui.room.wakes import record_attempt, record_outcome, wake_line
    from relay_tui.wiring.waking import find_way, take_way

    one = next((one for one in due if one.agent.row.name == name), None)
    if one is None:
        return NotWoken(name, _why_not(room, name))
    agent = one.agent.row
    if has_waker(room, agent.session):
        return NotWoken(name, "a hook waits beside it")
    process = agent.process if agent.process and is_running(agent.process) else None
    way = find_way(agent.runner, agent.session, process and process.pid, os.path.expanduser("~"))
    if isinstance(way, str):
        return NotWoken(name, way)
    recorded = record_attempt(room, me, name, way.means, again=again)
    if recorded is None:
        return NotWoken(name, "somebody else has just woken it")
    if room.store.dry_run:
        return _attempt(recorded, way, PLANNED, "")
    ending = take_way(way, wake_line(recorded.messages))
    record_outcome(room, me, recorded, *ending)
    return _attempt(recorded, way, *ending)


def _attempt(due: Due, way: Way, outcome: str, text: str) -> Attempt:
    return Attempt(due.agent.row.name, way.means, due.messages, outcome, text)


def _why_not(room: Room, name: str) -> str:
    """Raises `unknown_agent`."""
    from relay_tui.room.agents import require_reader

    with room.reading() as db:
        known = require_reader(db, room, name, room.clock())
    if not room.settings.wakes(name):
        return "relay.toml does not allow it"
    return "it has no mail that it was not told of or woken for" if known.row.standing == "here" else "it is not here"
