"""The questions before an action that matters (DESIGN §8, three weights). Reversible actions ask nothing.

Both dialogs only ask; what is carried out afterwards is decided by who opened them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.getters import query_one
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from relay_tui.base.text import inert
from relay_tui.tui.content import Words, lines, one_line
from relay_tui.tui.inputs import PlainInput
from relay_tui.tui.themes import DIALOGS_STYLESHEET


class ConfirmDialog(ModalScreen[bool]):
    """Consequential: shows what the dry run answered, and takes y or n."""

    CSS_PATH = DIALOGS_STYLESHEET
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", show=False),
        Binding("n,escape,q", "answer(False)", "No", show=False),
        Binding("j,down", "scroll(1)", "Down", show=False),
        Binding("k,up", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, title: Words, answer: Sequence[Words], verb: str = "do it") -> None:
        super().__init__(classes="dialog confirm")
        self._title = title
        self._answer = answer
        self._verb = verb

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(one_line(self._title), classes="title")
            with VerticalScroll(classes="lines", can_focus=False):
                yield Static(lines(self._answer))
            yield Static(Content(f"y  {inert(self._verb)}     n  leave it"), classes="keys")

    def action_answer(self, agreed: bool) -> None:
        self.dismiss(agreed)

    def action_scroll(self, step: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)


class ForcedDialog(ModalScreen[str | None]):
    """Forced: lists who is affected, has the name typed out, and answers with the reason (None: left)."""

    CSS_PATH = DIALOGS_STYLESHEET
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave", show=False)]

    error = query_one(".error", Static)

    def __init__(self, title: Words, affected: Sequence[Words], name: str) -> None:
        super().__init__(classes="dialog forced")
        self._title = title
        self._affected = affected
        self._expected = name

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static(one_line(self._title), classes="title")
            with VerticalScroll(classes="lines", can_focus=False):
                yield Static(lines(self._affected))
            yield Static(Content(f"Type {inert(self._expected)} to go on"), classes="label")
            yield PlainInput(id="name")
            yield Static(Content("Reason, which those affected will read"), classes="label")
            yield PlainInput(id="reason")
            yield Static(markup=False, classes="error -none")
            yield Static(Content("enter  go on     esc  leave it"), classes="keys")

    @on(Input.Submitted, "#name")
    def name_typed(self) -> None:
        self.query_one("#reason").focus()

    @on(Input.Submitted, "#reason")
    def decide(self) -> None:
        name, reason = (self.query_one(f"#{field}", PlainInput).value.strip() for field in ("name", "reason"))
        if name != inert(self._expected):
            self._refuse("name", f"This is not the name. Type {inert(self._expected)}, or leave with esc.")
        elif not reason:
            self._refuse("reason", "A reason is needed. Write in one line why, or leave with esc.")
        else:
            self.dismiss(reason)

    def action_leave(self) -> None:
        self.dismiss(None)

    def _refuse(self, field: str, why: str) -> None:
        self.error.update(Content(why))
        self.error.remove_class("-none")
        self.query_one(f"#{field}").focus()
