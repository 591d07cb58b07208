"""When an agent was last heard from, and the state that follows from it (DESIGN §6.1).

Presence stands beside the ledger and is written at most every 15 seconds an agent. State is one pure
function of facts and the clock; nothing stores it.
"""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.times import SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import NamedTuple

    from relay_tui.base.config import Settings
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

SIGN_EVERY = 15 * SECOND
STATES = ("live", "quiet", "dormant", "left", "retired")


_LAST_SIGN = """
SELECT a.key, a.standing, p.last_seen, p.last_fetched_at FROM agents AS a LEFT JOIN presence AS p ON p.agent = a.key
WHERE a.room = ? AND a.name = ?
"""
# The same as a predicate: "codex-3 has left".
STATE_WORDS = {
    "live": "is live",
    "quiet": "is quiet",
    "dormant": "is dormant",
    "left": "has left",
    "retired": "is retired",
}


class Sign(NamedTuple):
    """Where an agent stands and what was last heard of it. Times in microseconds, None for never.

    `ahead` is a later moment than `last_seen`, of a sign that came before it: the clock was set back between.
    """

    standing: str
    last_seen: int | None
    source: str | None
    last_fetched_at: int | None
    transport: str | None
    connected: bool | None
    reported_at: int | None
    ahead: int | None = None


def heard_by(sign: Sign, now: int) -> Sign:
    """The sign with the later of its two moments, once that is past.

    Which clock was wrong shows only then: under the one that was set back the new sign counts, and when it is
    right again the sign that came before does.
    """
    return sign if sign.ahead is None or sign.ahead > now else sign._replace(last_seen=sign.ahead)


def state_of(sign: Sign, now: int, settings: Settings) -> str:
    """One of `STATES`. A transport's "connected" counts only while its report is young."""
    if sign.standing != "here":
        return sign.standing
    if sign.last_seen is not None and now - sign.last_seen <= settings.live_window:
        return "live"
    if sign.connected and sign.reported_at is not None:
        return "live" if now - sign.reported_at < settings.transport_window else "quiet"
    return "quiet"


def is_due(last: int | None, now: int) -> bool:
    """Whether a sign at `now` is worth a write; a clock that was set back makes it due as well."""
    return last is None or not 0 <= now - last < SIGN_EVERY


def record_sign(db: sqlite3.Connection, agent: int, source: str, now: int, *, fetched: bool = False) -> None:
    """Note inside a transaction that an agent was heard from, unless that stands there already."""
    row = db.execute("SELECT last_seen, ahead, last_fetched_at FROM presence WHERE agent = ?", (agent,)).fetchone()
    seen, ahead, fetched_at = row or (None, None, None)
    if not is_due(seen, now) and not (fetched and is_due(fetched_at, now)):
        return
    db.execute(
        "INSERT INTO presence (agent, last_seen, ahead, source, last_fetched_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (agent) DO UPDATE SET last_seen = excluded.last_seen, ahead = excluded.ahead,"
        " source = excluded.source, last_fetched_at = coalesce(excluded.last_fetched_at, last_fetched_at)",
        (agent, now, _still_ahead(now, seen, ahead), source, now if fetched else None),
    )


def _still_ahead(now: int, *before: int | None) -> int | None:
    """The latest of the moments before that `now` has not reached."""
    return max((moment for moment in before if moment is not None and moment > now), default=None)


def note_reader(room: Room, name: str, source: str, *, fetched: bool = False) -> None:
    """A sign from an agent whose command only read. A busy room is not waited for: the command stands."""
    with room.reading() as db:
        row = db.execute(_LAST_SIGN, (room.row.key, name)).fetchone()
    if row is None or row[1] not in ("here", "dormant"):
        return
    agent, standing, seen, fetched_at = row
    now = room.clock()
    if standing == "here" and not is_due(seen, now) and not (fetched and is_due(fetched_at, now)):
        return
    try:
        with room.store.beside() as db:
            if standing == "dormant":
                _bring_back(db, room, name, source, fetched=fetched)
            else:
                record_sign(db, agent, source, now, fetched=fetched)
    except RelayError as fault:
        if fault.code not in ("busy", "storage"):
            raise


def _bring_back(db: sqlite3.Connection, room: Room, name: str, source: str, *, fetched: bool) -> None:
    """A dormant agent's sign is an event: it counts as here again from then on."""
    from relay_tui.room.agents import require_actor
    from relay_tui.room.ledger import Actor, Transaction

    tx = Transaction(db, room.row.key, room.row.id, Actor(name, None, source), room.clock())
    require_actor(tx, room, fetched=fetched)
