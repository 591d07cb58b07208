"""Sending, fetching and acknowledging: the four facts of every delivery (DESIGN §6.2).

Only `inbox` and `show` by the recipient deliver, only `ack` by the recipient handles. Nothing else here or
anywhere turns one fact into another.
"""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.names import unknown_agent
from relay_tui.base.text import counted, is_unicode
from relay_tui.room.agents import KnownAgent, agent_names, find_agent, read_fresh_signs, read_signs, require_actor
from relay_tui.room.finding import unknown_message
from relay_tui.room.ledger import read_data
from relay_tui.room.mail import SUMMARY_CHARACTERS, count_unhandled, find_message, open_ids, summary_of
from relay_tui.room.presence import STATE_WORDS, state_of
from relay_tui.room.rooms import DEFAULT_OPERATOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.mail import MessageRow, Only
    from relay_tui.room.presence import Sign
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

BODY_BYTES = 64 * 1024
EVERYBODY_LIVE = frozenset(("*", "all-live"))
EVERYBODY = frozenset(("*all", "all"))
_GOT_IT = """
SELECT 1 FROM deliveries WHERE message = ? AND agent = (SELECT key FROM agents WHERE room = ? AND name = ?)
"""
REMINDER = "remind:"  # begins the retry keys of reminders, which `followup` counts


class Recipient(NamedTuple):
    """What is true of a recipient at the moment of the send."""

    agent: str
    agent_state: str
    last_seen: int | None
    last_fetched_at: int | None


class Sent(NamedTuple):
    id: str
    seq: int
    duplicate: bool
    stored_at: int
    expires_at: int
    recipients: list[Recipient]


class Acknowledged(NamedTuple):
    """What is handled now, what was before; `doubts` say what was left out."""

    handled: list[str]
    already: list[str]
    doubts: tuple[str, ...] = ()


class Draft(NamedTuple):
    """A message as its sender wrote it. `request` is the retry key; `to` may be left to `reply_to`."""

    body: str
    to: str | None = None
    summary: str | None = None
    reply_to: str | None = None
    request: str | None = None
    attachments: tuple[dict[str, Any], ...] = ()


def send(room: Room, me: Actor, draft: Draft) -> Sent:
    """Store a message for recipients that are fixed now.

    The same `request` from the same sender is answered with the first result; with other content it raises
    `id_conflict`. Raises `unknown_agent`, `left`, `retired`, `no_recipients`, `invalid`, `too_large`.
    """
    check_draft(draft)
    if (draft.request or "").startswith(REMINDER):
        raise RelayError("usage", f"--id may not begin with '{REMINDER}', which reminders do.", "Take another --id.")
    with room.writing(me) as tx:
        require_actor(tx, room)
        earlier = _earlier(tx, room, draft)
        return store_message(tx, room, draft) if earlier is None else _sent_before(tx, room, earlier)


def store_message(tx: Transaction, room: Room, draft: Draft) -> Sent:
    """Append one `message.sent` with its recipients, and close the question it answers."""
    parent = _parent(tx, room, draft.reply_to)
    to = draft.to or (parent.sender if parent else None)
    if to is None:
        raise RelayError("usage", "A message needs somebody to go to.", "Add --to NAME, or --reply-to ID.")
    recipients = _recipients(tx, room, to)
    broadcast = to in EVERYBODY_LIVE or to in EVERYBODY
    lifetime = room.settings.broadcast_expiry if broadcast else room.settings.direct_expiry
    message_id, expires_at = room.draw_id(tx.db, "M", "messages"), tx.now + lifetime
    seq = tx.append("message.sent", {
        "id": message_id, "from": tx.me.name, "audience": "broadcast" if broadcast else "direct",
        "to": to, "recipients": [one.agent for one in recipients], "summary": draft.summary or summary_of(draft.body),
        "body": draft.body, "reply_to": parent.id if parent else None,
        "thread": parent.thread if parent else message_id, "expires_at": expires_at,
        "request": draft.request, "attachments": list(draft.attachments),
    })  # fmt: skip
    if parent is not None:
        from relay_tui.room.questions import close_by_reply

        close_by_reply(tx, parent.id)
    return Sent(message_id, seq, False, tx.now, expires_at, recipients)


