"""`RowList`: the one list widget, drawn line by line, whose cursor belongs to a row and not to a line.

It knows rows, columns, a cursor and marks. What rows mean, filters and details stand elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style

from relay_tui.tui.widgets.columns import GUTTER, Column, Fitted, fit, laid_out, measure
from relay_tui.tui.widgets.content import Words, one_line
from relay_tui.tui.widgets.glyphs import UNICODE, Glyphs
from relay_tui.tui.widgets.rows import (
    CURSOR_PART,
    QUIET_PART,
    STRONG_PART,
    EmptyWords,
    Row,
    drawn,
    line_style,
    looks_same,
)


class RowList(ScrollView, can_focus=True):
    """Rows with a cursor and marks; `replace` repaints only the lines that changed."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {QUIET_PART, STRONG_PART, CURSOR_PART}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", "Down", show=False, id="list.down"),
        Binding("up,k", "move(-1)", "Up", show=False, id="list.up"),
        Binding("ctrl+d", "page(0.5)", "Half a page down", show=False, id="list.half_down"),
        Binding("ctrl+u", "page(-0.5)", "Half a page up", show=False, id="list.half_up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="list.page_down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="list.page_up"),
        Binding("home,g", "edge(-1)", "First row", show=False, id="list.first"),
        Binding("end,G", "edge(1)", "Last row", show=False, id="list.last"),
        Binding("space", "toggle_mark", "Mark", show=False, id="list.mark"),
        Binding("enter", "open", "Open", show=False, id="list.open"),
    ]

    class Highlighted(Message):
        """The cursor went to another row, or the list (or the tree in its place) ran empty (`row` is None)."""

        def __init__(self, row_list: ScrollView, row: Row | None) -> None:
            super().__init__()
            self.row_list = row_list
            self.row = row

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, RowList.Highlighted) and message.row_list is self.row_list

    class Opened(Message):
        """Enter or a double click on a row."""

        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    def __init__(
        self,
        columns: Sequence[Column],
        rows: Iterable[Row] = (),
        *,
        empty: Words = "",
        glyphs: Glyphs = UNICODE,
    ) -> None:
        super().__init__()
        self._columns = tuple(columns)
        self._empty = EmptyWords(empty)
        self._glyphs = glyphs
        self._rows: list[Row] = []
        self.needs: Sequence[int] = ()  # cells that the columns need
        self._stops: list[int] = []  # the lines that can take the cursor
        self._stop = 0
        self._marks: set[str] = set()
        self.replace(rows)

    # What it holds

    @property
    def rows(self) -> Sequence[Row]:
        return self._rows

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        return self._rows[self._stops[self._stop]] if self._stops else None

    @property
    def marked(self) -> list[Row]:
        """The marked rows, in the order of the list."""
        return [row for row in self._rows if row.id in self._marks and not row.heading]

    @property
    def chosen(self) -> list[Row]:
        """What an action is for: the marked rows, else the row under the cursor."""
        return self.marked or ([self.row] if self.row else [])

    def replace(self, rows: Iterable[Row]) -> None:
        """Show these rows; the cursor stays on its row, or on its line where the row is gone."""
        old, here = self._rows, self.row
        line = self._cursor_line
        self._rows = list(rows)
        self._stops = [line for line, row in enumerate(self._rows) if not row.heading]
        self._marks &= {self._rows[line].id for line in self._stops}
        self._measure()
        self._stop = self._stop_of(here.id if here else None, line)
        self.virtual_size = Size(0, len(self._rows))
        self._repaint_changes(old, line)
        self._announce(here)

    def set_empty(self, words: Words) -> None:
        """What an empty list says; a filter and an empty room have different answers."""
        self._empty = EmptyWords(words)
        if not self._rows:
            self.refresh()

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Another view of the same screen; call `replace` with rows that fit them."""
        self._columns, self.needs = tuple(columns), ()
        self._measure()
        self.refresh()

    def move_to(self, row_id: str) -> bool:
        """Put the cursor on a row; False where the list does not show it."""
        for stop, line in enumerate(self._stops):
            if self._rows[line].id == row_id:
                self._go(stop)
                return True
        return False

    def _measure(self) -> None:
        """Where other needs move the columns, every line is another one."""
        before = self._fitted
        self.needs = measure(self._columns, (self._rows[line].cells for line in self._stops))
        if self._fitted != before:
            self.refresh()

    @property
    def _fitted(self) -> list[Fitted]:
        return fit(self._columns, self.scrollable_content_region.width - GUTTER, self.needs)

    def clear_marks(self) -> bool:
        """Unmark everything; False where nothing was marked."""
        if not self._marks:
            return False
        self._marks.clear()
        self.refresh()
        return True

    # Keys and mouse

    def action_move(self, step: int) -> None:
        self._go(self._stop + step)

    def action_page(self, pages: float) -> None:
        self._go(self._stop + int(pages * max(self._height, 2)))

    def action_edge(self, side: int) -> None:
        self._go(0 if side < 0 else len(self._stops) - 1)

    def action_toggle_mark(self) -> None:
        if (row := self.row) is None:
            return
        self._marks ^= {row.id}
        self.refresh_line(self._cursor_line)
        self._go(self._stop + 1)

    def action_open(self) -> None:
        if (row := self.row) is not None:
            self.post_message(self.Opened(row))

    def on_click(self, event: events.Click) -> None:
        line = self.scroll_offset.y + event.y
        stop = bisect_left(self._stops, line)
        if stop == len(self._stops) or self._stops[stop] != line:
            return
        self._go(stop)
        if event.chain == 2:
            self.action_open()

    def on_resize(self) -> None:
        self._reveal()

    # The cursor

    @property
    def _cursor_line(self) -> int:
        return self._stops[self._stop] if self._stops else 0

    @property
    def _height(self) -> int:
        return self.scrollable_content_region.height

    def _stop_of(self, row_id: str | None, line: int) -> int:
        for stop, place in enumerate(self._stops):
            if self._rows[place].id == row_id:
                return stop
        return max(min(bisect_left(self._stops, line), len(self._stops) - 1), 0)

    def _go(self, stop: int) -> None:
        if not self._stops:
            return
        here = self.row
        self.refresh_line(self._cursor_line)
        self._stop = max(min(stop, len(self._stops) - 1), 0)
        self.refresh_line(self._cursor_line)
        self._reveal()
        self._announce(here)

    def _reveal(self) -> None:
        """Scroll as little as shows the cursor's line, with the heading right above it."""
        line, height = self._cursor_line, self._height
        if not self._stops or height < 1:
            return
        top = line - 1 if line and height > 1 and self._rows[line - 1].heading else line
        if top < self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, force=True)
        elif line >= self.scroll_offset.y + height:
            self.scroll_to(y=line - height + 1, animate=False, force=True)

    def _announce(self, before: Row | None) -> None:
        after = self.row
        if (before and before.id) != (after and after.id):
            self.post_message(self.Highlighted(self, after))

    # Drawing

    def _repaint_changes(self, old: Sequence[Row], old_line: int) -> None:
        if len(old) == len(self._rows):  # another count repaints the whole list by itself
            top = self.scroll_offset.y
            for line in range(top, min(top + self._height, len(old))):
                if not looks_same(old[line], self._rows[line]):
                    self.refresh_line(line)
            if old_line != self._cursor_line:
                self.refresh_line(old_line)
                self.refresh_line(self._cursor_line)
        if self.is_mounted:
            self._reveal()

    def render_line(self, y: int) -> Strip:
        line, width = self.scroll_offset.y + y, self.scrollable_content_region.width
        if not self._rows:
            return self._empty.drawn(self, y, width)
        if line >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        return drawn(self, self._line(line), self._style_of(line), width)

    def _line(self, line: int) -> Content:
        row = self._rows[line]
        if row.heading:
            return Content.assemble(" " * GUTTER, one_line(row.cells[0] if row.cells else ""))
        bar = self._glyphs.cursor if line == self._cursor_line else " "
        mark = self._glyphs.marked if row.id in self._marks else " "
        cells = laid_out(row.cells, self._fitted)
        return Content.assemble((bar, "$accent"), (mark, "$accent"), cells)

    def _style_of(self, line: int) -> Style:
        row = self._rows[line]
        marked = [STRONG_PART] if row.id in self._marks else []
        names = [QUIET_PART, STRONG_PART] if row.heading else marked
        return line_style(self, names, bool(self._stops) and line == self._cursor_line)
