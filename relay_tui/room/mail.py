"""Messages as stored: records, finding one by id or prefix, and the lists that change nothing."""

from __future__ import annotations

from relay_tui.base.canonical import encode
from relay_tui.base.text import clip
from relay_tui.room.finding import find_unique, unknown_message
from relay_tui.room.ledger import decode_payloads

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from typing import Any, NamedTuple

    from relay_tui.room.stages import Reached
else:
    from relay_tui.base.record import NamedTuple

NOT_IN_TIME = "not handled in time"  # why a delivery expired
PAGE = 50  # messages in a list unless --limit says otherwise
SUMMARY_CHARACTERS = 200
PAGE_BYTES = 256 * 1024  # of bodies in one page; at least one message is always given


class Attachment(NamedTuple):
    name: str
    size: int
    sha256: str


class Message(NamedTuple):
    """MESSAGE of the contract. The facts are the recipient's own; for others, those that hold for every recipient,
    and `reached` says of how many each does."""

    id: str
    seq: int
    from_: str
    audience: str
    to: str
    recipients: list[str]
    summary: str
    body: str | None
    reply_to: str | None
    thread: str
    sent_at: int
    attachments: list[Attachment]
    stored_at: int
    notified_at: int | None
    delivered_at: int | None
    handled_at: int | None
    expires_at: int
    expired_at: int | None
    expired_reason: str | None
    reached: Reached | None


class Mailbox(NamedTuple):
    """A page of somebody's messages; `next` is the cursor behind it, None at the end."""

    agent: str
    unhandled: int
    messages: list[Message]
    next: str | None


class MessageRow(NamedTuple):
    """One row of `messages`, without its body."""

    seq: int
    id: str
    sender: str
    audience: str
    addressed: str
    summary: str
    reply_to: str | None
    thread: str
    sent_at: int
    expires_at: int


class Only(NamedTuple):
    """What a list of open messages is narrowed to; None does not narrow. `before` is a moment."""

    sender: str | None = None
    thread: str | None = None
    before: int | None = None

    def clause(self) -> tuple[str, tuple[object, ...]]:
        parts = (("m.sender = ?", self.sender), ("m.thread = ?", self.thread), ("m.sent_at < ?", self.before))
        said = [(sql, value) for sql, value in parts if value is not None]
        return "".join(f" AND {sql}" for sql, _ in said), tuple(value for _, value in said)


class Reader(NamedTuple):
    """Who reads, by name and key; `everything` for the operator. In the order in which `_READABLE` asks for them."""

    everything: bool
    name: str
    agent: int


EVERYTHING = Only()

_ROW = ", ".join(f"m.{field}" for field in MessageRow._fields)
_FACTS = "d.notified_at, d.delivered_at, d.handled_at, d.expired_at, d.expired_reason"
_REACHED = """count(*), count(d.notified_at), count(d.delivered_at), count(d.handled_at),
sum(d.handled_at IS NULL AND (d.expired_at IS NOT NULL OR d.expires_at <= ?))"""
# Both partial indexes together hold every delivery of an agent; neither is scanned.
_OPEN = "d.handled_at IS NULL AND d.expired_at IS NULL"
_FOUND = f"SELECT {_ROW} FROM messages AS m WHERE id >= ? AND id < ? AND +room = ? LIMIT 3"  # + : the index on id
_READABLE = """FROM messages AS m WHERE m.thread = ? AND (? OR m.sender = ?
OR EXISTS (SELECT 1 FROM deliveries AS d WHERE d.message = m.seq AND d.agent = ?))"""
_SETTLED = "(d.handled_at IS NOT NULL OR d.expired_at IS NOT NULL)"


def find_message(db: sqlite3.Connection, room: int, wanted: str) -> MessageRow:
    """By exact id, else by unique prefix. Raises `unknown_message` and `ambiguous`."""

    def read(first: str, end: str) -> list[MessageRow]:
        return [MessageRow(*row) for row in db.execute(_FOUND, (first, end, room))]

    return find_unique(read, "M", wanted, unknown_message(wanted))


