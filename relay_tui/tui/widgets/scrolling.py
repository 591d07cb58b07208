"""`Scroller`: what is read by scrolling, with the keys of a list. What stands in it is its user's."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll


class Scroller(VerticalScroll, can_focus=True):
    """Scrolls by lines, half pages, or to an end; the arrow and page keys are Textual's own."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("J,j", "scroll_lines(1)", "Scroll down", show=False, id="detail.down"),
        Binding("K,k", "scroll_lines(-1)", "Scroll up", show=False, id="detail.up"),
        Binding("ctrl+d", "scroll_pages(0.5)", "Half a page down", show=False, id="detail.half_down"),
        Binding("ctrl+u", "scroll_pages(-0.5)", "Half a page up", show=False, id="detail.half_up"),
        Binding("g", "scroll_home", "Top", show=False, id="detail.top"),
        Binding("G", "scroll_end", "Bottom", show=False, id="detail.bottom"),
    ]

    def action_scroll_lines(self, lines: int) -> None:
        """Screens send their own J and K here, so that the list can keep the focus."""
        self.scroll_relative(y=lines, animate=False)

    def action_scroll_pages(self, pages: float) -> None:
        self.scroll_relative(y=int(pages * self.size.height), animate=False)
