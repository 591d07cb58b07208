"""Claims: who says that they hold a path, a branch or a part of the machine (DESIGN §6.3).

A claim is cooperative and never expires. Paths and branches belong to the repository, so all its worktrees
and rooms share one key; machine claims belong to the home. Overlap is looked up in the index: folders above
by `IN`, everything below by a range.
"""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import SCOPES, Resource, ancestors, spell
from relay_tui.base.text import inert
from relay_tui.base.times import age
from relay_tui.room.agents import require_actor
from relay_tui.room.permissions import require_allowed
from relay_tui.room.presence import Sign, state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence
    from typing import Any, NamedTuple

    from relay_tui.base.config import Settings
    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

MACHINE = 0  # the family of machine claims: every room of the home


class Claim(NamedTuple):
    """CLAIM of the contract. `room` is the holder's room; `waiting` names who queues for the resource."""

    scope: str
    resource: str
    holder: str
    holder_state: str
    holder_last_seen: int | None
    room: str
    note: str | None
    claimed_at: int
    stale: bool
    planned: bool
    handoff: str | None
    waiting: list[str]


class Claimed(NamedTuple):
    claimed: list[Claim]
    already: list[Claim]


class Released(NamedTuple):
    released: list[Claim]
    forced: bool


class ClaimList(NamedTuple):
    claims: list[Claim]


class HeldClaim(NamedTuple):
    """A claim with the keys that events and other rows name it by."""

    family: int
    lookup: str
    agent: int
    agent_room: int
    claim: Claim


_HELD = """
SELECT c.family, c.lookup, c.agent, a.room, c.scope, c.resource, a.name, c.note, c.claimed_at, c.planned, r.name,
       a.standing, p.last_seen, p.source, p.last_fetched_at, p.transport, p.connected, p.reported_at
FROM claims AS c JOIN agents AS a ON a.key = c.agent JOIN rooms AS r ON r.key = a.room
LEFT JOIN presence AS p ON p.agent = a.key
"""


def take(
    room: Room, me: Actor, resources: Sequence[Resource], *, note: str | None = None, planned: bool = False
) -> Claimed:
    """Claim all of the resources or none. Raises `claim_conflict` with whoever holds what overlaps."""
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        wanted = _distinct(resources)
        conflicts = _overlapping(tx.db, room, wanted, tx.now, not_of=actor.row.key)
        if conflicts:
            raise conflict_error(conflicts, tx.now)
        own = {(held.claim.scope, held.lookup): held for held in claims_of(tx.db, room, actor.row.key, tx.now)}
        new = [one for one in wanted if (one.scope, one.lookup) not in own]
        if new:
            claims = [_named(room, one, planned) for one in new]
            tx.append("claim.taken", {"holder": me.name, "note": note, "claims": claims})
        now_held = {
            (held.claim.scope, held.lookup): held.claim for held in claims_of(tx.db, room, actor.row.key, tx.now)
        }
        return Claimed(
            [now_held[one.scope, one.lookup] for one in new],
            [now_held[one.scope, one.lookup] for one in wanted if one not in new],
        )


def give_back(room: Room, me: Actor, resources: Sequence[Resource]) -> Released:
    """Release own claims, all or none. Raises `unknown_claim` and `not_yours`."""
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        held = _exactly(tx.db, room, resources, tx.now)
        for one in held:
            if one.agent != actor.row.key:
                raise RelayError(
                    "not_yours",
                    f"{describe(one.claim, tx.now)}.",
                    "Ask for it, or the operator may add --force --reason TEXT.",
                    {"claim": one.claim},
                )
        return release_claims(tx, held, forced=False, reason=None)


def give_back_all(room: Room, me: Actor, scope: str | None = None) -> Released:
    """Release everything that `me` holds, in one scope or in all."""
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        held = claims_of(tx.db, room, actor.row.key, tx.now)
        return release_claims(tx, [one for one in held if scope in (None, one.claim.scope)], forced=False, reason=None)


def force_release(room: Room, me: Actor, resources: Sequence[Resource], reason: str) -> Released:
    """The operator frees what somebody else holds; each displaced holder gets a message.

    Raises `not_operator` for anybody else.
    """
    with room.writing(me) as tx:
        require_actor(tx, room)
        require_allowed(me, "release --force", room.row.operator)
        held = _exactly(tx.db, room, resources, tx.now)
        released = release_claims(tx, held, forced=True, reason=reason)
        for one in held:
            if one.claim.holder != me.name or one.agent_room != tx.room:
                _tell_displaced(tx, room, one, reason)
        return released


def list_claims(
    room: Room, *, holder: str | None = None, scope: str | None = None, stale: bool = False,
    over: Resource | None = None,
) -> ClaimList:  # fmt: skip
    """The repository's claims and every machine claim of the home, held ones first."""
    now = room.clock()
    with room.reading() as db:
        found = _overlapping(db, room, [over], now) if over else held_claims(db, room, now)
    claims = [
        one.claim
        for one in found
        if holder in (None, one.claim.holder) and scope in (None, one.claim.scope) and one.claim.stale >= stale
    ]
    claims.sort(key=lambda claim: (claim.stale, claim.scope, claim.resource))
    return ClaimList(claims)


def held_claims(db: sqlite3.Connection, room: Room, now: int) -> list[HeldClaim]:
    rows = db.execute(f"{_HELD} WHERE c.scope IN (?, ?, ?) AND c.family IN (?, ?)", (*SCOPES, MACHINE, room.row.family))
    return [_held(row, now, room.settings) for row in rows]


