"""Handovers: the holder offers, the recipient accepts, and only then ownership moves (DESIGN §6.3)."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import Resource
from relay_tui.base.text import clip
from relay_tui.room.agents import require_actor
from relay_tui.room.finding import find_unique
from relay_tui.room.handoff_news import tell_answered, tell_cancelled, tell_freed, tell_offered
from relay_tui.room.handoff_rules import check_offerable, refuse_split
from relay_tui.room.held import exactly_held, name_claim, shown_resource
from relay_tui.room.persons import Person
from relay_tui.room.recipients import find_recipient

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from typing import Any, NamedTuple

    from relay_tui.room.held import Claim
    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class HandoffResource(NamedTuple):
    """`accepted` is None until it is answered."""

    scope: str
    resource: str
    accepted: bool | None


class Handoff(NamedTuple):
    """HANDOFF of the contract; who gives and who gets are names, each with that of its room."""

    id: str
    from_: str
    to: str
    reason: str | None
    state: str
    resources: list[HandoffResource]
    requested_at: int
    answered_at: int | None
    from_room: str
    to_room: str

    @property
    def giver(self) -> Person:
        return Person(self.from_room, self.from_)

    @property
    def recipient(self) -> Person:
        return Person(self.to_room, self.to)


class HandoffAnswer(NamedTuple):
    """As seen from `room`."""

    handoff: Handoff
    room: str


class HandoffList(NamedTuple):
    """Every one that waits, as seen from `room`; of those that were answered there may be `more`."""

    handoffs: list[Handoff]
    more: int
    room: str


class Parties(NamedTuple):
    """Who gives and who gets, with their rooms, as stored."""

    id: str
    state: str
    giver: int
    giver_name: str
    giver_room: int
    giver_room_id: str
    recipient: int
    recipient_name: str
    recipient_room: int
    recipient_room_id: str


_ANSWERED = 200  # of those at the most in a list
_PARTIES = """
SELECT h.id, h.state, g.key, g.name, g.room, gr.id, t.key, t.name, t.room, tr.id
FROM handoffs AS h
JOIN agents AS g ON g.key = h.giver JOIN rooms AS gr ON gr.key = g.room
JOIN agents AS t ON t.key = h.recipient JOIN rooms AS tr ON tr.key = t.room
"""
_LISTED = """
SELECT h.id, g.name, t.name, h.reason, h.state, h.requested_at, h.answered_at, gr.name, tr.name
FROM handoffs AS h JOIN rooms AS r ON r.key = h.room
JOIN agents AS g ON g.key = h.giver JOIN rooms AS gr ON gr.key = g.room
JOIN agents AS t ON t.key = h.recipient JOIN rooms AS tr ON tr.key = t.room
"""


def request(room: Room, me: Actor, resources: Sequence[Resource], to: str, reason: str | None) -> HandoffAnswer:
    """Offer claims to somebody; they stay mine until the recipient accepts.

    Raises `unknown_claim`, `not_yours`, what `find_recipient` does, `held` where one is offered already, and
    `claim_conflict` where something above or below would stay.
    """
    with room.writing(me) as tx:
        giver = require_actor(tx, room)
        recipient = find_recipient(tx, room, to, giver)
        held = exactly_held(tx.db, room, resources, tx.now)
        for one in held:
            check_offerable(room, one, giver)
        moving = [Resource(one.claim.scope, one.claim.resource, one.lookup) for one in held]
        refuse_split(tx, room, moving)
        handoff = room.draw_id(tx.db, "H", "handoffs")
        tx.append("handoff.requested", {
            "id": handoff, "from": [tx.room_id, me.name], "to": [recipient.room_id, recipient.agent.row.name],
            "reason": reason, "resources": [name_claim(one) for one in held],
        })  # fmt: skip
        offer = _read(tx.db, handoff)
        tell_offered(tx, room, recipient.agent.row.key, offer, [one.claim for one in held])
        return HandoffAnswer(offer, room.row.name)


def respond(
    room: Room, me: Actor, wanted: str, *, accept: bool, only: Sequence[Resource], reason: str | None
) -> HandoffAnswer:
    """The recipient takes the whole, a part (`only`), or nothing; what it takes is its own from now on.

    Raises `unknown_handoff`, `not_yours`, `refused` for one that was answered, `claim_conflict` where the
    giver would keep something above or below.
    """
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        parties = _find(tx.db, room, wanted)
        if parties.recipient != actor.row.key:
            to = _read(tx.db, parties.id).recipient.seen_from(room.row.name)
            raise RelayError("not_yours", f"{parties.id} was offered to {to}.", "Only they can answer it.")
        _check_waiting(parties)
        answers = _answers(tx.db, parties.id, accept, only)
        moving = [Resource(one["scope"], one["resource"], one["lookup"]) for one in answers if one["accepted"]]
        refuse_split(tx, room, moving, parties.id)
        state = _state([one["accepted"] for one in answers])
        tx.append("handoff.answered", {
            "id": parties.id, "to": [parties.recipient_room_id, parties.recipient_name], "resources": answers,
            "state": state, "reason": reason,
        })  # fmt: skip
        answered = _read(tx.db, parties.id)
        tell_answered(tx, room, parties.giver, answered, reason)
        return HandoffAnswer(answered, room.row.name)


def cancel(room: Room, me: Actor, wanted: str) -> HandoffAnswer:
    """Take an offer back; the giver or the operator."""
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        parties = _find(tx.db, room, wanted)
        if actor.row.key != parties.giver and me.name != room.row.operator:
            by = _read(tx.db, parties.id).giver.seen_from(room.row.name)
            message = f"{parties.id} was offered by {by}."
            raise RelayError("not_yours", message, "Only they or the operator can cancel it.")
        _check_waiting(parties)
        offer = _close(tx, parties, me.name)
        tell_cancelled(tx, room, parties, offer)
        return HandoffAnswer(_read(tx.db, parties.id), room.row.name)


def cancel_for_release(tx: Transaction, room: Room, handoff: str, freed: Sequence[Claim]) -> None:
    """Record in an open transaction that an offer is over, because these of its claims are freed by force."""
    parties = Parties(*tx.db.execute(f"{_PARTIES} WHERE h.id = ?", (handoff,)).fetchone())  # of any repository
    offer = _close(tx, parties, tx.me.name)
    tell_freed(tx, room, parties.recipient, offer, freed)


def _close(tx: Transaction, parties: Parties, by: str) -> Handoff:
    """What was offered until now."""
    tx.append("handoff.cancelled", {"id": parties.id, "by": by})
    return _read(tx.db, parties.id)


def list_handoffs(room: Room, *, answered: bool = False) -> HandoffList:
    """Waiting offers of the repository's rooms, newest first; with `answered` the closed ones too."""
    with room.reading() as db:
        rows = db.execute(
            f"{_LISTED} WHERE r.family = ? AND (? OR h.state = 'waiting') ORDER BY h.requested_at DESC, h.id",
            (room.row.family, answered),
        ).fetchall()
        closed = [row for row in rows if row[4] != "waiting"]
        left_out = set(closed[_ANSWERED:])
        return HandoffList([_view(db, row) for row in rows if row not in left_out], len(left_out), room.row.name)


