"""Receipts: the four facts of every delivery of a message, for whoever asks how far it got (DESIGN §6.2)."""

from __future__ import annotations

from relay_tui.room.agents import KnownAgent, read_agents
from relay_tui.room.ledger import read_data
from relay_tui.room.mail import NOT_IN_TIME, find_message, open_summary
from relay_tui.room.stages import furthest_stage

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping
    from typing import NamedTuple

    from relay_tui.room.mail import MessageRow
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

_DELIVERIES = """
SELECT agent, notified_at, notified_by, delivered_at, delivered_session, handled_at, handled_session, note,
       expired_at, expired_reason
FROM deliveries WHERE message = ?
"""


class Receipt(NamedTuple):
    """RECEIPT of the contract: one recipient's facts; `stage` is the furthest, the times are the facts."""

    agent: str
    agent_state: str
    stage: str
    stored_at: int
    notified_at: int | None
    notified_by: str | None
    delivered_at: int | None
    delivered_session: str | None
    handled_at: int | None
    handled_session: str | None
    note: str | None
    expired_at: int | None
    expired_reason: str | None
    last_fetched_at: int | None


class ReceiptCounts(NamedTuple):
    """Cumulative: how many recipients reached each stage. `missing` left or retired before handling."""

    recipients: int
    stored: int
    notified: int
    delivered: int
    handled: int
    expired: int
    missing: int


class Receipts(NamedTuple):
    """`summary` is None where it is the first line of a body that is not for the reader."""

    id: str
    from_: str
    summary: str | None
    recipients: list[Receipt]
    counts: ReceiptCounts


def read_receipts(room: Room, wanted: str, reader: str | None) -> Receipts:
    """The four facts of every recipient of a message, for anybody; the words of direct mail are for sender, recipients
    and operator only (DESIGN §6.2)."""
    now = room.clock()
    with room.reading() as db:
        message = find_message(db, room.row.key, wanted)
        agents = {known.row.key: known for known in read_agents(db, room.row.key, now, room.settings)}
        receipts = read_deliveries(db, message, agents, now)
        summary: str | None = message.summary
        readers = (message.sender, room.row.operator, *(one.agent for one in receipts))
        if message.audience == "direct" and reader not in readers:
            summary = open_summary(read_data(db, message.seq))
            receipts = [one._replace(note=None) for one in receipts]
    return Receipts(message.id, message.sender, summary, receipts, _counts(receipts))


def read_deliveries(
    db: sqlite3.Connection, message: MessageRow, agents: Mapping[int, KnownAgent], now: int
) -> list[Receipt]:
    """One receipt a recipient, by name; `agents` are the room's by their keys."""
    rows = db.execute(_DELIVERIES, (message.seq,))
    receipts = [_receipt(agents[row[0]], message.sent_at, _with_due(row[1:], message.expires_at, now)) for row in rows]
    return sorted(receipts, key=lambda receipt: receipt.agent)


def _with_due(facts: tuple[object, ...], expires_at: int, now: int) -> tuple[object, ...]:
    *before, expired_at, _reason = facts
    handled_at = facts[4]
    if expired_at is None and handled_at is None and expires_at <= now:
        return (*before, expires_at, NOT_IN_TIME)
    return facts


def _receipt(known: KnownAgent, stored_at: int, facts: tuple[object, ...]) -> Receipt:
    receipt = Receipt(
        known.row.name, known.state, "stored", stored_at, *facts, known.sign.last_fetched_at  # type: ignore[call-arg, arg-type]
    )  # fmt: skip
    return receipt._replace(stage=furthest_stage(receipt))


def _counts(receipts: list[Receipt]) -> ReceiptCounts:
    gone = [one for one in receipts if one.agent_state in ("left", "retired") and one.handled_at is None]
    return ReceiptCounts(
        recipients=len(receipts),
        stored=len(receipts),
        notified=sum(one.notified_at is not None for one in receipts),
        delivered=sum(one.delivered_at is not None for one in receipts),
        handled=sum(one.handled_at is not None for one in receipts),
        expired=sum(one.expired_at is not None for one in receipts),
        missing=len(gone),
    )
