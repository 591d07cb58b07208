"""Texts of the actions on messages."""

from __future__ import annotations

from relay_tui.base.text import counted, inert, inert_block, quote
from relay_tui.base.times import age, heard_from, local_date
from relay_tui.cli.texts.layout import ago, columns, more_follow
from relay_tui.room.presence import STATE_WORDS
from relay_tui.room.stages import told_stage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.room.attachments import Fetched
    from relay_tui.room.followups import FollowUp, Reconciled
    from relay_tui.room.mail import Mailbox, Message
    from relay_tui.room.mailbox import Shown
    from relay_tui.room.messages import Acknowledged, Recipient, Sent
    from relay_tui.room.receipts import Receipt, Receipts
    from relay_tui.room.watching import Notice

_NOTE_SHOWN = 4096  # characters: as many as one may have now; older rooms may hold longer ones
_NAMED = 5  # recipients told of one by one; more are counted


def send(sent: Sent, now: int) -> Iterator[str]:
    if sent.duplicate:
        yield f"{sent.id} was stored before; this retry sent nothing."
    else:
        yield f"{sent.id} stored for {counted(len(sent.recipients), 'recipient')}."
    for recipient in sent.recipients[:_NAMED]:
        yield f"  {_reach(recipient, now)}"
    if len(sent.recipients) > _NAMED:
        yield f"  and {len(sent.recipients) - _NAMED} more: relay receipt {sent.id}"


def inbox(mailbox: Mailbox, now: int) -> Iterator[str]:
    yield f"{inert(mailbox.agent)}: {mailbox.unhandled:,} unhandled"
    for message in mailbox.messages:
        yield ""
        yield from _message(message, now)
    if mailbox.next:
        yield ""
    yield from more_follow(mailbox.next)


def show(shown: Shown, now: int) -> Iterator[str]:
    yield from _message(shown.message, now)
    yield ""
    yield from columns(_stages(shown.message, now))


def ack(done: Acknowledged, now: int) -> Iterator[str]:
    if done.handled:
        yield f"Handled: {', '.join(done.handled)}"
    if done.already:
        yield f"Handled before: {', '.join(done.already)}"
    if not done.handled and not done.already:
        yield "Nothing that was fetched was left to handle." if done.doubts else "Nothing was left to handle."


def receipt(found: Receipts, now: int) -> Iterator[str]:
    said = "" if found.summary is None else f": {inert(found.summary)}"
    yield f"{found.id} from {inert(found.from_)}{said}"
    yield from columns([_receipt_row(one, now) for one in found.recipients], "  ")
    counts = found.counts
    yield (
        f"{counted(counts.recipients, 'recipient')} · {counts.stored} stored · {counts.notified} notified"
        f" · {counts.delivered} delivered · {counts.handled} handled · {counts.expired} expired"
        f" · {counts.missing} missing"
    )


def thread(mailbox: Mailbox, now: int) -> Iterator[str]:
    for place, message in enumerate(mailbox.messages):
        if place:
            yield ""
        yield from _message(message, now)
    if mailbox.next:
        yield ""
    yield from more_follow(mailbox.next)


def list_messages(mailbox: Mailbox, now: int) -> Iterator[str]:
    rows = [
        [
            message.id,
            f"{message.from_} → {message.to}",
            f"{age(message.sent_at, now)} ago",
            _furthest(message),
            message.summary,
        ]
        for message in mailbox.messages
    ]
    yield from columns(rows)
    if not rows:
        yield "Nothing here."
    yield from more_follow(mailbox.next)


outbox = history = search = list_messages


def archive(mailbox: Mailbox, now: int) -> Iterator[str]:
    yield from list_messages(mailbox, now)
    if mailbox.messages:
        yield "Each can still be shown and answered."


