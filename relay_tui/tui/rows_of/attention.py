"""What needs the person, as rows and details. Pure functions of what was read and the moment."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import inert
from relay_tui.base.times import age, local_date
from relay_tui.tui.columns import Column
from relay_tui.tui.content import Words, block, facts, lines
from relay_tui.tui.glyphs import Glyphs
from relay_tui.tui.rows import Row

if TYPE_CHECKING:
    from relay_tui.room.attention import AttentionItem

COLUMNS = (
    Column("kind", "", width=16),
    Column("subject", "what", minimum=14),
    Column("text", "why", minimum=12, drop=1),
    Column("since", "since", width=5, number=True),
)


def item_row(item: AttentionItem, now: int, glyphs: Glyphs) -> Row:
    since = age(item.since, now) if item.since else ""
    cells: tuple[Words, ...] = (glyphs.attention(item.kind), item.subject, item.text, since)
    return Row(item.id, cells, fields={"kind": item.kind})


def item_detail(item: AttentionItem, now: int, glyphs: Glyphs, width: int = 0) -> Content:
    """Why it needs somebody, and the line that settles it."""
    since = f"{local_date(item.since)}, {age(item.since, now)} ago" if item.since else "not known"
    title = Content.assemble(glyphs.attention(item.kind), "   ", (inert(item.subject), "bold"))
    pairs: list[tuple[str, Words]] = [("since", since), ("settle", shlex.join(item.command))]
    return lines([title, "", block(item.text), "", facts(pairs, width)])