def open_ids(
    db: sqlite3.Connection, agent: int, now: int, through: int, only: Only = EVERYTHING, *, fetched: bool = False
) -> list[str]:
    """Ids of the unhandled messages up to a seq, without their bodies; with `fetched` only delivered ones."""
    clause, bounds = only.clause()
    clause += " AND d.delivered_at IS NOT NULL" if fetched else ""
    rows = db.execute(
        "SELECT m.id FROM deliveries AS d INDEXED BY deliveries_open JOIN messages AS m ON m.seq = d.message"
        f" WHERE d.agent = ? AND {_OPEN} AND d.expires_at > ? AND d.message <= ?{clause} ORDER BY d.message",
        (agent, now, through, *bounds),
    )
    return [message for (message,) in rows]


def count_unhandled(db: sqlite3.Connection, agent: int, now: int) -> int:
    """Open deliveries of one agent that are not due yet; one walk over a covering index."""
    row = db.execute(
        "SELECT count(*) FROM deliveries AS d INDEXED BY deliveries_open"
        f" WHERE d.agent = ? AND {_OPEN} AND d.expires_at > ?",
        (agent, now),
    ).fetchone()
    return int(row[0])


def list_open(
    db: sqlite3.Connection, agent: int, now: int, after: int, limit: int, only: Only = EVERYTHING
) -> list[Message]:
    """Unhandled and not expired, oldest first, with bodies."""
    clause, bounds = only.clause()
    unhandled = _walk("deliveries_open", f"{_OPEN} AND d.message > ? AND d.expires_at > ?{clause}", only)
    rows = db.execute(f"{unhandled} ORDER BY seq LIMIT ?", (agent, after, now, *bounds, limit))
    return _view_rows(rows.fetchall(), now)


def list_all(
    db: sqlite3.Connection, agent: int, now: int, before: int, limit: int, only: Only = EVERYTHING
) -> list[Message]:
    """Everything an agent was ever sent, newest first: both indexes are walked backwards and merged."""
    clause, bounds = only.clause()
    unsettled = _walk("deliveries_open", f"{_OPEN} AND d.message < ?{clause}", only)
    settled = _walk("deliveries_settled", f"{_SETTLED} AND d.message < ?{clause}", only)
    half = (agent, before, *bounds)
    rows = db.execute(f"{unsettled} UNION ALL {settled} ORDER BY seq DESC LIMIT ?", (*half, *half, limit))
    return _view_rows(rows.fetchall(), now)


def list_expired(db: sqlite3.Connection, agent: int, now: int, before: int, limit: int) -> list[Message]:
    """What expired unhandled, newest first; what is due counts before it is recorded."""
    due = _walk("deliveries_open", f"{_OPEN} AND d.message < ? AND d.expires_at <= ?")
    recorded = _walk("deliveries_settled", f"{_SETTLED} AND d.message < ? AND d.handled_at IS NULL")
    rows = db.execute(
        f"{due} UNION ALL {recorded} ORDER BY seq DESC LIMIT ?", (agent, before, now, agent, before, limit)
    )
    return _view_rows(rows.fetchall(), now)


def list_thread(
    db: sqlite3.Connection, thread: str, reader: Reader, now: int, after: int, limit: int, *, newest: bool = False
) -> list[Message]:
    """What somebody may read of a thread behind a seq, oldest first: the first `limit` of it, or the last."""
    rows = db.execute(
        f"SELECT seq {_READABLE} AND m.seq > ? ORDER BY seq {'DESC' if newest else 'ASC'} LIMIT ?",
        (thread, *reader, after, limit),
    )
    keys = [key for (key,) in rows]
    return read_messages(db, keys[::-1] if newest else keys, reader.agent, now)


def count_thread(db: sqlite3.Connection, thread: str, reader: Reader) -> int:
    """How many messages of a thread somebody may read."""
    return int(db.execute(f"SELECT count(*) {_READABLE}", (thread, *reader)).fetchone()[0])


def list_sent(db: sqlite3.Connection, room: int, sender: str, now: int, before: int, limit: int) -> list[Message]:
    """What an agent sent, newest first."""
    rows = db.execute(
        "SELECT seq FROM messages INDEXED BY messages_by_sender"
        " WHERE room = ? AND sender = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
        (room, sender, before, limit),
    )
    return read_messages(db, [key for (key,) in rows], 0, now)


def read_message(db: sqlite3.Connection, seq: int, agent: int, now: int) -> Message:
    return read_messages(db, [seq], agent, now)[0]


