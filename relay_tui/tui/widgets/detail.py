"""`DetailPane`: the scrollable right-hand side, which shows ready content and knows nothing about it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.getters import query_one
from textual.message import Message
from textual.widgets import Static

from relay_tui.tui.widgets.content import Words, block
from relay_tui.tui.widgets.scrolling import Scroller


class DetailPane(Scroller):
    """Keeps its place while the same subject is shown again, and starts at the top with another one."""

    text = query_one(Static)

    class Resized(Message):
        """Lines have another width now, so what was laid out for the old one is laid out again."""

    def __init__(self) -> None:
        super().__init__()
        self._subject = ""
        self._words = Content("")
        self._laid_out_for = 0

    @property
    def text_width(self) -> int:
        """The cells that a line of the detail has."""
        return self.scrollable_content_region.width

    def compose(self) -> ComposeResult:
        yield Static(markup=False)

    def on_resize(self) -> None:
        if self.text_width != self._laid_out_for:
            self._laid_out_for = self.text_width
            self.post_message(self.Resized())

    def show(self, words: Words, subject: str = "") -> None:
        """Show these words; `subject` is the id of what they are about."""
        shown = block(words)
        if not shown.is_same(self._words):
            self._words = shown
            self.text.update(shown)
        if subject != self._subject:
            self._subject = subject
            self.scroll_home(animate=False)
