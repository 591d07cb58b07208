"""Joining, reporting and leaving: what an agent says of itself (DESIGN §6.1)."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.names import check_joinable, is_valid
from relay_tui.base.processes import identify
from relay_tui.base.resources import branch_resource
from relay_tui.room.agents import (
    Agent,
    AgentCounts,
    KnownAgent,
    count_agents,
    find_agent,
    read_agents,
    refuse_gone,
    require_actor,
    require_agent,
    view_agent,
    view_agents,
)
from relay_tui.room.ledger import decode_payload
from relay_tui.room.presence import record_sign
from relay_tui.room.questions import ask, close_by_status, open_question_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class AgentChange(NamedTuple):
    """An agent after what it said, and the names of the facts that changed."""

    agent: Agent
    changed: list[str]


class AgentList(NamedTuple):
    agents: list[Agent]
    counts: AgentCounts


# What a session that says nothing of it does not have, whoever had the name before.
_NO_PROCESS = {"pid": None, "process_start": None, "boot": None, "ephemeral": 0}
_NOTHING_SAID = dict.fromkeys(("runner", "branch", "worktree", "task", "status", "text"))

_SAID_TO_WAIT = """
SELECT a.key, e.payload FROM agents AS a JOIN events AS e ON e.seq = a.status_seq
WHERE a.room = ? AND a.name = ? AND a.status = 'waiting'
"""


class Joining(NamedTuple):
    """What `join` names; None is "not said" and leaves the fact as it stands."""

    runner: str | None = None
    pid: int | None = None
    ephemeral: bool = False
    branch: str | None = None
    worktree: str | None = None
    task: str | None = None


def join(room: Room, me: Actor, said: Joining, *, takeover: bool = False) -> AgentChange:
    """Join, come back, or update what is recorded; only what `said` names changes.

    A new session has no process that it does not name, and a pool's next agent nothing of the one before.
    Raises `reserved_name`, `invalid`, `retired`, and `session_conflict` where another session of a live
    agent holds the name.
    """
    if "%" not in me.name:
        _check_name(room, me.name)
    facts = _facts_of(said)
    with room.writing(me) as tx:
        name = _pool_name(tx, room, me.name) if "%" in me.name else me.name
        known = find_agent(tx.db, tx.room, name, tx.now, room.settings)
        session = _claim_session(tx, room, known, me.session, takeover)
        begins = known is None or known.row.session != session or known.row.standing == "left"
        if known is not None and begins:
            facts = _begin_anew(facts, from_pool="%" in me.name)
        changed = _changed(known, {**facts, "session": session})
        if known is None or known.row.standing != "here" or changed:
            tx.me = me._replace(name=name, session=session)
            tx.append("agent.joined", {
                "agent": name,
                "facts": {fact: value for fact, value in {**facts, "session": session}.items() if fact in changed},
                "session": _session_row(tx, room, said, session) if begins else None,
            })  # fmt: skip
        agent = find_agent(tx.db, tx.room, name, tx.now, room.settings)
        assert agent is not None
        record_sign(tx.db, agent.row.key, me.via, tx.now)
        if known is None or known.row.standing != "here":
            changed = ["state", *changed]
        return AgentChange(view_agent(tx.db, tx.room, name, tx.now, room.settings), changed)


def report_status(room: Room, me: Actor, facts: dict[str, Any], question: tuple[str, str] | None) -> AgentChange:
    """Record what the agent does now; its open questions are closed, and a new (whom, text) one is asked."""
    _check_branch(facts)
    with room.writing(me) as tx:
        known = require_actor(tx, room)
        changed = _changed(known, facts)
        if changed:
            tx.append("agent.reported", {"agent": me.name, "facts": {fact: facts[fact] for fact in changed}})
        closed = close_by_status(tx)
        if question is not None:
            ask(tx, room, *question)
        if closed or question is not None:
            changed.append("question")
        return AgentChange(view_agent(tx.db, tx.room, me.name, tx.now, room.settings), changed)


def take_back_waiting(room: Room, me: Actor) -> None:
    """The agent works again where it was said to wait over the door of `me`. What it said itself stays, also where
    that is archived, and what it asks: the next report would close its question."""
    with room.reading() as db:
        said = db.execute(_SAID_TO_WAIT, (room.row.key, me.name)).fetchone()
        ends = said is not None and decode_payload(said[1])["via"] == me.via and not open_question_of(db, said[0])
    if ends:
        report_status(room, me, {"status": "working", "text": None}, None)


def leave(room: Room, me: Actor) -> AgentChange:
    """Leave the room. Claims stay where they are, held by somebody who left."""
    with room.writing(me) as tx:
        known = find_agent(tx.db, tx.room, me.name, tx.now, room.settings)
        if known is not None and known.row.standing == "left":
            return AgentChange(view_agents(tx.db, [known], tx.now)[0], [])
        require_actor(tx, room)
        if me.name == room.row.operator:
            raise RelayError("refused", "The operator always exists and cannot leave.", "Close the window instead.")
        tx.append("agent.left", {"agent": me.name, "reason": "said so"})
        return AgentChange(view_agent(tx.db, tx.room, me.name, tx.now, room.settings), ["state"])


def list_agents(room: Room, states: list[str]) -> AgentList:
    """Agents in the given states, with counts over all of them."""
    now = room.clock()
    with room.reading() as db:
        known = read_agents(db, room.row.key, now, room.settings)
        shown = [agent for agent in known if agent.state in states]
        return AgentList(view_agents(db, shown, now), count_agents(known))


def require_name(room: Room, name: str) -> None:
    """Raises `unknown_agent` with the nearest names where nobody in the room is called so."""
    with room.reading() as db:
        require_agent(db, room.row.key, name, room.clock(), room.settings)


def who_am_i(room: Room, me: Actor) -> AgentChange:
    with room.reading() as db:
        return AgentChange(view_agent(db, room.row.key, me.name, room.clock(), room.settings), [])


def _check_name(room: Room, name: str) -> None:
    check_joinable(name)
    if name == room.operator:
        raise RelayError("reserved_name", f"'{name}' is the operator here.", "Join under another name.")


def _pool_name(tx: Transaction, room: Room, pattern: str) -> str:
    """`worker-%` → the lowest number whose name nobody has, or whose agent has left (DESIGN §6.1)."""
    if pattern.count("%") != 1 or not is_valid(pattern.replace("%", "1")):
        raise RelayError("invalid", f"'{pattern}' is not a pool of names.", "Write it as worker-%.")
    number = 1
    while True:
        name = pattern.replace("%", str(number))
        known = find_agent(tx.db, tx.room, name, tx.now, room.settings)
        if known is None or known.row.standing == "left":
            check_joinable(name)
            return name
        number += 1


def _claim_session(tx: Transaction, room: Room, known: KnownAgent | None, wanted: str | None, takeover: bool) -> str:
    """The session that holds the name from now on. A live name's own session stays unless taken over."""
    if known is None:
        return wanted or room.draw_id(tx.db, "S", "sessions")
    if known.row.standing == "retired":
        refuse_gone(known)
    current = known.row.session
    if known.state != "live" or current is None or known.row.standing == "left":
        return wanted or room.draw_id(tx.db, "S", "sessions")
    if wanted is None or wanted == current:
        return current
    if not takeover:
        raise RelayError(
            "session_conflict",
            f"{known.row.name} is live in another session ({current}).",
            "Join under another name, or the operator may add --takeover.",
            {"session": current, "last_seen": known.sign.last_seen},
        )
    return wanted


