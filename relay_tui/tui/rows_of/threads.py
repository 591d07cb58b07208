"""A whole thread in the detail, oldest first. Pure; reading one changes no fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import inert
from relay_tui.base.times import age
from relay_tui.room.stages import told_stage
from relay_tui.tui.rows_of.message_detail import body_lines
from relay_tui.tui.rows_of.messages import own_stages, who_to_whom
from relay_tui.tui.widgets.content import Words, lines
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs

if TYPE_CHECKING:
    from relay_tui.room.mail import Message

MESSAGES_SHOWN = 50
LINES_SHOWN = 60  # of one body


def thread_detail(thread: Sequence[Message], size: int, here: str, now: int, glyphs: Glyphs) -> Content:
    """`thread` is the end of `size` messages."""
    order = "oldest first" if size > 1 else "nobody has answered"
    parts: list[Words] = [Content.assemble((f"thread of {size:,}", "$accent"), (f"  {order}", QUIET)), ""]
    if size > len(thread):
        parts += [Content.styled(f"{size - len(thread):,} earlier; Y copies the line that prints them", QUIET), ""]
    for message in thread:
        parts += [*_message(message, message.id == here, now, glyphs), ""]
    return lines(parts[:-1])


def _message(message: Message, is_here: bool, now: int, glyphs: Glyphs) -> list[Words]:
    mark = (f"{glyphs.cursor} " if is_here else "  ", "$accent")
    who = (inert(who_to_whom(message, glyphs)), "bold")
    since = (f"  {age(message.sent_at, now)} ago  ", QUIET)
    head = Content.assemble(mark, who, since, glyphs.stages(own_stages(message)), (f" {told_stage(message)}", QUIET))
    files = [f"{len(message.attachments):,} attached"] if message.attachments else []
    return [head, *_indented([*body_lines(message), *files])]


def _indented(parts: Sequence[Words]) -> list[Content]:
    """Two cells in, so that who says what stands out; a very long body is cut, and says so."""
    said = lines(parts).split("\n", allow_blank=True)
    shown = [Content.assemble("  ", line) for line in said[:LINES_SHOWN]]
    if len(said) > LINES_SHOWN:
        shown.append(Content.styled(f"  and {len(said) - LINES_SHOWN:,} lines more", QUIET))
    return shown
