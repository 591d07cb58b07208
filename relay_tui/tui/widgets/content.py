"""The widgets' edge: what a cell, a line or a body may be, and how it becomes harmless `Content` of a sure width.

A plain string is always literal text, never markup. Layout and widgets stand elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from rich.text import Text
from textual.content import Content

from relay_tui.base.text import clip, inert, inert_block
from relay_tui.tui.widgets.glyphs import QUIET

Words = str | Text | Content
_T = TypeVar("_T")

# Characters. Measuring or wrapping a text of a megabyte takes seconds, and a room may hold older ones of any length.
LINE_SHOWN = 1000  # of one line; no terminal is as wide
MOST_SHOWN = 4096  # of one text behind its label: as long as one may be now that is no message

# What makes another picture of one, or one of several: some terminals draw that one cell wide, some two and some
# four. Without it each picture stands for itself, and is as wide in all of them.
_UNSTEADY = re.compile("(?<=.)(?:[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]|\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff]))+")


def one_line(words: Words) -> Content:
    """One line of text, controls shown as escapes. Styled words that were not clean lose their style."""
    return _cleaned(clip(words, LINE_SHOWN) if isinstance(words, str) else words[:LINE_SHOWN], inert)


def block(words: Words) -> Content:
    """Text of several lines, cleaned like `one_line` but for its line ends."""
    return _cleaned(words, inert_block)


def lines(parts: Iterable[Words]) -> Content:
    """Parts below one another."""
    return Content("\n").join([block(part) for part in parts])


def first_lines(things: Sequence[_T], most: int, draw: Callable[[_T], Words]) -> list[Words]:
    """A line for each of the first things, and how many there are besides."""
    more = len(things) - most
    return [*map(draw, things[:most]), *([Content.styled(f"  and {more:,} more", QUIET)] if more > 0 else [])]


def facts(pairs: Iterable[tuple[str, Words | None]], width: int = 0) -> Content:
    """`label  value` lines with the values aligned and the labels quiet; with `width` long values hang.

    A label without a value is left out.
    """
    rows = [(label, value) for label, value in pairs if value]
    indent = max((len(label) for label, _ in rows), default=0) + 2
    return Content("\n").join([hung(Content.styled(label.ljust(indent), QUIET), value, width) for label, value in rows])


def key_words(keys: Iterable[tuple[str, str]]) -> Content:
    """`a ack   m message`: keys, each with what it does."""
    return Content("   ").join([Content.assemble((key, "$accent"), f" {inert(words)}") for key, words in keys])


def hung(label: Content, value: Words, width: int = 0) -> Content:
    """A value behind its label; what does not fit in `width` goes on below the value, not below the label.

    Of a long plain string the beginning is shown; styled words are as long as who made them lets them be.
    """
    room = width - label.cell_length
    told = block(clip(value, MOST_SHOWN) if isinstance(value, str) else value)
    parts = told.wrap(room) if room > 0 else [*told.split("\n", allow_blank=True)]
    below = " " * label.cell_length
    return Content("\n").join(
        [Content.assemble(label if not place else below, part) for place, part in enumerate(parts)]
    )


def _cleaned(words: Words, clean: Callable[[str], str]) -> Content:
    if isinstance(words, str):
        return _steady(Content(clean(words)))
    plain = words.plain
    cleaned = clean(plain)
    if cleaned != plain:
        return _steady(Content(cleaned))
    return _steady(words if isinstance(words, Content) else Content.from_rich_text(words))


def _steady(content: Content) -> Content:
    """As wide as the terminal draws it, whichever that is: else what stands behind it is drawn in the wrong cells."""
    plain = content.plain
    if plain.isascii() or not _UNSTEADY.search(plain):
        return content
    edges = [0, *(edge for match in _UNSTEADY.finditer(plain) for edge in match.span()), len(plain)]
    return Content("").join([content[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)])
