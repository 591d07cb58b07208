"""The bar at the foot of every screen: `:` for commands, `/` for filters.

It knows text, history and completion; what a line means is decided by who hears `Submitted`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.getters import query_one
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from relay_tui.base.text import inert
from relay_tui.tui.widgets.inputs import Complete, PlainInput, typeable

SUGGESTIONS = 8
HISTORY = 100


def no_completion(text: str) -> Sequence[str]:
    """For lines that nothing completes, such as a filter."""
    return ()


class _BarMessage(Message):
    """What the messages share: the bar, its prompt (`:` or `/`) and the line."""

    def __init__(self, bar: CommandBar, line: str) -> None:
        super().__init__()
        self.bar = bar
        self.prompt = bar.prompt
        self.line = line


class CommandBar(Widget):
    """Hidden until `open`; enter submits and closes, esc closes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", show=False),
        Binding("tab", "complete(1)", "Complete", show=False),
        Binding("shift+tab", "complete(-1)", "Complete back", show=False),
        Binding("up", "recall(-1)", "Earlier line", show=False),
        Binding("down", "recall(1)", "Later line", show=False),
    ]

    class Submitted(_BarMessage):
        """Enter: this line is to be carried out."""

    class Edited(_BarMessage):
        """The line changed; a filter follows it as it is typed."""

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, CommandBar.Edited) and message.bar is self.bar

    class Cancelled(_BarMessage):
        """Esc: nothing is to be carried out; `line` is what the bar had opened with."""

    input = query_one(PlainInput)
    suggestion_lines = query_one(".suggestions", Static)

    def __init__(self) -> None:
        super().__init__()
        self.prompt = ":"
        self._complete: Complete = no_completion
        self._history: dict[str, list[str]] = {}
        self._recalled = 0
        self._opened_with = ""
        self._focused_before: Widget | None = None
        self._typed = ""
        self._suggestions: list[str] = []
        self._picked = -1

    def compose(self) -> ComposeResult:
        yield Static(markup=False, classes="suggestions -none")
        with Horizontal(classes="line"):
            yield Static(markup=False, classes="prompt")
            yield PlainInput()

    def open(self, prompt: str = ":", line: str = "", complete: Complete = no_completion) -> None:
        """Show the bar and take the focus. `complete` gives whole lines that could stand in the bar."""
        self.prompt, self._opened_with, self._complete = prompt, line, complete
        self._recalled = len(self._lines)
        self.query_one(".prompt", Static).update(Content(prompt))
        self._put(line)
        self._suggest(line)
        if not self.is_open:
            self._focused_before = self.screen.focused
        self.add_class("-open")
        self.input.focus()

    @property
    def is_open(self) -> bool:
        return self.has_class("-open")

    @property
    def suggestions(self) -> Sequence[str]:
        return self._suggestions

    def action_close(self) -> None:
        self._hide()
        self.post_message(self.Cancelled(self, self._opened_with))

    def action_complete(self, step: int) -> None:
        """Put the next suggestion into the line; the list stays, so that tab goes on through it."""
        if self._suggestions:
            self._picked = (self._picked + step) % len(self._suggestions)
            self._put(self._suggestions[self._picked])
            self._draw_suggestions()

    def action_recall(self, step: int) -> None:
        place = self._recalled + step
        if 0 <= place <= len(self._lines):
            self._recalled = place
            line = self._lines[place] if place < len(self._lines) else ""
            self._put(line)
            self._suggest(line)

    @on(Input.Changed)
    def follow_typing(self, event: Input.Changed) -> None:
        event.stop()
        if not self.is_open:
            return
        if event.value != self._typed:
            self._typed = event.value
            self._suggest(event.value)
        self.post_message(self.Edited(self, event.value))

    @on(Input.Submitted)
    def submit(self, event: Input.Submitted) -> None:
        event.stop()
        line = event.value.strip()
        self._hide()
        self._remember(line)
        self.post_message(self.Submitted(self, line))

    @property
    def _lines(self) -> list[str]:
        return self._history.setdefault(self.prompt, [])

    def _remember(self, line: str) -> None:
        if line:
            kept = [earlier for earlier in self._lines if earlier != line]
            self._history[self.prompt] = [*kept, line][-HISTORY:]

    def _put(self, line: str) -> None:
        self._typed = self.input.value = inert(line)
        self.input.cursor_position = len(self._typed)

    def _hide(self) -> None:
        self.remove_class("-open")
        self._suggestions = []
        if self.input.has_focus:
            self.screen.set_focus(self._focused_before)

    def _suggest(self, line: str) -> None:
        self._suggestions = typeable(self._complete(line))[:SUGGESTIONS]
        self._picked = -1
        self._draw_suggestions()

    def _draw_suggestions(self) -> None:
        lines = [
            Content.styled(line, "$accent bold" if place == self._picked else "")
            for place, line in enumerate(self._suggestions)
        ]
        self.suggestion_lines.update(Content("\n").join(lines))
        self.suggestion_lines.set_class(not lines, "-none")