def conflict_error(conflicts: Sequence[HeldClaim], now: int) -> RelayError:
    claims = [held.claim for held in conflicts]
    first = spell(claims[0].scope, claims[0].resource)
    more = f" {len(claims) - 1} more overlap." if len(claims) > 1 else ""
    return RelayError(
        "claim_conflict",
        f"{describe(claims[0], now)}.{more}",
        f'Ask {claims[0].holder}: relay send --to {claims[0].holder} --message "May I have {inert(first)}?"',
        {"conflicts": claims},
    )


def describe(claim: Claim, now: int) -> str:
    """`src/auth is held by codex-3 (live, heard from 6s ago: "auth rewrite")`, without a full stop."""
    seen = f"heard from {age(claim.holder_last_seen, now)} ago" if claim.holder_last_seen else "never heard from"
    note = f': "{inert(claim.note)}"' if claim.note else ""
    return f"{inert(spell(claim.scope, claim.resource))} is held by {claim.holder} ({claim.holder_state}, {seen}{note})"


def family_of(room: Room, scope: str) -> int:
    """Whose namespace a scope belongs to: the home's for the machine, else the repository's."""
    return MACHINE if scope == "machine" else room.row.family


def _overlapping(
    db: sqlite3.Connection, room: Room, wanted: Iterable[Resource], now: int, *, not_of: int | None = None
) -> list[HeldClaim]:
    """Claims on the same thing, on a folder above it, or on anything below it."""
    found: dict[tuple[str, str], HeldClaim] = {}
    for one in wanted:
        for row in _overlap_rows(db, family_of(room, one.scope), one):
            held = _held(row, now, room.settings)
            if held.agent != not_of:
                found[held.claim.scope, held.lookup] = held
    return list(found.values())


def _overlap_rows(db: sqlite3.Connection, family: int, one: Resource) -> list[tuple[Any, ...]]:
    keys = [one.lookup, *(ancestors(one.lookup) if one.scope == "project" else [])]
    marks = ", ".join("?" * len(keys))
    same_or_above = f"{_HELD} WHERE c.scope = ? AND c.family = ? AND c.lookup IN ({marks})"
    rows = db.execute(same_or_above, (one.scope, family, *keys)).fetchall()
    if one.scope != "project":
        return rows
    below = (f"{one.lookup}/", f"{one.lookup}0") if one.lookup else ("", b"")  # a BLOB is above any text
    inside = f"{_HELD} WHERE c.scope = ? AND c.family = ? AND c.lookup > ? AND c.lookup < ?"
    return rows + db.execute(inside, (one.scope, family, *below)).fetchall()


def _exactly(db: sqlite3.Connection, room: Room, resources: Sequence[Resource], now: int) -> list[HeldClaim]:
    held = []
    for one in _distinct(resources):
        row = db.execute(
            f"{_HELD} WHERE c.scope = ? AND c.family = ? AND c.lookup = ?",
            (one.scope, family_of(room, one.scope), one.lookup),
        ).fetchone()
        if row is None:
            raise RelayError("unknown_claim", f"Nobody holds {inert(str(one))}.", "Run: relay claims")
        held.append(_held(row, now, room.settings))
    return held


def _distinct(resources: Iterable[Resource]) -> list[Resource]:
    """One for each key: on a case-blind disk two spellings may be one thing."""
    found: dict[tuple[str, str], Resource] = {}
    for one in resources:
        found.setdefault((one.scope, one.lookup), one)
    return list(found.values())


def claims_of(db: sqlite3.Connection, room: Room, agent: int, now: int) -> list[HeldClaim]:
    """Everything that one agent, by its key, holds."""
    rows = db.execute(f"{_HELD} WHERE c.agent = ? ORDER BY c.scope, c.lookup", (agent,))
    return [_held(row, now, room.settings) for row in rows]


def _held(row: tuple[Any, ...], now: int, settings: Settings) -> HeldClaim:
    family, lookup, agent, agent_room, scope, resource, holder, note, claimed_at, planned, room, *sign = row
    heard = Sign(*sign)
    state = state_of(heard, now, settings)
    claim = Claim(
        scope, resource, holder, state, heard.last_seen, room, note, claimed_at, state != "live",
        bool(planned), None, [],
    )  # fmt: skip
    return HeldClaim(family, lookup, agent, agent_room, claim)


def _named(room: Room, one: Resource, planned: bool) -> dict[str, Any]:
    return {
        "scope": one.scope, "family": family_of(room, one.scope), "lookup": one.lookup,
        "resource": one.resource, "planned": planned,
    }  # fmt: skip


def release_claims(tx: Transaction, held: Sequence[HeldClaim], *, forced: bool, reason: str | None) -> Released:
    """Record in an open transaction that these claims are free; nothing for none."""
    if held:
        claims = [
            {"scope": one.claim.scope, "family": one.family, "lookup": one.lookup, "resource": one.claim.resource,
             "holder": one.claim.holder}
            for one in held
        ]  # fmt: skip
        tx.append("claim.released", {"by": tx.me.name, "claims": claims, "forced": forced, "reason": reason})
    return Released([one.claim for one in held], forced)


def _tell_displaced(tx: Transaction, room: Room, held: HeldClaim, reason: str) -> None:
    from relay_tui.room.messages import tell

    resource = spell(held.claim.scope, held.claim.resource)
    tell(
        tx, room, held.agent_room, held.claim.holder,
        f"{tx.me.name} released {resource}, which you held. Reason: {reason}",
    )  # fmt: skip
