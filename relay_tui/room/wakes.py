"""Attempts to wake an idle agent that has mail: whom, for which mail, by what means, and how it ended (DESIGN §11).

An attempt is recorded before it is made. One whose end is unknown may have worked, so it is never made again; the
mail that it was for is not notified by it, which the hook that it sets off does.
"""

from __future__ import annotations

import os

from relay_tui.base.digest import sha256
from relay_tui.base.processes import identify
from relay_tui.room.agents import read_agents, require_actor, require_reader
from relay_tui.room.notices import read_untold

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import NamedTuple

    from relay_tui.room.agents import KnownAgent
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

WAITERS = "wakers"  # in the home: a file for each session, naming the process that waits beside it


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
    return f"relay: {messages} new message{'' if messages == 1 else 's'} for this session; `relay inbox` shows them."


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


def waiter_path(room: Room, session: str | None) -> str:
    """The file in which the process that waits beside a session names itself."""
    return os.path.join(room.store.home, WAITERS, sha256(f"{room.row.id}:{session}".encode()).digest().hex()[:32])


def waiter_name(pid: int) -> str:
    """What a waiter writes there, which no later process under its pid can pass for."""
    running = identify(pid)
    return f"{pid} {running.start if running else 0}"


def has_waiter(room: Room, session: str | None) -> bool:
    """Whether a hook waits beside the session, and will wake it."""
    said = read_waiter(waiter_path(room, session))
    pid = said.partition(" ")[0]
    return pid.isdecimal() and identify(int(pid)) is not None and said == waiter_name(int(pid))


def read_waiter(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def _due(db: sqlite3.Connection, known: KnownAgent, now: int, again: bool) -> Due | None:
    mail = read_untold(db, known.row.key, now)
    if not mail:
        return None
    (last,) = db.execute(_LAST, (known.row.key, again)).fetchone()
    (newest,) = db.execute("SELECT seq FROM messages WHERE id = ?", (mail[-1].id,)).fetchone()
    return Due(known, mail[-1].id, len(mail)) if newest > last else None