def _facts_of(said: Joining) -> dict[str, Any]:
    facts: dict[str, Any] = {
        name: value for name in ("runner", "branch", "worktree", "task") if (value := getattr(said, name)) is not None
    }
    _check_branch(facts)
    if said.ephemeral:
        facts["ephemeral"] = 1
    if said.pid is not None:
        process = identify(said.pid) if said.pid > 0 else None
        if process is None:
            raise RelayError("invalid", f"No process {said.pid} runs here.", "Give the client's own pid.")
        facts.update(pid=process.pid, process_start=process.start, boot=process.boot)
    return facts


def _begin_anew(facts: dict[str, Any], *, from_pool: bool) -> dict[str, Any]:
    """All that a session begins with under a name that was somebody's; only a process can be an ephemeral one."""
    if from_pool:
        return {**_NO_PROCESS, **_NOTHING_SAID, **facts}
    return facts if "pid" in facts else {**_NO_PROCESS, **facts}


def _check_branch(facts: dict[str, Any]) -> None:
    """Raises `invalid`: the name is shown to people in lines for their shells, so it must be one that git takes."""
    if facts.get("branch") is not None:
        branch_resource(facts["branch"])


def _session_row(tx: Transaction, room: Room, said: Joining, session: str) -> dict[str, Any]:
    return {
        "session": session, "id": room.draw_id(tx.db, "S", "sessions"), "client": said.runner,
        "pid": said.pid, "folder": room.folder.encode("utf-8", "replace").decode(),
    }  # fmt: skip


def _changed(known: KnownAgent | None, facts: dict[str, Any]) -> list[str]:
    if known is None:
        return list(facts)
    return [fact for fact, value in facts.items() if getattr(known.row, fact) != value]
