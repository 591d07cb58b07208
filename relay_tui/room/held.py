"""What is held, by whom, and what overlaps: the reads of claims (DESIGN §6.3). Changes stand in `claims`.

Overlap is looked up in the index: folders above by `IN`, everything below by a range.
"""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.names import unknown_agent
from relay_tui.base.resources import SCOPES, Resource, ancestors, spell
from relay_tui.base.text import counted, quote, quote_name, shell_word
from relay_tui.base.times import heard_from
from relay_tui.room.presence import Sign, heard_by, state_of
from relay_tui.room.waiting import WaitedFor, Waiter, overlaps, read_line, waiting_for
from relay_tui.room.where import word_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence
    from typing import Any, NamedTuple

    from relay_tui.base.config import Settings
    from relay_tui.room.handoffs import HandoffResource
    from relay_tui.room.ledger import Transaction
    from relay_tui.room.persons import Person
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

MACHINE = 0  # the family of machine claims: every room of the home
SHOWN = 80  # characters of a name in a sentence
_NOTE = 120  # of a note


class Claim(NamedTuple):
    """CLAIM of the contract. `room` is the holder's room; `waiting` names who queues for the resource, and
    `waiting_rooms` the room of each."""

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
    waiting: Sequence[str] = ()
    waiting_rooms: Sequence[str] = ()

    @property
    def person(self) -> Person:
        """Whoever holds it. Loaded when it is asked for, since most commands that claim ask nothing of that."""
        from relay_tui.room.persons import Person

        return Person(self.room, self.holder)

    @property
    def queue(self) -> list[Person]:
        from relay_tui.room.persons import persons

        return persons(self.waiting, self.waiting_rooms)


class ClaimList(NamedTuple):
    """As seen from `room`. `free` is what somebody waits for and nobody holds, such as a waiter who was stopped."""

    claims: list[Claim]
    free: list[WaitedFor]
    room: str


class HeldClaim(NamedTuple):
    """A claim with the keys that events and other rows name it by."""

    family: int
    lookup: str
    agent: int
    agent_room: int
    claim: Claim


_HELD = """
SELECT c.family, c.lookup, c.agent, a.room, c.scope, c.resource, a.name, c.note, c.claimed_at, c.planned, r.name,
       h.handoff, a.standing, p.last_seen, p.source, p.last_fetched_at, p.transport, p.connected, p.reported_at,
       p.ahead
FROM claims AS c JOIN agents AS a ON a.key = c.agent JOIN rooms AS r ON r.key = a.room
LEFT JOIN presence AS p ON p.agent = a.key
LEFT JOIN handoff_resources AS h
    ON h.scope = c.scope AND h.family = c.family AND h.lookup = c.lookup AND h.waiting = 1
"""
# A few of them are live all the same, by what their transport says.
_NOT_HEARD = """
SELECT w.key FROM agents AS w LEFT JOIN presence AS s ON s.agent = w.key
WHERE w.standing <> 'here' OR coalesce(s.last_seen, 0) < ?
"""


def list_claims(
    room: Room, *, holder: str | None = None, scope: str | None = None, stale: bool = False,
    over: Sequence[Resource] = (),
) -> ClaimList:  # fmt: skip
    """The repository's claims and every machine claim of the home, held ones first; `holder` as `NAME` or
    `NAME@ROOM`."""
    from relay_tui.room.persons import person_named

    now, person = room.clock(), holder and person_named(holder, room.row.name)
    with room.reading() as db:
        found = overlapping(db, room, over, now) if over else held_claims(db, room, now)
        line = read_line(db, now)
        free = _waited_for(db, room, line, over) if holder is None and not stale else []
    claims = [
        with_waiting(one, line)
        for one in found
        if person in (None, one.claim.person) and scope in (None, one.claim.scope) and one.claim.stale >= stale
    ]
    claims.sort(key=lambda claim: (claim.stale, claim.scope, claim.resource))
    return ClaimList(claims, [one for one in free if scope in (None, one.scope)], room.row.name)


def require_holder(room: Room, holder: str) -> None:
    """Raises `unknown_agent` for whoever is not of this room, of another of the repository, or a holder."""
    from relay_tui.room.persons import Person, person_named

    with room.reading() as db:
        rows = db.execute(
            "SELECT r.name, a.name FROM agents AS a JOIN rooms AS r ON r.key = a.room WHERE r.family = ?"
            " UNION SELECT r.name, a.name FROM claims AS c JOIN agents AS a ON a.key = c.agent"
            " JOIN rooms AS r ON r.key = a.room WHERE c.family = ?",
            (room.row.family, MACHINE),
        ).fetchall()
    here, known = room.row.name, [Person._make(row) for row in rows]
    wanted = person_named(holder, here)
    if wanted not in known:
        namesakes = [shell_word(one.typed_in(here)) for one in known if one.name == wanted.name]
        said = f"Say which: --holder {' or --holder '.join(namesakes)}" if namesakes else ""
        raise unknown_agent(holder, [one.typed_in(here) for one in known if one.name != wanted.name], said)


def held_claims(db: sqlite3.Connection, room: Room, now: int, scopes: Sequence[str] = SCOPES) -> list[HeldClaim]:
    marks = ", ".join("?" * len(scopes))
    where = f"WHERE c.scope IN ({marks}) AND c.family IN (?, ?)"
    rows = db.execute(f"{_HELD} {where}", (*scopes, MACHINE, room.row.family))
    return [_held(row, now, room.settings) for row in rows]