def acknowledge(room: Room, me: Actor, ids: list[str], note: str | None) -> Acknowledged:
    """The recipient says that it has handled these. Raises `unknown_message`, and `not_yours` for another's mail."""
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        handled: list[str] = []
        already: list[str] = []
        for wanted in ids:
            message = find_message(tx.db, tx.room, wanted)
            row = tx.db.execute(
                "SELECT handled_at FROM deliveries WHERE message = ? AND agent = ?",
                (message.seq, actor.row.key),
            ).fetchone()
            if row is None:
                raise RelayError(
                    "not_yours",
                    f"{message.id} was not sent to {me.name}.",
                    "Only a recipient can acknowledge a message.",
                )
            target = already if row[0] is not None or message.id in handled else handled
            if message.id not in target:
                target.append(message.id)
        if handled:
            _handle(tx, actor, handled, note)
        return Acknowledged(handled, already)


def acknowledge_through(
    room: Room, me: Actor, seq: int, only: Only, note: str | None, *, fetched: bool = False
) -> Acknowledged:
    """The recipient has handled everything unhandled up to `seq` that `only` lets through.

    With `fetched` what was never delivered is left out: nobody handles mail that came after the last look.
    """
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        handled = open_ids(tx.db, actor.row.key, tx.now, seq, only, fetched=fetched)
        if handled:
            _handle(tx, actor, handled, note)
        left = count_unhandled(tx.db, actor.row.key, tx.now) if fetched else 0
        return Acknowledged(handled, [], (_not_fetched(left),) if left else ())


def _not_fetched(left: int) -> str:
    these = counted(left, "message was", "messages were")
    return f"{these} not fetched yet, and so {'is' if left == 1 else 'are'} left: relay inbox"


def check_draft(draft: Draft) -> None:
    """Raises `invalid` for an empty body or text that is not Unicode, `too_large` past the limits."""
    if not (is_unicode(draft.body) and is_unicode(draft.summary or "")):
        raise RelayError("invalid", "The message is not valid UTF-8.", "Convert it, or attach it.")
    if draft.request == "":
        raise RelayError("usage", "--id is empty.", "Give a retry key, or leave it out.")
    if not draft.body.strip():
        raise RelayError("invalid", "The message is empty.", "Say something with --message.")
    check_size(draft.body, "Attach it as a file with --attach.")
    if len(draft.summary or "") > SUMMARY_CHARACTERS:
        raise RelayError(
            "too_large",
            f"A summary may have at most {SUMMARY_CHARACTERS} characters.",
            "Put the rest in the message.",
        )


def check_size(body: str, way_out: str) -> None:
    """Raises `too_large` for more than a message may hold."""
    size = len(body.encode())
    if size > BODY_BYTES:
        raise RelayError(
            "too_large", f"The message has {size:,} bytes; it may have at most {BODY_BYTES:,}.", way_out
        )  # fmt: skip


def _handle(tx: Transaction, actor: KnownAgent, messages: list[str], note: str | None) -> None:
    tx.append("message.handled", {
        "agent": actor.row.name, "messages": messages, "note": note, "session": tx.me.session, "via": tx.me.via,
    })  # fmt: skip


def _parent(tx: Transaction, room: Room, reply_to: str | None) -> MessageRow | None:
    """The message that is answered; a question's id stands for the message that asked it.

    Raises `unknown_message` for what its sender may not read.
    """
    if reply_to is None:
        return None
    asked = reply_to
    if reply_to.startswith("Q"):
        from relay_tui.room.questions import message_that_asked

        asked = message_that_asked(tx.db, tx.room, reply_to)
    parent = find_message(tx.db, tx.room, asked)
    got_it = (parent.seq, tx.room, tx.me.name)
    if tx.me.name not in (parent.sender, room.row.operator) and tx.db.execute(_GOT_IT, got_it).fetchone() is None:
        raise unknown_message(reply_to)
    return parent


