"""What all dialogs share: a box with a title, what is told or asked in it, and the keys that answer.

A dialog only asks; what its answer leads to is decided by who opened it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Static

from relay_tui.tui.themes import DIALOGS_STYLESHEET
from relay_tui.tui.widgets.content import Words, key_words, lines, one_line
from relay_tui.tui.widgets.scrolling import Scroller

Keys = Sequence[tuple[str, str]]


class Dialog(ModalScreen[ScreenResultType]):
    """Esc leaves it, with None for an answer. Toasts told before it go, so that none hides what it asks."""

    CSS_PATH = DIALOGS_STYLESHEET
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Cancel", show=False)]

    def __init__(self, title: Words) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(one_line(self._title), classes="title")
            yield from self.contents()
            yield Static(self._key_words(), classes="keys")

    def on_mount(self) -> None:
        self.app.clear_notifications()

    @abstractmethod
    def contents(self) -> ComposeResult:
        """What stands between the title and the keys."""

    @abstractmethod
    def keys(self) -> Sequence[Keys]:
        """Lines of keys, each key with what it does."""

    def draw_keys(self) -> None:
        """They mean something else now."""
        self.query_one(".keys", Static).update(self._key_words())

    def _key_words(self) -> Content:
        return Content("\n").join([key_words(keys) for keys in self.keys()])

    def action_leave(self) -> None:
        self.dismiss(None)


class TextDialog(Dialog[ScreenResultType]):
    """Lines to read, scrolled with j and k where they are more than the box holds."""

    def __init__(self, title: Words, text: Sequence[Words]) -> None:
        super().__init__(title)
        self._text = text

    def contents(self) -> ComposeResult:
        with Scroller(classes="lines"):
            yield Static(lines(self._text))


class Page(TextDialog[None]):
    """Nothing but lines to read."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,enter,question_mark", "leave", "Close", show=False)]

    def keys(self) -> Sequence[Keys]:
        return [[("j k", "scroll"), ("esc", "back")]]
