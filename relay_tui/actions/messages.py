"""Actions on messages: sending, fetching, acknowledging, and the views that change nothing."""

from __future__ import annotations

from relay_tui.base.errors import RelayError, check_number
from relay_tui.base.times import parse_age
from relay_tui.room import mailbox
from relay_tui.room.cursors import LONGEST_PAGE, Cursor, parse_cursor
from relay_tui.room.ledger import LAST
from relay_tui.room.mail import EVERYTHING, PAGE, Only
from relay_tui.room.permissions import require_allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.room.attachments import Fetched
    from relay_tui.room.followups import FollowUp, Reconciled
    from relay_tui.room.ledger import Actor
    from relay_tui.room.mail import Mailbox
    from relay_tui.room.mailbox import Shown
    from relay_tui.room.messages import Acknowledged, Sent
    from relay_tui.room.receipts import Receipts
    from relay_tui.room.rooms import Room
    from relay_tui.room.watching import Notice


def send(
    room: Room, me: Actor, *, message: str, to: str | None = None, summary: str | None = None,
    reply_to: str | None = None, attach: list[str] | None = None, id: str | None = None,
) -> Sent:  # fmt: skip
    """Send a message to somebody, or in answer to one. '*' is everybody live.

    relay send --to claude-1 --message "Auth rewrite is ready"
    """
    from relay_tui.room import messages

    files: tuple[dict[str, object], ...] = ()
    if attach:
        from relay_tui.room.attachments import read_attachments

        files = read_attachments(room, attach)
    draft = messages.Draft(message, to, summary, reply_to, id, files)
    return messages.send(room, me, draft)


def inbox(
    room: Room, me: Actor, *, unread: bool = False, all_: bool = False, peek: bool = False, count: bool = False,
    of: str | None = None, from_: str | None = None, thread: str | None = None, older_than: str | None = None,
    limit: int = PAGE, since: str | None = None,
) -> Mailbox:  # fmt: skip
    """Fetch what you have not handled yet, oldest first. This delivers, and hides nothing.

    relay inbox --as claude-1
    """
    del unread  # the default, spelled out
    check_number("--limit", limit, most=LONGEST_PAGE)
    cursor = parse_cursor(since, newest=all_)
    of = None if of == me.name else of  # one's own bodies are delivered
    name = _mailbox_of(room, me, of)
    before = None if older_than is None else room.clock() - parse_age(older_than)
    only = Only(from_, thread, before)
    if only == EVERYTHING:
        only = cursor.only
    if count:
        return mailbox.count_inbox(room, name, only)
    if peek or of is not None:
        bodies = of is not None
        return mailbox.peek_inbox(room, name, only=only, after=cursor.seq, limit=limit, everything=all_, bodies=bodies)
    return mailbox.poll_inbox(room, me, only=only, after=cursor.seq, limit=limit, everything=all_)


def show(room: Room, me: Actor, id: str) -> Shown:
    """One message in full; if it is yours, this delivers it.

    relay show M3k9zq4t
    """
    return mailbox.show_message(room, me, id)


def ack(
    room: Room, me: Actor, ids: list[str] | None = None, *, through: str | None = None, all_: bool = False,
    note: str | None = None,
) -> Acknowledged:  # fmt: skip
    """Say that you have handled messages; only a recipient can.

    relay ack M3k9zq4t --note "merged"
    """
    from relay_tui.room import messages

    if [bool(ids), through is not None, all_].count(True) != 1:
        raise RelayError("usage", "Say which messages you have handled.", "Give ids, or --through CURSOR, or --all.")
    if ids:
        return messages.acknowledge(room, me, ids, note)
    cursor = Cursor(LAST, EVERYTHING) if all_ else parse_cursor(through, newest=False)
    return messages.acknowledge_through(room, me, cursor.seq, cursor.only, note, fetched=all_)


def receipt(room: Room, me: Actor | None, id: str) -> Receipts:
    """How far a message got with each recipient. Stored, notified, delivered, handled are four facts.

    relay receipt M3k9zq4t
    """
    from relay_tui.room.receipts import read_receipts

    return read_receipts(room, id, me.name if me else None)