def _recipients(tx: Transaction, room: Room, to: str) -> list[Recipient]:
    """Whom the message is for, fixed now and never the sender. Raises `no_recipients` for nobody."""
    if to in EVERYBODY_LIVE or to in EVERYBODY:
        recipients = _live(tx, room) if to in EVERYBODY_LIVE else _present(tx, room)
        if not recipients:
            raise RelayError("no_recipients", "Nobody else is here to get this.", "Run: relay agents")
        return recipients
    if to == tx.me.name:
        raise RelayError("no_recipients", "A message to oneself reaches nobody.", "Name somebody else.")
    known = find_agent(tx.db, tx.room, to, tx.now, room.settings)
    if known is None:
        hint = f"The operator here is {room.operator}." if to == DEFAULT_OPERATOR else "Run: relay agents"
        raise unknown_agent(to, agent_names(tx.db, tx.room), hint)
    _refuse_unreachable(known)
    return [_recipient(known)]


def _refuse_unreachable(known: KnownAgent) -> None:
    name, standing = known.row.name, known.row.standing
    if standing in ("left", "retired"):
        raise RelayError(standing, f"{name} {STATE_WORDS[standing]}, so nobody would read this.", "Run: relay agents")


def _earlier(tx: Transaction, room: Room, draft: Draft) -> int | None:
    """The seq of the message that this request made before. Raises `id_conflict` if it said another thing."""
    if draft.request is None:
        return None
    row = tx.db.execute(
        "SELECT seq FROM messages WHERE room = ? AND sender = ? AND request = ?",
        (tx.room, tx.me.name, draft.request),
    ).fetchone()
    if row is None:
        return None
    before = read_data(tx.db, row[0])
    parent = _parent(tx, room, draft.reply_to)
    now_said = (
        draft.to or (parent.sender if parent else None), draft.summary or summary_of(draft.body), draft.body,
        parent.id if parent else None, list(draft.attachments),
    )  # fmt: skip
    said = (before["to"], before["summary"], before["body"], before["reply_to"], before["attachments"])
    if said != now_said:
        raise RelayError(
            "id_conflict",
            f"--id {draft.request} was used for another message ({before['id']}).",
            "Take a new --id for new content.",
            {"id": before["id"]},
        )
    return int(row[0])


def _sent_before(tx: Transaction, room: Room, seq: int) -> Sent:
    """The answer to a message that was stored earlier, with its recipients as they are now."""
    data = read_data(tx.db, seq)
    sent_at = tx.db.execute("SELECT sent_at FROM messages WHERE seq = ?", (seq,)).fetchone()[0]
    known = (find_agent(tx.db, tx.room, name, tx.now, room.settings) for name in data["recipients"])
    return Sent(data["id"], seq, True, sent_at, data["expires_at"], [_recipient(one) for one in known if one])


def _live(tx: Transaction, room: Room) -> list[Recipient]:
    fresh = read_fresh_signs(tx.db, tx.room, tx.now, tx.now - room.settings.live_window)
    return _others(tx, room, fresh, ("live",))


def _present(tx: Transaction, room: Room) -> list[Recipient]:
    return _others(tx, room, read_signs(tx.db, tx.room, tx.now), ("live", "quiet", "dormant"))


def _others(tx: Transaction, room: Room, signs: list[tuple[str, Sign]], wanted: tuple[str, ...]) -> list[Recipient]:
    """Everyone in one of these states but the sender, by name."""
    me, now, settings = tx.me.name, tx.now, room.settings
    return [
        Recipient._make((name, state, sign.last_seen, sign.last_fetched_at))
        for name, sign in signs
        if (state := state_of(sign, now, settings)) in wanted and name != me
    ]


def _recipient(known: KnownAgent) -> Recipient:
    return Recipient(known.row.name, known.state, known.sign.last_seen, known.sign.last_fetched_at)
