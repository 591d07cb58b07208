"""What each view of the inbox reads: a page of messages with what their rows need. No view changes a fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from relay_tui.room.cursors import make_cursor, parse_cursor
from relay_tui.room.followups import list_unhandled
from relay_tui.room.ledger import LAST
from relay_tui.room.mail import Mailbox, Message
from relay_tui.room.mailbox import peek_inbox, read_archive, read_history, read_outbox
from relay_tui.room.search import search_indexed
from relay_tui.tui.readings.mail_views import ARCHIVE, FOLLOWUP, HISTORY, OF, OUTBOX, SEARCH, UNHANDLED

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.followups import OpenDelivery
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

SHOWN = 200  # messages on a page


class Wanted(NamedTuple):
    """A view; whose mailbox `OF` shows, what `SEARCH` looks for, and the cursor behind the page before."""

    view: int
    of: str = ""
    text: str = ""
    cursor: str | None = None


class MailPage(NamedTuple):
    """`open` are `FOLLOWUP`'s rows.

    `older` follows `messages` in `OF`: what is settled, newest first.
    """

    messages: Sequence[Message] = ()
    unhandled: int = 0
    next: str | None = None
    open: Sequence[OpenDelivery] = ()
    older: Sequence[Message] = ()


def read_page(room: Room, me: Actor, wanted: Wanted) -> MailPage:
    """Raises what reading raises."""
    if wanted.view == FOLLOWUP:
        return MailPage(open=list_unhandled(room, me, None).open)
    if wanted.view == OF:
        return _mailbox_of(room, wanted.of)
    found = _read(room, me.name, wanted)
    return MailPage(found.messages, found.unhandled, found.next)


def _read(room: Room, name: str, wanted: Wanted) -> Mailbox:
    cursor = parse_cursor(wanted.cursor)
    if wanted.view == UNHANDLED:
        return peek_inbox(room, name, after=cursor.seq, limit=SHOWN, bodies=True)
    if wanted.view == SEARCH:
        return search_indexed(room, name, wanted.text, before=cursor.seq or LAST, limit=SHOWN)
    read = {OUTBOX: read_outbox, HISTORY: read_history, ARCHIVE: read_archive}[wanted.view]
    return read(room, name, before=cursor.seq or LAST, limit=SHOWN)


def _mailbox_of(room: Room, name: str) -> MailPage:
    """What somebody has not handled, and then what it was sent before; without a fact or a sign."""
    waiting = peek_inbox(room, name, limit=SHOWN, bodies=True)
    past = read_history(room, name, limit=SHOWN)
    settled = [message for message in past.messages if message.handled_at is not None or message.expired_at is not None]
    return MailPage(waiting.messages, waiting.unhandled, waiting.next, older=settled)


def cursor_behind(message: Message) -> str:
    """The cursor of a list of unhandled messages that ends with this one."""
    return make_cursor(message.seq)