def thread(room: Room, me: Actor, id: str, *, limit: int = PAGE, since: str | None = None) -> Mailbox:
    """The exchange that a message stands in, oldest first. This delivers nothing.

    relay thread M3k9zq4t
    """
    check_number("--limit", limit, most=LONGEST_PAGE)
    return mailbox.read_thread(room, me.name, id, after=parse_cursor(since, newest=False).seq, limit=limit)


def outbox(room: Room, me: Actor, *, limit: int = PAGE, since: str | None = None) -> Mailbox:
    """What you sent, newest first.

    relay outbox --limit 10
    """
    check_number("--limit", limit, most=LONGEST_PAGE)
    return mailbox.read_outbox(room, me.name, before=parse_cursor(since, newest=True).seq, limit=limit)


def history(room: Room, me: Actor, *, limit: int = PAGE, since: str | None = None) -> Mailbox:
    """Everything you were sent, newest first. It includes what was handled and what expired.

    relay history --limit 10
    """
    check_number("--limit", limit, most=LONGEST_PAGE)
    return mailbox.read_history(room, me.name, before=parse_cursor(since, newest=True).seq, limit=limit)


def archive(room: Room, me: Actor, *, limit: int = PAGE, since: str | None = None) -> Mailbox:
    """What expired before you handled it, newest first. Each can still be shown and answered.

    relay archive --limit 10
    """
    check_number("--limit", limit, most=LONGEST_PAGE)
    return mailbox.read_archive(room, me.name, before=parse_cursor(since, newest=True).seq, limit=limit)


def search(room: Room, me: Actor, text: str, *, limit: int = PAGE, since: str | None = None) -> Mailbox:
    """Messages of yours that hold every word, newest first. This delivers nothing.

    relay search "auth rewrite"
    """
    from relay_tui.room.search import search_messages

    check_number("--limit", limit, most=LONGEST_PAGE)
    return search_messages(room, me.name, text, before=parse_cursor(since, newest=True).seq, limit=limit)


def followup(room: Room, me: Actor, *, older_than: str | None = None, remind: bool = False) -> FollowUp:
    """What you sent that is still unhandled, and since when. --remind sends one reply each, once a day.

    relay followup --older-than 1h --remind
    """
    from relay_tui.room import followups

    age = None if older_than is None else parse_age(older_than)
    return followups.remind(room, me, age) if remind else followups.list_unhandled(room, me, age)


def reconcile(room: Room, me: Actor, *, take: list[str] | None = None, handled: list[str] | None = None) -> Reconciled:
    """What another session of yours fetched and never handled. This one can take it over knowingly.

    relay reconcile --take M3k9zq4t
    """
    from relay_tui.room import followups

    return followups.reconcile(room, me, take or [], handled or [])


def fetch(room: Room, me: Actor, id: str, *, out: str | None = None, force: bool = False) -> Fetched:
    """Write a message's attachments into a folder. --force writes over existing files.

    relay fetch M3k9zq4t --out downloads
    """
    from relay_tui.room.attachments import fetch_attachments

    return fetch_attachments(room, me.name, id, out or ".", force=force)


def watch(room: Room, me: Actor, *, since: str | None = None, timeout: str | None = None) -> Iterator[Notice]:
    """Print a line for each message as it arrives. With --timeout, end once some came. Notifies, never delivers.

    relay watch --as claude-1 --timeout 10m
    """
    from relay_tui.room.watching import watch_inbox

    after = None if since is None else parse_cursor(since, newest=False).seq
    return watch_inbox(room, me, after=after, timeout=None if timeout is None else parse_age(timeout))


def _mailbox_of(room: Room, me: Actor, of: str | None) -> str:
    """Whose mailbox is read. Raises `not_operator` where somebody else asks for another's."""
    if of is None:
        return me.name
    require_allowed(me, "inbox --of", room.row.operator)
    return of