def followup(found: FollowUp, now: int) -> Iterator[str]:
    rows = [
        [one.id, got.agent, got.agent_state, f"stored {ago(got.stored_at, now)}",
         "not fetched" if got.delivered_at is None else f"fetched {age(got.delivered_at, now)} ago", one.summary]
        for one in found.open
        for got in (one.receipt,)
    ]  # fmt: skip
    yield from columns(rows)
    if not rows:
        yield "Nothing that you sent is open."
    if found.reminded:
        yield f"Reminded: {', '.join(found.reminded)}"


def reconcile(found: Reconciled, now: int) -> Iterator[str]:
    yield f"{inert(found.agent)}, session {inert(found.session or 'none')}"
    rows = [
        [one.id, one.from_, f"fetched {ago(one.delivered_at, now)} by session {one.delivered_session or 'unknown'}",
         one.summary]
        for one in found.deliveries
    ]  # fmt: skip
    yield from columns(rows, "  ")
    if found.taken:
        yield f"Taken: {', '.join(found.taken)}"
    if found.handled:
        yield f"Handled: {', '.join(found.handled)}"
    if not rows and not found.taken and not found.handled:
        yield "  Nothing that another session fetched is open."


def fetch(found: Fetched, now: int) -> Iterator[str]:
    yield from columns([[file.path, counted(file.size, "byte")] for file in found.files])
    if not found.files:
        yield f"{found.id} carries no files."


def watch(notice: Notice, now: int) -> Iterator[str]:
    yield f"{notice.id} from {inert(notice.from_)}: {inert(notice.summary)}"


def _message(message: Message, now: int) -> Iterator[str]:
    yield f"{message.id}  {inert(message.from_)} → {inert(message.to)}  {age(message.sent_at, now)} ago"
    yield f"    {inert(message.summary)}"
    if below := _below_summary(message):
        for line in inert_block(below).split("\n"):
            yield f"    │ {line}".rstrip()
    for file in message.attachments:
        yield f"    attached: {inert(file.name)} ({counted(file.size, 'byte')})"


def _below_summary(message: Message) -> str:
    """The body, without its first line where that is the summary."""
    body = (message.body or "").rstrip("\n")
    first, _, rest = body.strip().partition("\n")
    return rest if first.strip() == message.summary else body


def _stages(message: Message, now: int) -> list[list[str]]:
    facts = (
        ("stored", "durable in the ledger", message.stored_at),
        ("notified", "the runner was told", message.notified_at),
        ("delivered", "its recipient fetched the body", message.delivered_at),
        ("handled", "the recipient acknowledged it", message.handled_at),
    )
    return [[stage, meaning, _when(message, stage, at)] for stage, meaning, at in facts]


def _when(message: Message, stage: str, at: int | None) -> str:
    if at is not None:
        return local_date(at)
    if message.reached is None or not (count := getattr(message.reached, stage)):
        return "not yet"
    return f"{count:,} of {message.reached.recipients:,}"


def _furthest(message: Message) -> str:
    stage = told_stage(message)
    return f"expired, {message.expired_reason}" if stage == "expired" else stage


def _receipt_row(one: Receipt, now: int) -> list[str]:
    facts = [
        f"{word} {ago(at, now)}"
        for word, at in (
            ("stored", one.stored_at), ("notified", one.notified_at), ("delivered", one.delivered_at),
            ("handled", one.handled_at), ("expired", one.expired_at),
        )
        if at is not None
    ]  # fmt: skip
    note = quote(one.note, _NOTE_SHOWN) if one.note else ""
    return [one.agent, one.agent_state, ", ".join(facts), _last_fetched(one.last_fetched_at, now), note]


def _reach(recipient: Recipient, now: int) -> str:
    name = inert(recipient.agent)
    if recipient.agent_state == "live":
        return f"{name} is live, {_last_fetched(recipient.last_fetched_at, now)}"
    return f"{name} {STATE_WORDS[recipient.agent_state]}, {heard_from(recipient.last_seen, now)}"


def _last_fetched(at: int | None, now: int) -> str:
    return "never fetched" if at is None else f"last fetched {age(at, now)} ago"
