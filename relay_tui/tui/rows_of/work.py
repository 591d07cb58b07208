"""Items of work as rows and details. Pure functions of what was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import inert
from relay_tui.tui.columns import Column
from relay_tui.tui.content import Words, facts, lines
from relay_tui.tui.glyphs import Glyphs
from relay_tui.tui.rows import Row

if TYPE_CHECKING:
    from relay_tui.room.work import Item

COLUMNS = (
    Column("status", "status", width=13),
    Column("title", "item", minimum=20),
    Column("progress", "", width=15, drop=2),
    Column("owner", "owner", width=12, drop=1),
    Column("id", "id", width=5, drop=3),
)


def item_rows(items: Iterable[Item], glyphs: Glyphs, depth: int = 0) -> Iterator[tuple[Row, Item]]:
    """The tree from the top, each level two cells further in."""
    for item in items:
        progress = glyphs.progress(item.progress) if item.children else ""
        title = Content(inert("  " * depth + item.title))
        yield Row(item.id, (glyphs.work(item.status), title, progress, item.owner or "", item.id)), item
        yield from item_rows(item.children, glyphs, depth + 1)


def item_detail(item: Item, glyphs: Glyphs, width: int = 0) -> Content:
    """Everything that the room knows of an item."""
    source = f"{item.source.file}:{item.source.line}" if item.source else None
    pairs: list[tuple[str, Words | None]] = [
        ("status", glyphs.work(item.status)),
        ("kind", item.kind),
        ("progress", f"{item.done:,} of {item.leaves:,} done" if item.children else None),
        ("owner", item.owner),
        ("priority", item.priority),
        ("labels", ", ".join(item.labels)),
        ("branch", item.branch),
        ("due", item.due),
        ("waits for", ", ".join(item.blocked_by)),
        ("artifacts", "\n".join(item.artifacts)),
        ("from", source),
        ("note", item.note),
    ]
    title = Content.assemble((inert(item.id), "$accent"), "   ", (inert(item.title), "bold"))
    return lines([title, "", facts([(label, value) for label, value in pairs if value], width)])
