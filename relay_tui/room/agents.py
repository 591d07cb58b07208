"""Agents as the room knows them: rows with their state, who may act, and the record shown to others."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.names import is_reserved, is_valid, unknown_agent
from relay_tui.room.mail import count_unhandled
from relay_tui.room.presence import STATES, Sign, heard_by, record_sign, state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence
    from typing import Any, NamedTuple

    from relay_tui.base.config import Settings
    from relay_tui.base.processes import ProcessIdentity
    from relay_tui.room.ledger import Transaction
    from relay_tui.room.questions import Question
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class AgentRow(NamedTuple):
    """One row of `agents`."""

    key: int
    name: str
    standing: str
    ephemeral: int
    runner: str | None
    session: str | None
    pid: int | None
    process_start: int | None
    boot: str | None
    status: str | None
    text: str | None
    task: str | None
    branch: str | None
    worktree: str | None
    joined_at: int
    left_at: int | None

    @property
    def process(self) -> ProcessIdentity | None:
        """The one that it said it runs in, which may have ended."""
        from relay_tui.base.processes import ProcessIdentity

        return None if self.pid is None else ProcessIdentity(self.pid, self.process_start or 0, self.boot or "")


class KnownAgent(NamedTuple):
    """A row with what was last heard of it and the state that follows."""

    row: AgentRow
    sign: Sign
    state: str


class Transport(NamedTuple):
    name: str
    connected: bool
    reported_at: int | None


class Agent(NamedTuple):
    """AGENT of the contract. Times in microseconds; `observed_branch` is what git says, else None."""

    agent: str
    runner: str | None
    state: str
    ephemeral: bool
    last_seen: int | None
    source: str | None
    session: str | None
    pid: int | None
    transport: Transport | None
    status: str | None
    text: str | None
    question: Question | None
    task: str | None
    branch: str | None
    worktree: str | None
    observed_branch: str | None
    claims: int
    unhandled: int
    joined_at: int
    left_at: int | None


class AgentCounts(NamedTuple):
    """How many agents the room has stored, by state; `ephemeral` is a mark on any of them."""

    stored: int
    live: int
    quiet: int
    dormant: int
    left: int
    retired: int
    ephemeral: int


_ROW = ", ".join(f"a.{field}" for field in AgentRow._fields)
_SIGN = "p.last_seen, p.source, p.last_fetched_at, p.transport, p.connected, p.reported_at, p.ahead"
_KNOWN = f"SELECT {_ROW}, {_SIGN} FROM agents AS a LEFT JOIN presence AS p ON p.agent = a.key"


def find_agent(db: sqlite3.Connection, room: int, name: str, now: int, settings: Settings) -> KnownAgent | None:
    found = db.execute(f"{_KNOWN} WHERE a.room = ? AND a.name = ?", (room, name)).fetchone()
    return _known(found, now, settings) if found else None


def read_agents(db: sqlite3.Connection, room: int, now: int, settings: Settings) -> list[KnownAgent]:
    """Everybody the room has stored, by name."""
    rows = db.execute(f"{_KNOWN} WHERE a.room = ? ORDER BY a.name", (room,))
    return [_known(row, now, settings) for row in rows]


def require_agent(
    db: sqlite3.Connection, room: int, name: str, now: int, settings: Settings, hint: str = ""
) -> KnownAgent:
    """Raises `unknown_agent` with the nearest names."""
    known = find_agent(db, room, name, now, settings)
    if known is None:
        raise unknown_agent(name, agent_names(db, room), hint)
    return known


def require_reader(db: sqlite3.Connection, room: Room, name: str, now: int) -> KnownAgent:
    """The agent that reads in its own room. Raises `unknown_agent`, with the line that joins where that may be."""
    join = f"Run: relay join --as {name}" if is_valid(name) and not is_reserved(name) else ""
    return require_agent(db, room.row.key, name, now, room.settings, join)


def require_actor(tx: Transaction, room: Room, *, fetched: bool = False) -> KnownAgent:
    """The agent that acts in this transaction, heard from by acting unless unattended; a dormant one is back.

    Raises `unknown_agent`, `left` or `retired`, each with the line that helps (DESIGN §6.1).
    """
    name = tx.me.name
    known = require_reader(tx.db, room, name, tx.now)
    refuse_gone(known)
    if not tx.me.unattended:
        if known.row.standing == "dormant":
            tx.append("agent.returned", {"agent": name})
        record_sign(tx.db, known.row.key, tx.me.via, tx.now, fetched=fetched)
    tx.me = tx.me._replace(session=tx.me.session or known.row.session)
    return known


def refuse_gone(known: KnownAgent) -> None:
    name = known.row.name
    if known.row.standing == "left":
        raise RelayError("left", f"{name} has left the room.", f"Run: relay join --as {name}")
    if known.row.standing == "retired":
        raise RelayError("retired", f"{name} is retired.", f"The operator may: relay revive {name}")


def agent_names(db: sqlite3.Connection, room: int) -> list[str]:
    return [name for (name,) in db.execute("SELECT name FROM agents WHERE room = ?", (room,))]


def read_signs(db: sqlite3.Connection, room: int, now: int) -> list[tuple[str, Sign]]:
    """What was heard of everybody, by name; light enough for a broadcast to a thousand."""
    rows = db.execute(
        f"SELECT a.name, a.standing, {_SIGN} FROM agents AS a LEFT JOIN presence AS p ON p.agent = a.key"
        " WHERE a.room = ? ORDER BY a.name",
        (room,),
    )
    return _heard(rows, now)


def read_fresh_signs(db: sqlite3.Connection, room: int, now: int, since: int) -> list[tuple[str, Sign]]:
    """The same of those who may be live: heard of since then, or with a transport that says so."""
    rows = db.execute(
        f"SELECT a.name, a.standing, {_SIGN} FROM presence AS p CROSS JOIN agents AS a ON a.key = p.agent"
        " WHERE (p.last_seen >= ?1 OR p.ahead >= ?1 OR p.connected) AND a.room = ?2 ORDER BY a.name",
        (since, room),
    )
    return _heard(rows, now)


def _heard(rows: Iterable[Any], now: int) -> list[tuple[str, Sign]]:
    return [(row[0], heard_by(Sign._make(row[1:]), now)) for row in rows]


def view_agent(db: sqlite3.Connection, room: int, name: str, now: int, settings: Settings) -> Agent:
    """AGENT of one name. Raises `unknown_agent`."""
    known = require_agent(db, room, name, now, settings)
    return view_agents(db, [known], now)[0]


def view_agents(db: sqlite3.Connection, agents: Sequence[KnownAgent], now: int) -> list[Agent]:
    """AGENT records with their counts and open questions, in the order given."""
    return [_view(db, known, now) for known in agents]


def name_of_session(
    db: sqlite3.Connection, room: int, session: str, standings: Sequence[str] = ("here", "dormant")
) -> str | None:
    """The agent that a session acts for; None for one that left or was never here, unless `standings` say so."""
    marks = ", ".join("?" * len(standings))
    row = db.execute(
        f"SELECT name FROM agents WHERE room = ? AND session = ? AND standing IN ({marks}) ORDER BY joined_at DESC",
        (room, session, *standings),
    ).fetchone()
    return row[0] if row else None


def agent_of_process(
    db: sqlite3.Connection, room: int, process: ProcessIdentity, client: str
) -> tuple[str, str] | None:
    """The agent, with its session, that the process of a client was heard from as last; None where it is none."""
    row: tuple[str, str] | None = db.execute(
        "SELECT a.name, a.session FROM agents AS a JOIN presence AS p ON p.agent = a.key"
        " WHERE a.room = ? AND a.pid = ? AND a.process_start = ? AND a.boot = ? AND a.runner = ?"
        " AND a.standing IN ('here', 'dormant') ORDER BY p.last_seen DESC LIMIT 1",
        (room, *process, client),
    ).fetchone()
    return row


def count_agents(agents: Sequence[KnownAgent]) -> AgentCounts:
    states = dict.fromkeys(STATES, 0)
    for known in agents:
        states[known.state] += 1
    ephemeral = sum(known.row.ephemeral for known in agents)
    return AgentCounts(len(agents), **states, ephemeral=ephemeral)


def _known(values: tuple[object, ...], now: int, settings: Settings) -> KnownAgent:
    size = len(AgentRow._fields)
    row = AgentRow._make(values[:size])
    sign = heard_by(Sign._make((row.standing, *values[size:])), now)
    return KnownAgent(row, sign, state_of(sign, now, settings))


def _view(db: sqlite3.Connection, known: KnownAgent, now: int) -> Agent:
    from relay_tui.room.questions import open_question_of

    row, sign = known.row, known.sign
    transport = None
    if sign.transport is not None:
        transport = Transport(sign.transport, bool(sign.connected), sign.reported_at)
    (claims,) = db.execute("SELECT count(*) FROM claims WHERE agent = ?", (row.key,)).fetchone()
    return Agent(
        row.name, row.runner, known.state, bool(row.ephemeral), sign.last_seen, sign.source, row.session,
        row.pid, transport, row.status, row.text, open_question_of(db, row.key), row.task, row.branch, row.worktree,
        None, claims, count_unhandled(db, row.key, now), row.joined_at, row.left_at,
    )  # fmt: skip
