"""Text fields that take nothing a terminal would obey, and the field that picks one of a few words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.suggester import Suggester
from textual.widget import Widget
from textual.widgets import Input, TextArea

from relay_tui.base.text import inert, inert_block

Complete = Callable[[str], Sequence[str]]


def typeable(words: Iterable[str]) -> list[str]:
    """The completions that may stand in a text field; one that a terminal would obey is not offered."""
    return [word for word in words if inert(word) == word]


class PlainInput(Input):
    """One line; pasted controls become visible escapes, and pasted lines become one."""

    def on_paste(self, event: events.Paste) -> None:
        event.text = inert(" ".join(event.text.splitlines()))


class PlainTextArea(TextArea):
    """Several lines; pasted controls become visible escapes, and tab leaves the field."""

    def on_paste(self, event: events.Paste) -> None:
        event.text = inert_block(event.text)


class FirstMatch(Suggester):
    """Offers the first completion as ghost text; nothing is cached, for the room changes."""

    def __init__(self, complete: Complete) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._complete = complete

    async def get_suggestion(self, value: str) -> str | None:
        return next((word for word in typeable(self._complete(value)) if word.startswith(value)), None)


class ChoiceInput(Widget, can_focus=True):
    """One of a few words, changed with the left and right keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,space", "turn(1)", "Next", show=False),
        Binding("left,h", "turn(-1)", "Previous", show=False),
    ]

    place = reactive(0)

    class Changed(Message):
        """Another word was picked."""

        def __init__(self, choice: ChoiceInput) -> None:
            super().__init__()
            self.choice = choice

        @property
        def control(self) -> ChoiceInput:
            return self.choice

    def __init__(self, words: Sequence[str], value: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._words = list(words)
        self.set_reactive(ChoiceInput.place, self._words.index(value) if value in self._words else 0)

    @property
    def value(self) -> str:
        return self._words[self.place]

    def render(self) -> Content:
        word = inert(self.value) or "none"
        count = f"{self.place + 1} of {len(self._words)}"
        return Content.assemble("‹ ", word, " ›  ", (count, "$foreground-muted"))

    def action_turn(self, step: int) -> None:
        self.place = (self.place + step) % len(self._words)
        self.post_message(self.Changed(self))

    def on_click(self) -> None:
        self.action_turn(1)
