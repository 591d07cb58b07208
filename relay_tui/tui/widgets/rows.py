"""One row of a list: what it is, when two look the same, and a line of it drawn as a strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.text import Text
from textual.content import Content
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from relay_tui.tui.widgets.columns import GUTTER
from relay_tui.tui.widgets.content import Words, block

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

# The parts of a line that the stylesheet draws. Textual styles each anew with its list, so they are few: a heading is
# quiet and strong, a marked row strong, and what an empty list says quiet.
QUIET_PART, STRONG_PART, CURSOR_PART = "row-list--quiet", "row-list--strong", "row-list--cursor"


class Row(NamedTuple):
    """A line with an id that outlives refreshes. A heading shows its first cell and takes no cursor.

    `fields` are words that `/` can look for besides the cells (`state:stale`).
    """

    id: str
    cells: tuple[Words, ...]
    heading: bool = False
    fields: Mapping[str, str] | None = None


def heading(text: str) -> Row:
    """The line above a section; its text is its id."""
    return Row(f"heading:{text}", (text,), heading=True)


def looks_same(old: Row, new: Row) -> bool:
    """Whether the new row needs no paint where the old one stood."""
    return (
        old.id == new.id
        and old.heading == new.heading
        and len(old.cells) == len(new.cells)
        and all(map(_same_words, old.cells, new.cells))
    )


def drawn(widget: Widget, content: Content, style: Style, width: int) -> Strip:
    """A line of exactly `width` cells, the styles of its spans resolved against the theme."""
    parse_style = widget.app.stylesheet.parse_style
    segments = [
        Segment(text, (style + span_style).rich_style)
        for text, span_style in content.render(style, end="", parse_style=parse_style)
    ]
    return Strip(segments, content.cell_length).crop_extend(0, width, style.rich_style)


class EmptyWords:
    """What an empty list says, below an empty line; wrapped once for a width, not for every line."""

    def __init__(self, words: Words) -> None:
        self._words = block(words)
        self._width = 0
        self._lines: list[Content] = []

    def drawn(self, widget: Widget, y: int, width: int) -> Strip:
        """Line `y` of the list."""
        if self._words and width != self._width:
            self._width, self._lines = width, self._words.wrap(max(width - GUTTER, 1))
        style = widget.get_visual_style(QUIET_PART)
        if not 0 < y <= len(self._lines):
            return Strip.blank(width, style.rich_style)
        return drawn(widget, Content.assemble(" " * GUTTER, self._lines[y - 1]), style, width)


def line_style(widget: Widget, names: Sequence[str], is_cursor: bool) -> Style:
    """The style of a line by the names of its parts."""
    if not is_cursor:
        return widget.get_visual_style(*names)
    # get_visual_style leaves `reverse` out, and without colour the cursor needs it
    reverse = widget.get_component_styles(CURSOR_PART).text_style.reverse
    return widget.get_visual_style(*names, CURSOR_PART) + Style(reverse=reverse)


def _same_words(old: Words, new: Words) -> bool:
    """`Content` compares by its text alone, so styles are compared here."""
    if isinstance(old, Content) and isinstance(new, Content):
        return old.is_same(new)
    if isinstance(old, Text) and isinstance(new, Text):
        return old == new and old.style == new.style
    return isinstance(old, str) and isinstance(new, str) and old == new
