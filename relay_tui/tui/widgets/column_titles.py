"""The quiet line of titles above a `RowList`."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget

from relay_tui.tui.widgets.columns import GUTTER, Column, fit, laid_out
from relay_tui.tui.widgets.rows import drawn


class ColumnTitles(Widget):
    """Takes the columns of the list below it, and keeps in line with them as they drop out."""

    def __init__(self, columns: Sequence[Column]) -> None:
        super().__init__()
        self._columns = tuple(columns)
        self._needs: Sequence[int] = ()

    def set_columns(self, columns: Sequence[Column]) -> None:
        self._columns, self._needs = tuple(columns), ()
        self.refresh()

    def set_needs(self, needs: Sequence[int]) -> None:
        """What the cells of the list need, as `measure` found it."""
        if needs != self._needs:
            self._needs = needs
            self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.content_size.width
        titles = laid_out([column.title for column in self._columns], fit(self._columns, width - GUTTER, self._needs))
        return drawn(self, Content.assemble(" " * GUTTER, titles), self.visual_style, width)
