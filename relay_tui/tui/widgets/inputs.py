"""Text fields that take nothing a terminal would obey, and the field that picks one of a few words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.reactive import reactive
from textual.suggester import Suggester, SuggestionReady
from textual.widget import Widget
from textual.widgets import Input, TextArea

from relay_tui.base.text import inert
from relay_tui.tui.aside import aside
from relay_tui.tui.widgets.glyphs import QUIET

Complete = Callable[[str], Sequence[str]]
ESCAPED = "Control characters were pasted. They stand here as escapes, such as \\x1b, and are sent like that."


def typeable(words: Iterable[str]) -> list[str]:
    """The completions that may stand in a text field; one that a terminal would obey is not offered."""
    return [word for word in words if inert(word) == word]


class PlainInput(Input):
    """One line; pasted lines become one, and what stands in it is not replaced by the first letter typed."""

    def __init__(self, value: str | None = None, **options: Any) -> None:
        super().__init__(value, select_on_focus=False, **options)

    def on_paste(self, event: events.Paste) -> None:
        event.text = harmless(self, " ".join(event.text.splitlines()))


class PlainTextArea(TextArea):
    """Several lines; tab leaves the field."""

    def on_paste(self, event: events.Paste) -> None:
        """Terminals send the lines of a paste with a carriage return between them."""
        event.text = harmless(self, event.text.replace("\r\n", "\n").replace("\r", "\n"))


def harmless(field: Widget, pasted: str) -> str:
    """What may stand in a field: controls become visible escapes, and since they are sent like that, it is said."""
    visible = "".join(run if run in ("\n", "\t") else inert(run) for run in re.split(r"([\n\t])", pasted))
    if visible != pasted:
        field.notify(ESCAPED, severity="warning", timeout=8, markup=False)
    return visible


class FirstMatch(Suggester):
    """Finds completions in a thread and offers the first; nothing is cached, for the room changes."""

    def __init__(self, complete: Complete) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._complete = complete
        self.matches: list[str] = []

    async def get_suggestion(self, value: str) -> str | None:
        found = typeable(await aside(partial(self._complete, value), "relay-complete"))
        self.matches = [word for word in found if word.startswith(value) and word != value]
        return next(iter(self.matches), None)


class CompletedInput(PlainInput):
    """One line with a completion as ghost text: right takes it, down and up turn through the others."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "turn(1)", "Next completion", show=False),
        Binding("up", "turn(-1)", "Completion before", show=False),
    ]

    def __init__(self, value: str, complete: Complete, *, id: str | None = None) -> None:
        self._found = FirstMatch(complete)
        self._place = 0
        super().__init__(value, suggester=self._found, id=id, compact=True)

    def action_turn(self, step: int) -> None:
        matches = [word for word in self._found.matches if word.startswith(self.value)]
        if matches:
            self._place = (self._place + step) % len(matches)
            self.post_message(SuggestionReady(self.value, matches[self._place]))

    @on(Input.Changed)
    def begin_anew(self) -> None:
        self._place = 0


class ChoiceInput(Widget, can_focus=True):
    """One of a few words, changed with the left and right keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,space", "turn(1)", "Next", show=False),
        Binding("left,h", "turn(-1)", "Previous", show=False),
    ]

    place = reactive(0)

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
        return Content.assemble("‹ ", word, " ›  ", (count, QUIET))

    def action_turn(self, step: int) -> None:
        self.place = (self.place + step) % len(self._words)

    def on_click(self) -> None:
        self.action_turn(1)
