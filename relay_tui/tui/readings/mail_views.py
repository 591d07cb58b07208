"""The views of the inbox: their names, their columns, their rows, and what each says when it is empty. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from relay_tui.tui.rows_of.messages import (
    ARCHIVE_COLUMNS,
    COLUMNS,
    OPEN_COLUMNS,
    PAST_COLUMNS,
    SENT_COLUMNS,
    archive_row,
    message_row,
    open_row,
    past_row,
    sent_row,
)
from relay_tui.tui.widgets.glyphs import Glyphs
from relay_tui.tui.widgets.rows import Row, heading

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from relay_tui.room.mail import Message
    from relay_tui.tui.readings.mail_pages import MailPage
    from relay_tui.tui.widgets.columns import Column
else:
    from relay_tui.base.record import NamedTuple

UNHANDLED, OUTBOX, FOLLOWUP, HISTORY, ARCHIVE, SEARCH, OF = range(7)


class View(NamedTuple):
    """One view, in the order of the constants above; `idle` are the keys that do nothing in it, by their ids."""

    name: str
    columns: Sequence[Column]
    empty: str
    idle: tuple[str, ...] = ()


_ACK = ("act.accept", "act.accept_all")
MAIL_VIEWS = (
    View(
        "unhandled", COLUMNS, "Nothing is unhandled.\nm writes to somebody. ] shows what you sent, and your history.",
        ("act.remind",),
    ),
    View("outbox", SENT_COLUMNS, 'You have sent nothing.\nm writes, or type :send --to NAME --message "…"', _ACK),
    View("followup", OPEN_COLUMNS, "Everything that you sent is handled or expired.\nm writes to somebody.", _ACK),
    View("history", PAST_COLUMNS, "Nobody has written to you yet.", ("act.remind", "act.accept_all")),
    View("archive", ARCHIVE_COLUMNS, "Nothing expired before you handled it.", ("act.remind", "act.accept_all")),
    View(
        "search", PAST_COLUMNS, "No message of yours has all of these words.\nesc goes back; / looks in a list.",
        ("act.remind", "act.accept_all"),
    ),
    View("of an agent", PAST_COLUMNS, "It was never sent anything.", ("act.remind", *_ACK)),
)  # fmt: skip


def rows_of_page(view: int, reader: str, page: MailPage, now: int, glyphs: Glyphs) -> list[tuple[Row, Any]]:
    """Rows, each with the message or the open delivery that it stands for; `reader` is whose mailbox it is."""
    if view == FOLLOWUP:
        return [(open_row(one, now, glyphs), one) for one in page.open]
    if view == OF:
        return [
            *_section("unhandled", page.messages, reader, now, glyphs),
            *_section("handled or expired", page.older, reader, now, glyphs),
        ]
    return [(_row(view, message, reader, now, glyphs), message) for message in page.messages]


def _row(view: int, message: Message, reader: str, now: int, glyphs: Glyphs) -> Row:
    if view == UNHANDLED:
        return message_row(message, now, glyphs)
    if view == ARCHIVE:
        return archive_row(message, reader, now, glyphs)
    if view == OUTBOX:
        return sent_row(message, now, glyphs)
    return past_row(message, reader, now, glyphs)


def _section(title: str, messages: Sequence[Message], reader: str, now: int, glyphs: Glyphs) -> list[tuple[Row, Any]]:
    if not messages:
        return []
    return [(heading(title), None), *((past_row(message, reader, now, glyphs), message) for message in messages)]
