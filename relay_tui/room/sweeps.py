"""Setting agents aside: prune, leave, retire and revive, for one or for all that went stale (DESIGN §6.1).

A sweep is a dry run with reasons until it is applied. Whoever still holds, owes or runs something is skipped.
"""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.processes import is_running
from relay_tui.base.text import counted
from relay_tui.base.times import age
from relay_tui.room.agents import KnownAgent, read_agents, require_actor, require_agent, view_agent
from relay_tui.room.claims import release_claims
from relay_tui.room.handoff_rules import refuse_while_waiting
from relay_tui.room.held import HeldClaim, claims_of
from relay_tui.room.permissions import how_to_act, require_allowed
from relay_tui.room.registry import AgentChange
from relay_tui.room.sweep_records import Candidate, Skipped, Sweep

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any, NamedTuple

    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class SweepKind(NamedTuple):
    """What a sweep looks at, and the event that it writes for each candidate."""

    event: str
    standings: tuple[str, ...]


PRUNE = SweepKind("agent.set_aside", ("here",))
LEAVE = SweepKind("agent.left", ("here", "dormant"))
RETIRE = SweepKind("agent.retired", ("here", "dormant", "left"))


def sweep(room: Room, me: Actor | None, kind: SweepKind, idle: int, *, apply: bool) -> Sweep:
    """Agents without a sign for `idle` microseconds. Raises `not_operator` where somebody else applies it."""
    if not apply:
        with room.reading() as db:
            return _judge(db, room, room.row.key, kind, idle, room.clock())
    if me is None:
        raise RelayError("usage", "A sweep must know who applies it.", how_to_act("sweep --apply", room.row.operator))
    with room.writing(me) as tx:
        require_actor(tx, room)
        require_allowed(me, "sweep --apply", room.row.operator)
        judged = _judge(tx.db, room, tx.room, kind, idle, tx.now)
        for candidate in judged.candidates:
            tx.append(kind.event, {"agent": candidate.agent, "reason": _silence(candidate, tx.now)})
        return judged._replace(applied=True)


def retire(room: Room, me: Actor, name: str, *, relinquish: bool, reason: str | None) -> AgentChange:
    """Retire a name for good; its history stays. Branch claims block it, unless they are relinquished.

    Raises `not_operator` for somebody else's name, `held` with the branch claims, `refused` while a handover
    waits.
    """
    with room.writing(me) as tx:
        require_actor(tx, room)
        known = require_agent(tx.db, tx.room, name, tx.now, room.settings)
        if name == room.row.operator:
            raise RelayError("refused", "The operator always exists and cannot be retired.", "Retire another name.")
        if name != me.name:
            require_allowed(me, "retire OTHER", room.row.operator)
        if known.row.standing == "retired":
            return AgentChange(view_agent(tx.db, tx.room, name, tx.now, room.settings), [])
        refuse_while_waiting(tx.db, known.row.key, name, me.name)
        held = claims_of(tx.db, room, known.row.key, tx.now)
        branches = [one for one in held if one.claim.scope == "branch"]
        if branches:
            _give_up(tx, branches, name, me, relinquish, reason)
        tx.append("agent.retired", {"agent": name, "reason": reason})
        return AgentChange(view_agent(tx.db, tx.room, name, tx.now, room.settings), ["state"])


def revive(room: Room, me: Actor, name: str) -> AgentChange:
    """Bring a retired name back; the operator's alone. It counts as heard from only when it acts."""
    with room.writing(me) as tx:
        require_actor(tx, room)
        require_allowed(me, "revive", room.row.operator)
        known = require_agent(tx.db, tx.room, name, tx.now, room.settings)
        changed = known.row.standing != "here"
        if changed:
            tx.append("agent.revived", {"agent": name})
        return AgentChange(view_agent(tx.db, tx.room, name, tx.now, room.settings), ["state"] if changed else [])


def _judge(db: sqlite3.Connection, room: Room, room_key: int, kind: SweepKind, idle: int, now: int) -> Sweep:
    candidates, skipped = [], []
    for known in read_agents(db, room_key, now, room.settings):
        if known.row.standing not in kind.standings or known.row.name == room.row.operator:
            continue
        since = _last_known(known)
        if since is not None and now - since < idle:
            continue
        reasons = _obligations(db, room_key, known)
        if reasons:
            skipped.append(Skipped(known.row.name, reasons))
        else:
            candidates.append(Candidate(known.row.name, known.sign.last_seen))
    return Sweep(False, candidates, skipped)


def _last_known(known: KnownAgent) -> int | None:
    """When it was last here for certain. A room that was restored has heard from nobody, and knows who left when."""
    return known.row.left_at if known.sign.last_seen is None else known.sign.last_seen


def _silence(candidate: Candidate, now: int) -> str:
    return "no sign since it left" if candidate.last_seen is None else f"no sign for {age(candidate.last_seen, now)}"


def _obligations(db: sqlite3.Connection, room: int, known: KnownAgent) -> list[str]:
    """Why an agent may not be set aside: what it holds, runs, owes or is asked, and that nothing is known of it."""
    name, key = known.row.name, known.row.key
    counts: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
        ("claim", "SELECT count(*) FROM claims WHERE agent = ?", (key,)),
        (
            "waiting handover",
            "SELECT count(*) FROM handoffs WHERE state = 'waiting' AND (giver = ? OR recipient = ?)",
            (key, key),
        ),
        (
            "open task",
            "SELECT count(*) FROM items WHERE room = ? AND owner = ? AND removed_at IS NULL"
            " AND kind IN ('task', 'todo') AND status NOT IN ('done', 'cancelled')",
            (room, name),
        ),
        (
            "unanswered question",
            "SELECT count(*) FROM questions WHERE room = ? AND (asker = ? OR whom = ?) AND closed_at IS NULL",
            (room, name, name),
        ),
    )
    found = [(db.execute(sql, bounds).fetchone()[0], what) for what, sql, bounds in counts]
    reasons = [counted(number, what) for number, what in found if number]
    if (process := known.row.process) and is_running(process):
        reasons.append(f"process {process.pid} still runs")
    if _last_known(known) is None:
        reasons.append("when it was last heard from is unknown")
    if known.state == "live":
        reasons.append("it is live")
    return reasons


def _give_up(
    tx: Transaction, held: list[HeldClaim], name: str, me: Actor, relinquish: bool, reason: str | None
) -> None:
    names = ", ".join(one.claim.resource for one in held)
    if not relinquish:
        raise RelayError(
            "held",
            f"{name} still holds {names}.",
            "Release them first, or add --relinquish --reason TEXT.",
            {"claims": [one.claim for one in held]},
        )
    if name != me.name and not reason:
        raise RelayError("usage", "Giving up somebody else's branches needs a reason.", "Add --reason TEXT.")
    release_claims(tx, held, forced=name != me.name, reason=reason)