def read_handoff(room: Room, wanted: str) -> Handoff:
    """One of the repository's, whatever became of it. Raises `unknown_handoff`, `ambiguous`."""
    with room.reading() as db:
        return _read(db, _find(db, room, wanted).id)


def word_of(state: str) -> str:
    """How a sentence says the state of a handover."""
    return "accepted in part" if state == "partly" else state


def _check_waiting(parties: Parties) -> None:
    if parties.state != "waiting":
        raise RelayError(
            "refused", f"{parties.id} was {word_of(parties.state)} already.", "Run: relay handoff list --all"
        )


def _answers(db: sqlite3.Connection, handoff: str, accept: bool, only: Sequence[Resource]) -> list[dict[str, Any]]:
    rows = db.execute(
        "SELECT scope, family, lookup, resource FROM handoff_resources WHERE handoff = ? ORDER BY scope, lookup",
        (handoff,),
    ).fetchall()
    offered = {(scope, lookup) for scope, _, lookup, _ in rows}
    picked = {(one.scope, one.lookup) for one in only}
    if picked - offered:
        missing = shown_resource(next(one for one in only if (one.scope, one.lookup) not in offered))
        raise RelayError("unknown_claim", f"{missing} is not part of {handoff}.", "Run: relay handoff list")
    return [
        {
            "scope": scope, "family": family, "lookup": lookup, "resource": resource,
            "accepted": accept and (not picked or (scope, lookup) in picked),
        }
        for scope, family, lookup, resource in rows
    ]  # fmt: skip


def _state(accepted: Sequence[bool]) -> str:
    if all(accepted):
        return "accepted"
    return "partly" if any(accepted) else "declined"


def _find(db: sqlite3.Connection, room: Room, wanted: str) -> Parties:
    """By exact id, else by unique prefix, among the repository's. Raises `unknown_handoff`, `ambiguous`."""

    def read(first: str, end: str) -> list[Parties]:
        where = "WHERE h.id >= ? AND h.id < ? AND gr.family = ? LIMIT 3"
        return [Parties(*row) for row in db.execute(f"{_PARTIES} {where}", (first, end, room.row.family))]

    message = f"There is no handover '{clip(wanted, 40)}' here."
    return find_unique(read, "H", wanted, RelayError("unknown_handoff", message, "Run: relay handoff list --all"))


def _read(db: sqlite3.Connection, handoff: str) -> Handoff:
    return _view(db, db.execute(f"{_LISTED} WHERE h.id = ?", (handoff,)).fetchone())


def _view(db: sqlite3.Connection, row: Sequence[Any]) -> Handoff:
    resources = [
        HandoffResource(scope, resource, None if accepted is None else bool(accepted))
        for scope, resource, accepted in db.execute(
            "SELECT scope, resource, accepted FROM handoff_resources WHERE handoff = ? ORDER BY scope, lookup",
            row[:1],
        )
    ]
    return Handoff._make([*row[:5], resources, *row[5:]])
