"""The questions before an action that matters (DESIGN §8, three weights). Reversible actions ask nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.getters import query_one
from textual.widgets import Input, Static

from relay_tui.base.text import inert
from relay_tui.tui.dialogs.dialog import Dialog, Keys, TextDialog
from relay_tui.tui.frame import LEAST_LINES
from relay_tui.tui.widgets.content import Words, lines
from relay_tui.tui.widgets.inputs import PlainInput

# Characters of a name that is typed in full; of one that is longer, which nobody would, the end is typed.
LONGEST_TYPED, END_TYPED = 32, 20


class ConfirmDialog(TextDialog[bool]):
    """Consequential: shows what the dry run answered, and takes y or n."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", show=False),
        Binding("n,escape,q", "answer(False)", "No", show=False),
    ]

    def __init__(self, title: Words, answer: Sequence[Words], verb: str = "do it") -> None:
        super().__init__(title, answer)
        self._verb = verb

    def keys(self) -> Sequence[Keys]:
        return [[("y", self._verb), ("n", "cancel")]]

    def action_answer(self, agreed: bool) -> None:
        self.dismiss(agreed)


class ForcedDialog(Dialog[str | None]):
    """Forced: lists who is affected, has the name or its end typed out, and answers with the reason (None: left)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "scroll(1)", "Scroll down", show=False),
        Binding("up", "scroll(-1)", "Scroll up", show=False),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (LEAST_LINES, "-low"), (22, "-tall")]

    error = query_one(".error", Static)

    def __init__(self, title: Words, affected: Sequence[Words], name: str) -> None:
        super().__init__(title)
        self._affected = affected
        self._whole = inert(name)
        self._expected = self._whole if len(self._whole) <= LONGEST_TYPED else self._whole[-END_TYPED:]

    def contents(self) -> ComposeResult:
        with VerticalScroll(classes="lines", can_focus=False):
            yield Static(lines(self._affected))
        what = self._expected if self._expected == self._whole else f"the end of it, {self._expected},"
        yield Static(Content(f"Type {what} to go on"), classes="label")
        yield PlainInput(id="name")
        yield Static(Content("Your reason; those affected will read it"), classes="label")
        yield PlainInput(id="reason")
        yield Static(markup=False, classes="error -none")

    def keys(self) -> Sequence[Keys]:
        return [[("enter", "go on"), ("up down", "scroll"), ("esc", "cancel")]]

    def action_scroll(self, step: int) -> None:
        """The fields keep the focus meanwhile."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)

    @on(Input.Submitted, "#name")
    def name_typed(self) -> None:
        self.query_one("#reason").focus()

    @on(Input.Submitted, "#reason")
    def decide(self) -> None:
        name, reason = (self.query_one(f"#{field}", PlainInput).value.strip() for field in ("name", "reason"))
        if name not in (self._expected.strip(), self._whole.strip()):
            self._refuse("name", f"This is not the name. Type {self._expected}, or press esc to cancel.")
        elif not reason:
            self._refuse("reason", "A reason is needed. Say why in one line, or press esc to cancel.")
        else:
            self.dismiss(reason)

    def _refuse(self, field: str, why: str) -> None:
        self.error.update(Content(why))
        self.error.remove_class("-none")
        self.query_one(f"#{field}").focus()
