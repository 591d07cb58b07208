"""A dialog made from a list of fields: what an action's parameters are becomes what a person fills in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input, Static

from relay_tui.base.errors import RelayError
from relay_tui.base.shell import split_shell_line
from relay_tui.base.text import inert, inert_block, shell_line
from relay_tui.tui.dialogs.dialog import Dialog, Keys
from relay_tui.tui.frame import LEAST_LINES
from relay_tui.tui.widgets.content import Words, one_line
from relay_tui.tui.widgets.glyphs import QUIET
from relay_tui.tui.widgets.inputs import ChoiceInput, Complete, CompletedInput, PlainInput, PlainTextArea

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

Kind = Literal["str", "text", "int", "bool", "list", "choice"]
Value = str | int | bool | list[str] | None
Filled = Callable[[dict[str, Value], "FormDialog"], None]


class Field(NamedTuple):
    """One thing to fill in. A `text` has several lines; a `list` is typed as words, quoted as in a shell."""

    name: str
    kind: Kind = "str"
    required: bool = False
    default: Value = None
    help: str = ""
    choices: tuple[str, ...] = ()
    complete: Complete | None = None


def shown_default(field: Field) -> str:
    """The default as it stands in the field, made harmless."""
    if field.default is None:
        return ""
    if isinstance(field.default, bool):
        return "yes" if field.default else "no"
    if isinstance(field.default, list):
        return shell_line(field.default)
    return (inert_block if field.kind == "text" else inert)(str(field.default))


def read_value(field: Field, typed: str) -> Value:
    """What was typed as the value of its kind; untouched fields keep their default. Raises `usage`."""
    if typed == shown_default(field) and field.default is not None:
        return field.default
    if field.kind == "bool":
        return typed == "yes"
    text = typed.strip()
    if not text:
        return _nothing(field)
    if field.kind == "int":
        return _whole_number(field, text)
    if field.kind == "list":
        return _words(field, text)
    return typed if field.kind == "text" else text


def _nothing(field: Field) -> Value:
    if field.required:
        raise RelayError("usage", f"'{field.name}' is required.", "Fill it in, or press esc to cancel.")
    return [] if field.kind == "list" else None


def _whole_number(field: Field, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise RelayError("usage", f"'{field.name}' takes a whole number.", "Write digits, such as 20.") from None


def _words(field: Field, text: str) -> list[str]:
    try:
        return split_shell_line(text)
    except ValueError:
        raise RelayError("usage", f"'{field.name}' has a quote left open.", "Close the quote.") from None


class FormDialog(Dialog[None]):
    """Hands the values by field name to `filled`, and stays until that says `done`, or until the person leaves.

    So nothing that was typed is lost where it is refused. It starts in the `first` field; where that is not said,
    in the first that nothing stands in yet.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "submit", "Do it", show=False)]
    AUTO_FOCUS = ""
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (LEAST_LINES, "-low"), (22, "-tall")]

    error = query_one(".error", Static)

    def __init__(
        self, title: Words, fields: Sequence[Field], filled: Filled, verb: str = "do it", first: int | None = None
    ) -> None:
        super().__init__(title)
        self._fields = fields
        self._filled = filled
        self._verb = verb
        self._is_handed_in = False
        self._is_done = False
        unfilled = (place for place, field in enumerate(fields) if field.default is None)
        self._first = next(unfilled, 0) if first is None else first

    def contents(self) -> ComposeResult:
        with VerticalScroll(classes="fields", can_focus=False):
            for place, field in enumerate(self._fields):
                with Vertical(classes="field"):
                    yield Static(_label(field), classes="label")
                    yield _input(field, f"field-{place}")
        yield Static(markup=False, classes="error -none")

    def keys(self) -> Sequence[Keys]:
        """Enter does it, but not where it begins a new line. What was handed in is not taken back by leaving."""
        if self._is_handed_in:
            return [[("esc", "leave")]]
        enter = [("ctrl+s", self._verb), ("enter", "new line")] if self._has_lines else [("enter ctrl+s", self._verb)]
        return [[*enter, ("tab", "next field"), ("esc", "cancel")]]

    @property
    def _has_lines(self) -> bool:
        """Whether the cursor stands in a field of several lines, or is about to."""
        if self.focused is not None:
            return isinstance(self.focused, PlainTextArea)
        return bool(self._fields) and self._fields[self._first].kind == "text"

    def on_mount(self) -> None:
        for field in self.query(f"#field-{self._first}"):
            self.call_after_refresh(field.focus)  # focused before the layout stands it would scroll

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Scroll to the label too: the focus alone brings only the input into sight."""
        self.draw_keys()
        if isinstance(field := event.widget.parent, Vertical):
            self.call_after_refresh(field.scroll_visible, animate=False)

    @on(Input.Submitted)
    def action_submit(self) -> None:
        """Hand the values in, once; again only after they were refused."""
        if self._is_handed_in:
            return
        values: dict[str, Value] = {}
        for place, field in enumerate(self._fields):
            try:
                values[field.name] = read_value(field, _typed(self.query_one(f"#field-{place}")))
            except RelayError as refused:
                self.refuse(refused)
                self.query_one(f"#field-{place}").focus()
                return
        self._is_handed_in = True
        self.draw_keys()
        self.error.add_class("-none")
        try:
            self._filled(values, self)
        except RelayError as refused:
            self.refuse(refused)

    # What comes of it

    def refuse(self, refused: RelayError) -> None:
        """Say why in the form, which can be handed in again."""
        self.reopen()
        self.error.update(one_line(refused.in_a_line))
        self.error.remove_class("-none")

    def reopen(self) -> None:
        """A question about it was answered with no."""
        self._is_handed_in = False
        if self.is_open:
            self.draw_keys()

    def done(self) -> None:
        """Close it, where the person has not left before; below another dialog once that has closed."""
        self._is_done = True
        self.on_screen_resume()

    def on_screen_resume(self) -> None:
        if self._is_done and self.app.screen is self:  # what Textual closes is what lies on top
            self.dismiss()

    @property
    def is_open(self) -> bool:
        return self in self.app.screen_stack


def _label(field: Field) -> Content:
    needed = " (required)" if field.required else ""
    hint = f"   {inert(field.help)}" if field.help else ""
    return Content.assemble(inert(field.name) + needed, (hint, QUIET))


def _input(field: Field, id: str) -> Widget:
    shown = shown_default(field)
    if field.kind == "bool":
        return ChoiceInput(("no", "yes"), shown, id=id)
    if field.kind == "choice":
        return ChoiceInput(field.choices if field.required else ("", *field.choices), shown, id=id)
    if field.kind == "text":
        return PlainTextArea(shown, id=id, compact=True)
    return CompletedInput(shown, field.complete, id=id) if field.complete else PlainInput(shown, id=id, compact=True)


def _typed(widget: Widget) -> str:
    if isinstance(widget, PlainTextArea):
        return widget.text
    assert isinstance(widget, (PlainInput, ChoiceInput))
    return widget.value
