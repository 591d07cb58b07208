"""A message in full: sender and recipients, body and files, and how far it got with each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import counted, inert, quote
from relay_tui.base.times import age, iso, local_date, local_moment
from relay_tui.tui.rows_of.messages import who_to_whom
from relay_tui.tui.widgets.content import LINE_SHOWN, Words, block, hung, lines
from relay_tui.tui.widgets.glyphs import QUIET, STAGE_MEANINGS, STAGES, Glyphs

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.mail import Attachment, Message
    from relay_tui.room.receipts import Receipt, ReceiptCounts, Receipts
else:
    from relay_tui.base.record import NamedTuple

RECEIPTS_SHOWN = 20
NOT_READABLE = "The body is for sender, recipients and operator."
_GAP = 3
_WORD_WIDTH = 12  # of a stage with its mark


def message_detail(
    message: Message, receipts: Receipts, reader: str, me: str, now: int, glyphs: Glyphs, width: int = 0,
    thread: int = 1, line: str = "",
) -> Content:  # fmt: skip
    """`reader`'s own stages stand in full, else the counts; `thread` is how many messages its thread has, and `line`
    prints every recipient."""
    parts: list[Words] = [*head_lines(message, now, glyphs, width, thread), "", *body_lines(message), ""]
    if message.attachments:
        parts += [*_file_lines(message.attachments), ""]
    return lines([*parts, *_reached(receipts, reader, me, now, glyphs, width, line)])


def head_lines(message: Message, now: int, glyphs: Glyphs, width: int = 0, thread: int = 1) -> list[Content]:
    """`codex-3 → claude-1   09:54 local · 09:54Z · 4m ago   thread of 3`; the time goes below where it is narrow."""
    who = Content.styled(inert(who_to_whom(message, glyphs)), "bold")
    at = Content.styled(_time(message.sent_at, now), QUIET)
    size = Content.styled(f"thread of {thread:,}" if thread > 1 else "", "$accent")
    if who.cell_length + at.cell_length + size.cell_length + 2 * _GAP <= width:
        return [_apart(Content.assemble(who, " " * _GAP, at), size, width)]
    if size and 0 < width < who.cell_length + _GAP + size.cell_length:
        return [who, size, at]
    return [_apart(who, size, width), at]


def body_lines(message: Message) -> list[Words]:
    """The summary, where the body does not begin with it, and the body."""
    body = NOT_READABLE if message.body is None else message.body.strip("\n")
    is_said = body.split("\n")[0].strip() == message.summary.strip()
    return [*([] if is_said else [Content.styled(inert(message.summary), "$accent")]), block(body)]


def count_lines(counts: ReceiptCounts, width: int = 0) -> Content:
    """The cumulative counts of `relay receipt`, in two lines where one is too long."""
    told = [f"{getattr(counts, word):,} {word}" for word in (*STAGES, "expired", "missing")]
    parts = [counted(counts.recipients, "recipient"), *told]
    whole = " · ".join(parts)
    if 0 < width < len(whole):
        whole = " ·\n".join((" · ".join(parts[:4]), " · ".join(parts[4:])))
    return Content.styled(whole, QUIET)


def _time(at: int, now: int) -> str:
    here, there = local_date(now), local_date(at)
    local = there[11:] if there[:10] == here[:10] else there
    return f"{local} local · {iso(at)[11:16]}Z · {age(at, now)} ago"


def _apart(left: Content, right: Content, width: int) -> Content:
    gap = max(width - left.cell_length - right.cell_length, _GAP)
    return Content.assemble(left, " " * gap, right) if right else left


def _file_lines(files: Sequence[Attachment]) -> list[Content]:
    names = [Content(inert(file.name)) for file in files]
    sizes = [counted(file.size, "byte") for file in files]
    widest, longest = max(name.cell_length for name in names), max(map(len, sizes))
    rows = [
        Content.assemble("  ", name.pad_right(widest - name.cell_length), "  ", (size.rjust(longest), QUIET))
        for name, size in zip(names, sizes, strict=True)
    ]
    return [Content.styled(f"{len(files):,} attached · F saves to a folder", QUIET), *rows]


# How far it got


def _reached(
    receipts: Receipts, reader: str, me: str, now: int, glyphs: Glyphs, width: int, line: str
) -> list[Content]:
    """The reader's own stages, or the only recipient's, else how many reached each; then who of the others did."""
    found = receipts.recipients
    own = next((one for one in found if one.agent == reader), found[0] if len(found) == 1 else None)
    stages = (
        stage_lines(own, own.agent == me, now, glyphs, width)
        if own
        else _counted_stages(receipts.counts, glyphs, width)
    )
    others = sorted((one for one in found if one is not own), key=_how_far)
    parts = [*stages, count_lines(receipts.counts, width)]
    if others:
        parts += [Content(""), *(_receipt_line(one, now, glyphs, width) for one in others[:RECEIPTS_SHOWN])]
    if len(others) > RECEIPTS_SHOWN:
        parts.append(Content(f"and {len(others) - RECEIPTS_SHOWN:,} more: {line}"))
    return parts


class _Stage(NamedTuple):
    """One of the four as it stands."""

    stage: str
    is_done: bool
    meaning: str
    outcome: str


def stage_lines(receipt: Receipt, is_own: bool, now: int, glyphs: Glyphs, width: int = 0) -> list[Content]:
    """`① Stored  durable in the ledger  done 09:54:07`, one line for each of the four."""
    stages = []
    for stage in STAGES:
        is_done = getattr(receipt, f"{stage}_at") is not None
        stages.append(_Stage(stage, is_done, _meaning(stage, receipt), _outcome(receipt, stage, is_own, now)))
    rows = _laid_out(stages, glyphs, width)
    if receipt.expired_at is not None:
        why = f"expired {local_moment(receipt.expired_at, now)}: {inert(receipt.expired_reason or '')}"
        rows.append(Content.styled(why, "$warning"))
    if receipt.note:
        rows.append(hung(Content.styled("note".ljust(_WORD_WIDTH), QUIET), receipt.note, width))
    return rows


def _counted_stages(counts: ReceiptCounts, glyphs: Glyphs, width: int) -> list[Content]:
    """The four stages with how many recipients reached each."""
    stages = []
    for stage in STAGES:
        count = getattr(counts, stage)
        waits = ": they decide" if stage == "handled" and count < counts.recipients else ""
        outcome = f"{count:,} of {counts.recipients:,}{waits}"
        stages.append(_Stage(stage, count == counts.recipients, STAGE_MEANINGS[stage], outcome))
    return _laid_out(stages, glyphs, width)


def _laid_out(stages: Sequence[_Stage], glyphs: Glyphs, width: int) -> list[Content]:
    """Meanings and outcomes side by side, or one below the other where the lines are too short for that."""
    means = [Content.styled(inert(one.meaning), QUIET) for one in stages]
    indent = max(one.cell_length for one in means) + 1
    is_narrow = 0 < width < _WORD_WIDTH + indent + max(len(one.outcome) for one in stages)
    rows = []
    for one, meaning in zip(stages, means, strict=True):
        word = glyphs.stage_line(one.stage, one.is_done)
        beside = Content.assemble(meaning.pad_right(indent - meaning.cell_length), one.outcome)
        told = Content.assemble(one.outcome, "\n", meaning) if is_narrow else beside
        rows.append(hung(word.pad_right(max(_WORD_WIDTH - word.cell_length, 1)), told, width))
    return rows


def _meaning(stage: str, receipt: Receipt) -> str:
    if stage == "notified" and receipt.notified_by:
        return f"runner told by {receipt.notified_by}"
    if stage == "delivered" and receipt.delivered_session:
        return f"fetched, session {receipt.delivered_session}"
    if stage == "handled" and receipt.handled_session:
        return f"acked, session {receipt.handled_session}"
    return STAGE_MEANINGS[stage]


def _outcome(receipt: Receipt, stage: str, is_own: bool, now: int) -> str:
    at: int | None = getattr(receipt, f"{stage}_at")
    if at is not None:
        return f"done {local_moment(at, now)}"
    if stage != "handled":
        return "not yet"
    if receipt.expired_at is not None:
        return "not in time"
    return "you decide: a" if is_own else "the agent decides"


def _how_far(receipt: Receipt) -> int:
    """Those who lag stand first."""
    return max(place for place, stage in enumerate(STAGES) if getattr(receipt, f"{stage}_at") is not None)


def _receipt_line(receipt: Receipt, now: int, glyphs: Glyphs, width: int) -> Content:
    """Who got how far and when; of one that has not fetched it, when it last fetched anything."""
    reached = {stage: getattr(receipt, f"{stage}_at") for stage in STAGES}
    at: int = receipt.expired_at if receipt.stage == "expired" else reached[receipt.stage]  # type: ignore[assignment]
    told = f"{receipt.stage} {age(at, now)} ago · {receipt.agent_state}"
    if receipt.delivered_at is None:
        fetched = receipt.last_fetched_at
        told += f", last fetched {age(fetched, now)} ago" if fetched is not None else ", never fetched"
    note = f"  {quote(receipt.note, LINE_SHOWN)}" if receipt.note else ""
    label = Content.assemble(glyphs.stages(reached), f" {inert(receipt.agent)}  ")
    return hung(label, Content.assemble((told, QUIET), note), width)
