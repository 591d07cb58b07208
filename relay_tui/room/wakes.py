"""Attempts to wake an idle agent that has mail: whom, for which mail, by what means, and how it ended (DESIGN §11).

An attempt is recorded before it is made. One whose end is unknown may have worked, so it is never made again; the
mail that it was for is not notified by it, which the hook that it sets off does.
"""

from __future__ import annotations

from relay_tui.base.text import counted
from relay_tui.room.agents import read_agents, require_actor, require_reader
from relay_tui.room.notices import count_untold

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import NamedTuple

    from relay_tui.room.agents import KnownAgent
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class Due(NamedTuple):
    """An agent with mail that its runner was not told of, and for which nobody tried to wake it; `newest` is the
    last of that mail."""

    agent: KnownAgent
    newest: str
    messages: int


_LAST = """
SELECT coalesce(max(message), 0) FROM wakes WHERE agent = ? AND (outcome IS NULL OR outcome <> 'failed' OR NOT ?)
"""


def wake_line(messages: int) -> str:
    """What a session is woken with: one line, without any peer's words."""
    return f"relay: {counted(messages, 'new message')} for this session; `relay inbox` shows them."


def due_agents(room: Room, again: list[str] | None = None) -> list[Due]:
    """Agents that relay.toml allows to be woken and that have something to be woken for; for those in `again`
    attempts that came to nothing do not count."""
    if not room.settings.wake or not room.exists:
        return []
    with room.reading() as db:
        known = read_agents(db, room.row.key, room.clock(), room.settings)
        allowed = [one for one in known if one.row.standing == "here" and room.settings.wakes(one.row.name)]
        found = [_due(db, one, room.clock(), one.row.name in (again or ())) for one in allowed]
    return [due for due in found if due is not None]


def record_attempt(room: Room, me: Actor, name: str, means: str, *, again: bool) -> Due | None:
    """Record that the agent is about to be woken; None where somebody else has tried meanwhile or no mail is left."""
    with room.writing(me) as tx:
        require_actor(tx, room)
        known = require_reader(tx.db, room, name, tx.now)
        due = _due(tx.db, known, tx.now, again)
        if due is not None:
            told = {"agent": name, "means": means, "newest": due.newest, "messages": due.messages}
            tx.append("wake.tried", told)
        return due


def record_outcome(room: Room, me: Actor, due: Due, outcome: str, text: str) -> None:
    """Record how an attempt ended: `told`, `failed` where nothing can have arrived, else `uncertain`."""
    with room.writing(me) as tx:
        told = {"agent": due.agent.row.name, "newest": due.newest, "outcome": outcome, "text": text}
        tx.append("wake.ended", told)


def _due(db: sqlite3.Connection, known: KnownAgent, now: int, again: bool) -> Due | None:
    messages, seq, newest = count_untold(db, known.row.key, now)
    (last,) = db.execute(_LAST, (known.row.key, again)).fetchone()
    return Due(known, newest, messages) if newest is not None and seq > last else None
