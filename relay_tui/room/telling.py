"""Messages that relay sends because something happened: an offer, an answer, a claim that was freed."""

from __future__ import annotations

from relay_tui.room.ledger import RELAY
from relay_tui.room.mail import summary_of
from relay_tui.room.messages import check_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.ledger import Transaction
    from relay_tui.room.rooms import Room


def because(reason: str | None) -> str:
    """The sentence that gives a reason, where there is one."""
    return f" Reason: {reason}" if reason else ""


def tell(
    tx: Transaction, room: Room, agent: int, body: str, *, sender: str | None = None, request: str | None = None
) -> str | None:
    """A message to one agent by its key, which may be in another room of the home; returns its id.

    From `relay`, or from `sender` where both are in this room; `request` is unique for a sender, so that nothing
    is told twice. None where nobody would read it. Raises `too_large`: a reason is as long as somebody made it.
    """
    check_size(body, "Shorten --reason.")
    room_key, room_id, name, standing = tx.db.execute(
        "SELECT r.key, r.id, a.name, a.standing FROM agents AS a JOIN rooms AS r ON r.key = a.room WHERE a.key = ?",
        (agent,),
    ).fetchone()
    if standing in ("left", "retired"):
        return None
    there = tx if room_key == tx.room else tx.elsewhere(room_key, room_id)
    author = sender if sender is not None and room_key == tx.room else RELAY
    message_id = room.draw_id(tx.db, "M", "messages")
    there.append("message.sent", {
        "id": message_id, "from": author, "audience": "direct", "to": name, "recipients": [name],
        "summary": summary_of(body), "body": body, "reply_to": None, "thread": message_id,
        "expires_at": tx.now + room.settings.direct_expiry, "request": request, "attachments": [],
    }, actor=None if author == tx.me.name else RELAY)  # fmt: skip
    return message_id