def read_messages(db: sqlite3.Connection, keys: list[int], agent: int, now: int) -> list[Message]:
    """The messages with these seqs in this order, which CROSS JOIN keeps, with the facts of `agent`."""
    rows = db.execute(
        f"SELECT e.seq, {_FACTS}, e.payload, d.agent FROM json_each(?) AS r CROSS JOIN events AS e ON e.seq = r.value"
        " LEFT JOIN deliveries AS d ON d.message = e.seq AND d.agent = ?",
        (encode(keys), agent),
    ).fetchall()
    others = _everybodys(db, [row[0] for row in rows if row[-1] is None], now)
    told = [(seq, *(others[seq][0] if seq in others else facts), payload) for seq, *facts, payload, _ in rows]
    return [_of_all(one, others[one.seq][1]) if one.seq in others else one for one in _view_rows(told, now)]


def may_read(message: Message, name: str, operator: str) -> bool:
    """Bodies are for sender, recipients and the operator (DESIGN §6.2)."""
    return name in (message.from_, operator) or name in message.recipients


def _walk(index: str, clause: str, only: Only = EVERYTHING) -> str:
    """The query of one agent's deliveries in the order of an index: rows of `seq, _FACTS, payload`."""
    narrowed = "" if only == EVERYTHING else " JOIN messages AS m ON m.seq = d.message"
    return (
        f"SELECT d.message AS seq, {_FACTS}, e.payload FROM deliveries AS d INDEXED BY {index}"
        f" JOIN events AS e ON e.seq = d.message{narrowed} WHERE d.agent = ? AND {clause}"
    )


def summary_of(body: str) -> str:
    """The first line of a body, for lists."""
    return clip(body.strip().split("\n", 1)[0].strip(), SUMMARY_CHARACTERS)


def open_summary(data: dict[str, Any]) -> str | None:
    """What of a direct message's summary is for everybody: what was written for lists, and not the body's own line."""
    summary: str = data["summary"]
    return None if summary == summary_of(data["body"]) else summary


def _view_rows(rows: Sequence[tuple[Any, ...]], now: int) -> list[Message]:
    """Messages of rows of `seq, _FACTS, payload`, in their order."""
    events = decode_payloads([row[-1] for row in rows])
    return [_view(row, event, now) for row, event in zip(rows, events, strict=True)]


def _view(row: tuple[Any, ...], event: dict[str, Any], now: int) -> Message:
    """What is due counts as expired before it is recorded.

    The event says everything but the facts, so the row of `messages` is not read for it.
    """
    seq, notified_at, delivered_at, handled_at, expired_at, expired_reason, _ = row
    data, sent_at = event["data"], event["time"]
    expires_at = data["expires_at"]
    if expired_at is None and handled_at is None and expires_at <= now:
        expired_at, expired_reason = expires_at, NOT_IN_TIME
    files = [Attachment(file["name"], file["size"], file["sha256"]) for file in data["attachments"]]
    return Message._make((
        data["id"], seq, data["from"], data["audience"], data["to"], data["recipients"], data["summary"], data["body"],
        data["reply_to"], data["thread"], sent_at, files, sent_at, notified_at, delivered_at, handled_at, expires_at,
        expired_at, expired_reason, None,
    ))  # fmt: skip


def _of_all(message: Message, reached: Reached) -> Message:
    """Not expired where somebody handled it."""
    if reached.expired < reached.recipients:
        message = message._replace(expired_at=None, expired_reason=None)
    return message._replace(reached=reached)


def _everybodys(db: sqlite3.Connection, keys: list[int], now: int) -> dict[int, tuple[list[Any], Reached]]:
    """For who is no recipient: the facts that hold for every recipient, with the time of the last, and the counts."""
    from relay_tui.room.stages import Reached

    if not keys:
        return {}
    facts = _FACTS.split(", ")
    held_by_all = (f"CASE WHEN count({fact}) = count(*) THEN max({fact}) END" for fact in facts)
    rows = db.execute(
        f"SELECT d.message, {', '.join(held_by_all)}, {_REACHED} FROM json_each(?) AS r"
        " CROSS JOIN deliveries AS d ON d.message = r.value GROUP BY d.message",
        (now, encode(keys)),
    )
    return {message: (said[: len(facts)], Reached._make(said[len(facts) :])) for message, *said in rows}
