"""Messages as rows and details: the four stages with their meaning, never one inferred from another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import inert
from relay_tui.base.times import age, iso, local_date, local_time
from relay_tui.tui.columns import Column
from relay_tui.tui.content import Words, block, hung, lines
from relay_tui.tui.glyphs import QUIET, STAGE_MEANINGS, STAGES, Glyphs
from relay_tui.tui.rows import Row

if TYPE_CHECKING:
    from relay_tui.room.mail import Message
    from relay_tui.room.receipts import Receipt, Receipts

COLUMNS = (
    Column("stages", "stage", width=5),
    Column("who", "from → to", width=20),
    Column("summary", "summary", minimum=16),
    Column("age", "age", width=4, number=True),
)
SENT_COLUMNS = (Column("who", "to", width=24), *COLUMNS[2:])
RECEIPTS_SHOWN = 20
_WORD_WIDTH = 12  # of a stage with its mark
_MEANING_WIDTH = 25


def message_row(message: Message, now: int, glyphs: Glyphs) -> Row:
    """A message that somebody was sent, with that person's facts."""
    reached = {stage: getattr(message, f"{stage}_at") for stage in STAGES}
    who = f"{message.from_} {glyphs.arrow} {_addressed(message)}"
    cells: tuple[Words, ...] = (glyphs.stages(reached), who, _summary(message), age(message.sent_at, now))
    state = next((stage for stage in reversed(STAGES) if reached[stage]), "stored")
    return Row(message.id, cells, fields={"from": message.from_, "state": "expired" if message.expired_at else state})


def sent_row(message: Message, now: int, glyphs: Glyphs) -> Row:
    """A message that somebody sent; how far it got with each recipient stands in the detail."""
    count = f" ({len(message.recipients)})" if len(message.recipients) > 1 else ""
    return Row(message.id, (_addressed(message) + count, _summary(message), age(message.sent_at, now)))


def _addressed(message: Message) -> str:
    return message.to if message.to else ", ".join(message.recipients)


def _summary(message: Message) -> str:
    return message.summary + (" (attached)" if message.attachments else "")


def message_detail(
    message: Message, receipts: Receipts, reader: str, me: str, now: int, glyphs: Glyphs, width: int = 0
) -> Content:
    """Sender and recipients, the time, the body, and how far it got; `reader`'s own stages stand first."""
    who = f"{inert(message.from_)} {glyphs.arrow} {inert(_addressed(message))}"
    at = f"{local_date(message.sent_at)} local · {iso(message.sent_at)[11:16]}Z · {age(message.sent_at, now)} ago"
    parts: list[Words] = [
        Content.styled(who, "bold"), Content.styled(at, QUIET), "",
    ]  # fmt: skip
    body = "The body is for sender, recipients and operator." if message.body is None else message.body.strip("\n")
    if body.split("\n")[0].strip() != message.summary.strip():
        parts.append(Content.styled(inert(message.summary), "$accent"))
    parts += [block(body), ""]
    parts += [f"attached: {file.name} ({file.size:,} bytes)" for file in message.attachments]
    return lines([*parts, *_reached(receipts, reader, me, glyphs, width), "", counts_line(receipts)])


def counts_line(receipts: Receipts) -> Content:
    """The cumulative counts of `relay receipt`."""
    counts = receipts.counts
    plural = "recipient" if counts.recipients == 1 else "recipients"
    told = [f"{getattr(counts, word):,} {word}" for word in (*STAGES, "expired", "missing")]
    return Content.styled(" · ".join([f"{counts.recipients:,} {plural}", *told]), QUIET)


def _reached(receipts: Receipts, reader: str, me: str, glyphs: Glyphs, width: int) -> list[Content]:
    """The reader's own stages in full, or the only recipient's; then a line for each of the others."""
    found = receipts.recipients
    own = next((one for one in found if one.agent == reader), found[0] if len(found) == 1 else None)
    parts = stage_lines(own, own.agent == me, glyphs, width) if own else _meanings(glyphs)
    others = [one for one in found if one is not own]
    if others:
        parts += [Content(""), *(_receipt_line(one, glyphs) for one in others[:RECEIPTS_SHOWN])]
    if len(others) > RECEIPTS_SHOWN:
        parts.append(Content(f"and {len(others) - RECEIPTS_SHOWN:,} more: relay receipt {receipts.id}"))
    return parts


def stage_lines(receipt: Receipt, is_own: bool, glyphs: Glyphs, width: int = 0) -> list[Content]:
    """`① Stored  durable in the ledger  done 09:54:07`, one line for each of the four."""
    rows = []
    for stage in STAGES:
        at: int | None = getattr(receipt, f"{stage}_at")
        meaning = Content.styled(inert(_meaning(stage, receipt)), QUIET)
        outcome = _outcome(stage, at, is_own)
        room = width - _WORD_WIDTH - _MEANING_WIDTH - 1
        told = Content.assemble(meaning.pad_right(max(_MEANING_WIDTH - meaning.cell_length, 0)), f" {outcome}")
        if room + _WORD_WIDTH > 0 and room < len(outcome):
            told = Content.assemble(outcome, "\n", meaning)
        rows.append(hung(_word(stage, at is not None, glyphs), told, width))
    if receipt.expired_at is not None:
        why = f"expired {local_time(receipt.expired_at)}: {inert(receipt.expired_reason or '')}"
        rows.append(Content.styled(why, "$warning"))
    if receipt.note:
        rows.append(hung(Content.styled("note".ljust(_WORD_WIDTH), QUIET), receipt.note, width))
    return rows


def _meanings(glyphs: Glyphs) -> list[Content]:
    """What the marks of the others mean."""
    return [Content.assemble(_word(stage, True, glyphs), (STAGE_MEANINGS[stage], QUIET)) for stage in STAGES]


def _word(stage: str, is_done: bool, glyphs: Glyphs) -> Content:
    word = glyphs.stage_line(stage, is_done)
    return word.pad_right(max(_WORD_WIDTH - word.cell_length, 1))


def _meaning(stage: str, receipt: Receipt) -> str:
    if stage == "notified" and receipt.notified_by:
        return f"the runner was told ({receipt.notified_by})"
    if stage == "delivered" and receipt.delivered_session:
        return f"fetched, session {receipt.delivered_session}"
    if stage == "handled" and receipt.handled_session:
        return f"acked, session {receipt.handled_session}"
    return STAGE_MEANINGS[stage]


def _outcome(stage: str, at: int | None, is_own: bool) -> str:
    if at is not None:
        return f"done {local_time(at)}"
    if stage == "handled":
        return "you decide: a" if is_own else "the agent decides"
    return "not yet"


def _receipt_line(receipt: Receipt, glyphs: Glyphs) -> Content:
    reached = {stage: getattr(receipt, f"{stage}_at") for stage in STAGES}
    return Content.assemble(
        glyphs.stages(reached), f" {inert(receipt.agent)}", (f"   {receipt.stage}, {receipt.agent_state}", QUIET)
    )


def mailbox_note(reader: str, me: str, unhandled: int, shown: int) -> str:
    """Whose mailbox it is, where it is not one's own, and what the list leaves out."""
    if reader != me:
        return f"{reader}'s mailbox, {unhandled:,} unhandled · looking changes nothing"
    return f"the first {shown:,} of {unhandled:,}" if unhandled > shown else ""
