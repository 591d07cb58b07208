"""Changes that got past the guard: a file that somebody else holds is changed where this agent works (DESIGN §9).

An edit through a shell meets no hook, so it is told afterwards: recorded once, and the holder gets a message.
"""

from __future__ import annotations

from relay_tui.base.resources import Resource
from relay_tui.room.agents import require_actor
from relay_tui.room.held import HeldClaim, overlapping
from relay_tui.room.telling import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.rooms import Room


def others_hold_paths(room: Room, me: Actor) -> bool:
    """Whether anybody else holds a path of this repository: without that there is nothing to look for."""
    with room.reading() as db:
        row = db.execute(
            "SELECT 1 FROM claims AS c JOIN agents AS a ON a.key = c.agent"
            " WHERE c.scope = 'project' AND c.family = ? AND NOT (a.room = ? AND a.name = ?) LIMIT 1",
            (room.row.family, room.row.key, me.name),
        ).fetchone()
    return row is not None


def report_passed(room: Room, me: Actor, changed: Mapping[Resource, int]) -> list[str]:
    """Record which of the `changed` paths (with the moment of their change) others held by then; returns them.

    Nothing is said of a change before the claim, nor where the holder works in the same worktree, nor twice.
    """
    with room.writing(me) as tx:
        agent = require_actor(tx, room)
        passed = []
        for path, changed_at in changed.items():
            for held in overlapping(tx.db, room, [path], tx.now, not_of=agent.row.key):
                claim = held.claim
                if changed_at > claim.claimed_at and not _shares_worktree(tx, held, agent.row.worktree):
                    passed += _report(tx, room, path, held)
        return passed


def _report(tx: Transaction, room: Room, path: Resource, held: HeldClaim) -> list[str]:
    """The holder's message and the event; nothing for a path that was told of before, or that nobody would read of."""
    request = f"passed:{tx.me.name}:{path.lookup}:{held.claim.claimed_at}"
    if tx.db.execute(
        "SELECT 1 FROM messages WHERE room = ? AND sender = 'relay' AND request = ?", (held.agent_room, request)
    ).fetchone():
        return []
    body = f"{path}, which you hold, is changed in the worktree where {tx.me.name} works."
    if tell(tx, room, held.agent, body, request=request) is None:
        return []
    tx.append("guard.passed", {"agent": tx.me.name, "resource": path.resource, "holder": held.claim.holder})
    return [path.resource]


def _shares_worktree(tx: Transaction, held: HeldClaim, worktree: str | None) -> bool:
    row = tx.db.execute("SELECT worktree FROM agents WHERE key = ?", (held.agent,)).fetchone()
    return worktree is not None and row[0] == worktree
