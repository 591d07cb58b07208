"""What is still open: on what I sent (`followup`), and on what another session of mine fetched (`reconcile`)."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.times import DAY, age
from relay_tui.room.agents import KnownAgent, read_agents, require_actor, require_reader
from relay_tui.room.ledger import LAST
from relay_tui.room.mail import find_message
from relay_tui.room.messages import REMINDER, Draft, store_message
from relay_tui.room.receipts import read_deliveries

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import NamedTuple

    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.mail import MessageRow
    from relay_tui.room.receipts import Receipt
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

REMIND_EVERY = DAY  # one reminder a delivery in this time

_OPEN_SENT = f"""
SELECT m.id FROM messages AS m INDEXED BY messages_by_sender
WHERE m.room = ? AND m.sender = ? AND m.unsettled > 0 AND m.expires_at > ? AND m.sent_at <= ?
  AND (m.request IS NULL OR m.request NOT GLOB '{REMINDER}*')
ORDER BY m.seq
"""
_LAST_REMINDER = f"""
SELECT max(sent_at) FROM messages WHERE thread = ? AND sender = ? AND reply_to = ? AND addressed = ?
  AND request GLOB '{REMINDER}*'
"""
_FETCHED_ELSEWHERE = """
SELECT m.id, m.sender, m.summary, d.delivered_session, d.delivered_at
FROM deliveries AS d INDEXED BY deliveries_open JOIN messages AS m ON m.seq = d.message
WHERE d.agent = ? AND d.handled_at IS NULL AND d.expired_at IS NULL AND d.expires_at > ?
  AND d.delivered_at IS NOT NULL AND d.delivered_session IS NOT ?
ORDER BY d.message
"""


class OpenDelivery(NamedTuple):
    """How far a message that I sent got with one recipient that has not handled it, and when I last reminded it."""

    id: str
    summary: str
    receipt: Receipt
    reminded_at: int | None

    @property
    def spread(self) -> str:
        """The field whose members stand among the others in JSON (CONTRACT, followup)."""
        return "receipt"


class FollowUp(NamedTuple):
    open: list[OpenDelivery]
    reminded: list[str]


class FetchedElsewhere(NamedTuple):
    id: str
    from_: str
    summary: str
    delivered_session: str | None
    delivered_at: int


class Reconciled(NamedTuple):
    agent: str
    session: str | None
    deliveries: list[FetchedElsewhere]
    taken: list[str]
    handled: list[str]


def list_unhandled(room: Room, me: Actor, older_than: int | None) -> FollowUp:
    """Every delivery of a message by `me`, sent at least `older_than` ago, that is still open."""
    now = room.clock()
    with room.reading() as db:
        require_reader(db, room, me.name, now)
        return FollowUp(_open_deliveries(db, room, me.name, now, older_than), [])


def remind(room: Room, me: Actor, older_than: int | None) -> FollowUp:
    """Send one linked reminder for each open delivery that had none within a day; safe to repeat."""
    with room.writing(me) as tx:
        require_actor(tx, room)
        found = _open_deliveries(tx.db, room, me.name, tx.now, older_than)
        after = [_reminded(tx, room, one) for one in found]
    reminded = [one.id for one, before in zip(after, found, strict=True) if one is not before]
    return FollowUp(after, list(dict.fromkeys(reminded)))


def reconcile(room: Room, me: Actor, take: list[str], handled: list[str]) -> Reconciled:
    """What another session of `me` fetched and never handled; `take` moves it here, `handled` acknowledges it."""
    if not take and not handled:
        with room.reading() as db:
            known = require_reader(db, room, me.name, room.clock())
            return _reconciled(db, known, me.session or known.row.session, room.clock())
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        session = me.session or actor.row.session
        taken = _record(tx, actor, take, "message.taken", {"session": session})
        done = _record(tx, actor, handled, "message.handled", {"session": session, "via": me.via, "note": None})
        return _reconciled(tx.db, actor, session, tx.now)._replace(taken=taken, handled=done)


def _reconciled(db: sqlite3.Connection, known: KnownAgent, session: str | None, now: int) -> Reconciled:
    rows = db.execute(_FETCHED_ELSEWHERE, (known.row.key, now, session))
    return Reconciled(known.row.name, session, [FetchedElsewhere(*row) for row in rows], [], [])


def _record(tx: Transaction, actor: KnownAgent, wanted: list[str], kind: str, facts: dict[str, object]) -> list[str]:
    """Append one event for messages that were fetched and not handled. Raises `unknown_message`, `not_yours`.

    What this session has already is not taken again.
    """
    messages = [find_message(tx.db, tx.room, one) for one in wanted]
    new = []
    for message in messages:
        row = tx.db.execute(
            "SELECT delivered_at, handled_at, delivered_session FROM deliveries WHERE message = ? AND agent = ?",
            (message.seq, actor.row.key),
        ).fetchone()
        if row is None:
            raise RelayError("not_yours", f"{message.id} was not sent to {actor.row.name}.", "Run: relay reconcile")
        if row[0] is None or row[1] is not None:
            said = "was handled already" if row[1] is not None else "was never fetched"
            raise RelayError("refused", f"{message.id} {said}.", "Run: relay reconcile")
        if message.id not in new and (kind, row[2]) != ("message.taken", facts["session"]):
            new.append(message.id)
    if new:
        tx.append(kind, {"agent": actor.row.name, "messages": new, **facts})
    return list(dict.fromkeys(message.id for message in messages))


def _open_deliveries(
    db: sqlite3.Connection, room: Room, name: str, now: int, older_than: int | None
) -> list[OpenDelivery]:
    sent_by = LAST if older_than is None else now - older_than  # without an age, also what a clock set back hides
    agents = {known.row.key: known for known in read_agents(db, room.row.key, now, room.settings)}
    ids = db.execute(_OPEN_SENT, (room.row.key, name, now, sent_by)).fetchall()
    return [
        OpenDelivery(message.id, message.summary, receipt, _last_reminder(db, message, receipt.agent))
        for (wanted,) in ids
        for message in (find_message(db, room.row.key, wanted),)
        for receipt in read_deliveries(db, message, agents, now)
        if receipt.handled_at is None and receipt.expired_at is None
    ]


def _last_reminder(db: sqlite3.Connection, message: MessageRow, agent: str) -> int | None:
    last: int | None = db.execute(_LAST_REMINDER, (message.thread, message.sender, message.id, agent)).fetchone()[0]
    return last


def _reminded(tx: Transaction, room: Room, one: OpenDelivery) -> OpenDelivery:
    """The delivery after a reminder, where it gets one now."""
    message = find_message(tx.db, tx.room, one.id)
    agent, last = one.receipt.agent, one.reminded_at
    if (last is not None and tx.now - last < REMIND_EVERY) or one.receipt.agent_state in ("left", "retired"):
        return one
    body = f'Reminder: "{message.summary}" ({message.id}), sent {age(message.sent_at, tx.now)} ago, is not handled yet.'
    request = f"{REMINDER}{message.id}:{agent}:{tx.now}"
    store_message(tx, room, Draft(body=body, to=agent, reply_to=message.id, request=request))
    return one._replace(reminded_at=tx.now)