def stale_claims(db: sqlite3.Connection, room: Room, now: int) -> list[HeldClaim]:
    """Those whose holder is not live, found by the holders: of the live ones' claims there may be thousands."""
    where = f"WHERE c.agent IN ({_NOT_HEARD}) AND c.family IN (?, ?)"
    rows = db.execute(f"{_HELD} {where}", (now - room.settings.live_window, MACHINE, room.row.family))
    return [one for row in rows if (one := _held(row, now, room.settings)).claim.stale]


def with_waiting(one: HeldClaim, line: Sequence[Waiter]) -> Claim:
    """The claim with those that queue for it, in the order of their places."""
    if not line:
        return one.claim
    names, rooms = waiting_for(line, one.claim.scope, one.family, one.lookup)
    return one.claim._replace(waiting=names, waiting_rooms=rooms)


def _waited_for(
    db: sqlite3.Connection, room: Room, line: Sequence[Waiter], over: Sequence[Resource]
) -> list[WaitedFor]:
    found = {(one.scope, one.lookup): one for one in line if one.family == family_of(room, one.scope)}
    return [
        WaitedFor(one.scope, one.resource, *waiting_for(line, one.scope, one.family, one.lookup))
        for one in found.values()
        if not _overlap_rows(db, one.family, Resource(one.scope, one.resource, one.lookup))
        and (not over or any(overlaps(one, family_of(room, each.scope), each) for each in over))
    ]


def holders_against(db: sqlite3.Connection, waiter: Waiter) -> set[int]:
    """Agents, by their keys, that hold what somebody waits for; the waiter itself is none of them."""
    wanted = Resource(waiter.scope, waiter.resource, waiter.lookup)
    return {row[2] for row in _overlap_rows(db, waiter.family, wanted)} - {waiter.agent}


def conflict_error(room: Room, conflicts: Sequence[HeldClaim], asker: str, now: int) -> RelayError:
    claims = [held.claim for held in conflicts]
    asked = word_here(room, claims[0].scope, claims[0].resource)
    more = f" {counted(len(claims) - 1, 'more overlaps', 'more overlap')}." if len(claims) > 1 else ""
    return RelayError(
        "claim_conflict",
        f"{describe(claims[0], now, room.row.name)}.{more}",
        f"Ask {claims[0].person.seen_from(room.row.name)} for it: relay handoff ask {asked} --as {asker}",
        {"conflicts": claims},
    )


def describe(claim: Claim, now: int, here: str | None) -> str:
    """`src/auth is held by codex-3 (live, heard from 6s ago: "auth rewrite")`, as seen from `here`."""
    seen = heard_from(claim.holder_last_seen, now)
    note = f": {quote(claim.note, _NOTE)}" if claim.note else ""
    holder = claim.person.seen_from(here)
    return f"{shown_resource(claim)} is held by {holder} ({claim.holder_state}, {seen}{note})"


def shown_resource(one: Claim | WaitedFor | Waiter | HandoffResource | Resource) -> str:
    """How a sentence names it."""
    return quote_name(spell(one.scope, one.resource), SHOWN)


def name_claim(one: HeldClaim) -> dict[str, Any]:
    """How an event names a claim."""
    return {
        "scope": one.claim.scope, "family": one.family, "lookup": one.lookup, "resource": one.claim.resource,
    }  # fmt: skip


def name_holder(tx: Transaction, one: HeldClaim) -> dict[str, str]:
    """How an event names who holds a claim: with the id of the room where that is another one than the event's."""
    named = {"holder": one.claim.holder}
    if one.agent_room != tx.room:
        (named["holder_room"],) = tx.db.execute("SELECT id FROM rooms WHERE key = ?", (one.agent_room,)).fetchone()
    return named


def family_of(room: Room, scope: str) -> int:
    """Whose namespace a scope belongs to: the home's for the machine, else the repository's."""
    return MACHINE if scope == "machine" else room.row.family


def overlapping(
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


def exactly_held(db: sqlite3.Connection, room: Room, resources: Sequence[Resource], now: int) -> list[HeldClaim]:
    held = []
    for one in distinct(resources):
        row = db.execute(
            f"{_HELD} WHERE c.scope = ? AND c.family = ? AND c.lookup = ?",
            (one.scope, family_of(room, one.scope), one.lookup),
        ).fetchone()
        if row is None:
            raise RelayError("unknown_claim", f"Nobody holds {shown_resource(one)}.", _meant(db, room, one))
        held.append(_held(row, now, room.settings))
    return held


def _meant(db: sqlite3.Connection, room: Room, one: Resource) -> str:
    """A branch or a part of the machine of that name is held: the hint says how it is written."""
    rows = db.execute(f"{_HELD} WHERE c.family IN (?, ?) AND c.resource = ?", (MACHINE, room.row.family, one.resource))
    row = rows.fetchone()
    if row is None:
        return "Run: relay claims"
    named = _held(row, 0, room.settings).claim
    holder = named.person.seen_from(room.row.name)
    return f"{holder} holds {shown_resource(named)}; write that if it is meant."


def distinct(resources: Iterable[Resource]) -> list[Resource]:
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
    family, lookup, agent, agent_room, scope, resource, holder, note, claimed_at, planned, room, handoff, *sign = row
    heard = heard_by(Sign(*sign), now)
    state = state_of(heard, now, settings)
    claim = Claim(
        scope, resource, holder, state, heard.last_seen, room, note, claimed_at, state != "live",
        bool(planned), handoff,
    )  # fmt: skip
    return HeldClaim(family, lookup, agent, agent_room, claim)
