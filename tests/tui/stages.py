"""Tiny apps that put one widget on a stage, and the rows they show."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen

from relay_tui.tui.dialogs.form import Field, FormDialog, Value
from relay_tui.tui.themes import STYLESHEET, use_theme
from relay_tui.tui.widgets.column_titles import ColumnTitles
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.command_bar import CommandBar
from relay_tui.tui.widgets.detail import DetailPane
from relay_tui.tui.widgets.glyphs import UNICODE, Glyphs
from relay_tui.tui.widgets.row_list import RowList
from relay_tui.tui.widgets.rows import Row, heading

COLUMNS = (
    Column("flag", "flag", width=11),
    Column("branch", "branch"),
    Column("holder", "holder", width=12, drop=1),
    Column("ahead", "ahead", width=5, number=True, drop=3),
    Column("age", "age", width=4, number=True, drop=2),
)

HOSTILE = (
    "[/]",
    "[@click=app.quit]x[/]",
    "a\x1b[31mred\x1b[0m",
    "rtl\u202egpj.exe",
    "osc\x1b]52;c;aGk=\x07",
    "$error [b]bold[/b]",
    "two\nlines\tand tab",
    "c1\x9b31m",
)


def branch_rows(glyphs: Glyphs = UNICODE) -> list[Row]:
    def row(flag: str, branch: str, holder: str, ahead: str, age: str) -> Row:
        return Row(branch, (glyphs.branch(flag), branch, holder, ahead, age), fields={"state": flag})

    return [
        heading("needs you"),
        row("contested", "feat/shared-room", "nimbus-2", "2", "12m"),
        row("orphaned", "feat/work-tree", "vector-4", "14", "2d"),
        row("missing", "feat/日本語の枝", "codex-3", "", "4m"),
        heading("calm"),
        row("clear", "fix/🚀-launch-👩‍👩‍👧", "claude-1", "120", "9m"),
        row("quiet", "docs/a-rather-long-branch-name-that-does-not-fit-anywhere", "", "0", "3h"),
    ]


def hostile_rows() -> list[Row]:
    return [Row(str(place), (text, text, text, "1", "1m")) for place, text in enumerate(HOSTILE)]


class Stage(App[None]):
    """Any app of the tests: the real stylesheet and themes."""

    CSS_PATH = STYLESHEET
    ENABLE_COMMAND_PALETTE = False

    def __init__(self) -> None:
        super().__init__()
        use_theme(self)


class ListStage(Stage):
    """A list with titles, its detail at the right, the command bar below."""

    CSS = "#left { width: 2fr; } DetailPane { width: 1fr; }"

    def __init__(self, rows: Sequence[Row] = (), glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._first_rows = rows
        self._glyphs = glyphs
        self.seen: list[str] = []
        self.heard: list[object] = []

    def compose(self) -> ComposeResult:
        with Horizontal():
            with Vertical(id="left"):
                yield ColumnTitles(COLUMNS)
                empty = "No branches yet.\nType :branch claim NAME to take one."
                yield RowList(COLUMNS, self._first_rows, empty=empty, glyphs=self._glyphs)
            yield DetailPane()
        yield CommandBar()

    def on_mount(self) -> None:
        row_list = self.query_one(RowList)
        self.query_one(ColumnTitles).set_needs(row_list.needs)
        row_list.focus()

    def on_row_list_highlighted(self, event: RowList.Highlighted) -> None:
        self.seen.append(event.row.id if event.row else "")
        subject = event.row.id if event.row else ""
        self.query_one(DetailPane).show(f"about\n{subject or 'nothing'}", subject)

    def on_row_list_opened(self, event: RowList.Opened) -> None:
        self.heard.append(("opened", event.row.id))

    def on_command_bar_submitted(self, event: CommandBar.Submitted) -> None:
        self.heard.append((event.prompt, event.line))

    def on_command_bar_edited(self, event: CommandBar.Edited) -> None:
        self.heard.append(("edited", event.line))

    def on_command_bar_cancelled(self, event: CommandBar.Cancelled) -> None:
        self.heard.append(("cancelled", event.line))


class DialogStage(Stage):
    """Opens one dialog and keeps its answer."""

    def __init__(self, dialog: ModalScreen[object]) -> None:
        super().__init__()
        self._dialog = dialog
        self.answers: list[object] = []

    def on_mount(self) -> None:
        self.push_screen(self._dialog, self.answers.append)


class FormStage(DialogStage):
    """Opens one form and keeps what was handed in; the form stays until the test closes it."""

    def __init__(self, fields: Sequence[Field], title: str = "Send") -> None:
        self.filled: list[dict[str, Value]] = []
        self.form = FormDialog(title, fields, lambda values, _: self.filled.append(values), "send")
        super().__init__(self.form)
