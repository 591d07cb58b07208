"""Changes that got past the guard: a file that somebody else holds is changed where this agent works (DESIGN §9).

An edit through a shell meets no hook, so it is told afterwards: recorded once, and the holder gets a message. The
change stays of concern until the holder has handled that message or holds the path no more.
"""

from __future__ import annotations

from relay_tui.base.resources import spell
from relay_tui.base.text import first_of, inert, quote_name
from relay_tui.room.agents import find_agent, require_actor, require_reader
from relay_tui.room.guarding import HeldPath, guard_paths
from relay_tui.room.held import SHOWN, name_holder, overlapping
from relay_tui.room.ledger import RELAY
from relay_tui.room.persons import Person
from relay_tui.room.where import word_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence
    from typing import NamedTuple

    from relay_tui.base.resources import Resource
    from relay_tui.room.agents import KnownAgent
    from relay_tui.room.held import HeldClaim
    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

_LISTED = 5  # paths in a message
_ROOM = "SELECT key, name FROM rooms WHERE id = ?"
_TOLD = f"SELECT 1 FROM messages WHERE room = ? AND sender = '{RELAY}' AND request = ?"
_OPEN = f"""
SELECT m.request, m.sent_at, a.name, c.resource FROM messages AS m INDEXED BY messages_unsettled
JOIN deliveries AS d ON d.message = m.seq JOIN agents AS a ON a.key = d.agent
JOIN claims AS c ON c.agent = d.agent AND c.scope = 'project'
  AND c.claimed_at = CAST(substr(m.request, instr(m.request, ':') + 1) AS INTEGER)
WHERE m.room = ? AND m.unsettled > 0 AND m.expires_at > ? AND m.sender = '{RELAY}' AND m.request GLOB 'passed:*'
  AND d.handled_at IS NULL AND d.expired_at IS NULL
ORDER BY m.seq
"""


class Passed(NamedTuple):
    """A path that was changed where `agent` works, which `holder`, of the room that is read, was told of at the moment
    `at`; `is_here` says whether the agent can still be asked."""

    path: str
    agent: Person
    is_here: bool
    holder: Person
    at: int


def report_passed(room: Room, me: Actor, changed: Mapping[Resource, int], *, tell_me: bool = False) -> list[HeldPath]:
    """Record which of the `changed` paths (with the moment of their change) others held by then; returns them.

    Nothing is said of a change before the claim, nor where the holder works in the same worktree, nor twice.
    With `tell_me` the agent gets a message as well, because nothing else can be said to it now.
    """
    held = {one.path for one in guard_paths(room, me.name, list(changed), advise=True).held}
    suspected = {path: at for path, at in changed.items() if path.resource in held}
    with room.reading() as db:
        agent = require_reader(db, room, me.name, room.clock())
        suspected = {path: suspected[path] for path, _ in _find(db, room, agent, suspected)}
    if not suspected:
        return []
    with room.writing(me) as tx:
        agent = require_actor(tx, room)
        passed = []
        for path, held_claim in _find(tx.db, room, agent, suspected):
            if _report(tx, room, path, held_claim):
                claim = held_claim.claim
                passed.append(HeldPath(path.resource, claim, word_here(room, "project", claim.resource)))
        if passed and tell_me:
            from relay_tui.room.telling import tell

            tell(tx, room, agent.row.key, _told_agent(passed, room.row.name))
        return passed


def read_passed(db: sqlite3.Connection, room: Room, now: int) -> list[Passed]:
    """Changes that are still of concern, as far as holders of this room were told of them, oldest first."""
    found = {}
    for request, at, holder, claimed in db.execute(_OPEN, (room.row.key, now)).fetchall():
        _, _, agent, path = request.split(":", 3)
        if _covers(claimed, path):  # else something was claimed with it that does
            found[request, holder] = Passed(path, *_find_agent(db, room, agent, now), Person(room.row.name, holder), at)
    return list(found.values())


def _find_agent(db: sqlite3.Connection, room: Room, told: str, now: int) -> tuple[Person, bool]:
    """Who is named in a request, and whether it can be asked."""
    other, _, name = told.rpartition("/")
    key, where = db.execute(_ROOM, (other,)).fetchone() or (0, other) if other else (room.row.key, room.row.name)
    known = find_agent(db, key, name, now, room.settings)
    return Person(where, name), known is not None and known.row.standing in ("here", "dormant")


def _covers(claimed: str, path: str) -> bool:
    """Whether a claim is on the path or a folder above it, both as they are shown, and on a disk of either kind."""
    above = inert(claimed).casefold()
    return above == "." or f"{path.casefold()}/".startswith(f"{above}/")


def _find(
    db: sqlite3.Connection, room: Room, agent: KnownAgent, changed: Mapping[Resource, int]
) -> Iterator[tuple[Resource, HeldClaim]]:
    """What was changed after others claimed it, and was not told of."""
    for path, changed_at in changed.items():
        for held in overlapping(db, room, [path], room.clock(), not_of=agent.row.key):
            told = (held.agent_room, _request(room, agent.row.name, held, path))
            if (
                changed_at > held.claim.claimed_at
                and not _shares_worktree(db, held, agent.row.worktree)
                and db.execute(_TOLD, told).fetchone() is None
            ):
                yield path, held


def _report(tx: Transaction, room: Room, path: Resource, held: HeldClaim) -> bool:
    """The holder's message and the event; nothing where nobody would read of it."""
    from relay_tui.room.telling import tell

    claim = held.claim
    who = Person(room.row.name, tx.me.name).seen_from(claim.room)
    body = f"{inert(str(path))}, which you hold, is changed in the worktree where {who} works."
    if tell(tx, room, held.agent, body, request=_request(room, tx.me.name, held, path)) is None:
        return False
    tx.append("guard.passed", {
        "agent": tx.me.name, "resource": inert(path.resource), **name_holder(tx, held), "claim": claim.resource,
        "claimed_at": claim.claimed_at,
    })  # fmt: skip
    return True


def _request(room: Room, agent: str, held: HeldClaim, path: Resource) -> str:
    """The key under which a holder is told once; `read_passed` reads it. An agent of another room is named with it."""
    who = agent if held.agent_room == room.row.key else f"{room.row.id}/{agent}"
    return f"passed:{held.claim.claimed_at}:{who}:{inert(path.resource)}"


def _told_agent(passed: Sequence[HeldPath], here: str) -> str:
    holders = ", ".join(dict.fromkeys(one.claim.person.seen_from(here) for one in passed))
    paths = first_of([quote_name(spell("project", one.path), SHOWN) for one in passed], _LISTED)
    changed = "is changed" if len(passed) == 1 else "are changed"
    return f"{paths} {changed} in your worktree, and held by {holders}, who was told of it."


def _shares_worktree(db: sqlite3.Connection, held: HeldClaim, worktree: str | None) -> bool:
    row = db.execute("SELECT worktree FROM agents WHERE key = ?", (held.agent,)).fetchone()
    return worktree is not None and row[0] == worktree
