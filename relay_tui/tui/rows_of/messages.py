"""Messages as rows: the stages at a glance, never one inferred from another. Details stand in `message_detail`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relay_tui.base.times import age
from relay_tui.room.stages import told_stage
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import Words
from relay_tui.tui.widgets.glyphs import STAGES, Glyphs
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from relay_tui.room.followups import OpenDelivery
    from relay_tui.room.mail import Message
    from relay_tui.room.receipts import Receipt

_STAGES = Column("stages", "stage", width=5)
_SUMMARY = Column("summary", "summary", minimum=14)
_AGE = Column("age", "age", width=4, number=True)

COLUMNS = (_STAGES, Column("who", "from → to", width=20), _SUMMARY, _AGE)
SENT_COLUMNS = (_STAGES, Column("reach", "how far", width=13, drop=1), Column("who", "to", width=12), _SUMMARY, _AGE)
PAST_COLUMNS = (_STAGES, Column("who", "from → to", width=16), Column("state", "state", width=9, drop=1), *COLUMNS[2:])
ARCHIVE_COLUMNS = (
    _STAGES._replace(drop=2),
    Column("who", "from", width=11),
    _SUMMARY,
    Column("reason", "why", width=19, drop=1),
    Column("expired", "expired", width=7, number=True),
)
OPEN_COLUMNS = (
    _STAGES,
    Column("who", "to", width=12),
    Column("state", "state", width=9, drop=2),
    _SUMMARY,
    Column("sent", "sent", width=4, number=True),
    Column("fetched", "fetched", width=7, number=True, drop=1),
)


def message_row(message: Message, now: int, glyphs: Glyphs) -> Row:
    """A message that somebody was sent, with that person's facts."""
    cells: tuple[Words, ...] = (
        glyphs.stages(own_stages(message)), who_to_whom(message, glyphs), _summary(message), age(message.sent_at, now),
    )  # fmt: skip
    return Row(message.id, cells, fields=_fields(message, told_stage(message)))


def past_row(message: Message, reader: str, now: int, glyphs: Glyphs) -> Row:
    """The same with its state in a word."""
    state = told_stage(message)
    cells: tuple[Words, ...] = (
        glyphs.stages(own_stages(message)), _counterpart(message, reader, glyphs), state, _summary(message),
        age(message.sent_at, now),
    )  # fmt: skip
    return Row(message.id, cells, fields=_fields(message, state))


def sent_row(message: Message, now: int, glyphs: Glyphs) -> Row:
    """A message that somebody sent: what all recipients reached as marks, the furthest that any did in words."""
    count = f" ({len(message.recipients):,})" if len(message.recipients) > 1 else ""
    cells: tuple[Words, ...] = (
        glyphs.stages(own_stages(message)), told_stage(message), addressed(message) + count, _summary(message),
        age(message.sent_at, now),
    )  # fmt: skip
    return Row(message.id, cells, fields=_fields(message, told_stage(message)))


def archive_row(message: Message, reader: str, now: int, glyphs: Glyphs) -> Row:
    expired_at = message.expired_at or message.expires_at
    cells: tuple[Words, ...] = (
        glyphs.stages(own_stages(message)), _counterpart(message, reader, glyphs), _summary(message),
        message.expired_reason or "", age(expired_at, now),
    )  # fmt: skip
    return Row(message.id, cells, fields=_fields(message, "expired"))


def open_row(one: OpenDelivery, now: int, glyphs: Glyphs) -> Row:
    """What one recipient has not handled, with the ages of its facts."""
    got = one.receipt
    fetched = age(got.delivered_at, now) if got.delivered_at else "never"
    cells: tuple[Words, ...] = (
        glyphs.stages(own_stages(got)), got.agent, glyphs.agent(got.agent_state), one.summary, age(got.stored_at, now),
        fetched,
    )  # fmt: skip
    return Row(f"{one.id} {got.agent}", cells, fields={"stage": got.stage})


def own_stages(facts: Message | Receipt) -> dict[str, int | None]:
    """The facts of whoever reads; for who was not sent it, those of all recipients."""
    return {stage: getattr(facts, f"{stage}_at") for stage in STAGES}


def who_to_whom(message: Message, glyphs: Glyphs) -> str:
    return f"{message.from_} {glyphs.arrow} {addressed(message)}"


def _counterpart(message: Message, reader: str, glyphs: Glyphs) -> str:
    """The other side alone, where whoever reads is one of the two."""
    if message.from_ == reader:
        return f"{glyphs.arrow} {addressed(message)}"
    return message.from_ if message.to == reader else who_to_whom(message, glyphs)


def addressed(message: Message) -> str:
    return message.to if message.to else ", ".join(message.recipients)


def mailbox_note(page: int, unhandled: int, shown: int, more: bool) -> str:
    """What the list leaves out, and the keys that show it."""
    place = f"page {page}" if page > 1 else ""
    counted = f"the first {shown:,} of {unhandled:,}" if page == 1 and more and unhandled > shown else ""
    keys = " ".join(key for key, there in (("<", page > 1), (">", more)) if there)
    return " · ".join(part for part in (place or counted, f"{keys} turns" if keys else "") if part)


def _summary(message: Message) -> str:
    return message.summary + (" (attached)" if message.attachments else "")


def _fields(message: Message, state: str) -> dict[str, str]:
    """What `/` looks for besides the cells; the body too."""
    return {"from": message.from_, "to": addressed(message), "state": state, "body": message.body or ""}
