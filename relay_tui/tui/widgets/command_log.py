"""The command log: what the screen carried out, as the lines a person could have typed (`@`).

A bounded ring in memory. What was changed for good stands in the room's ledger, not here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.getters import query_one
from textual.screen import ModalScreen
from textual.widgets import Static

from relay_tui.base.errors import RelayError
from relay_tui.base.text import shell_line
from relay_tui.tui.themes import DIALOGS_STYLESHEET
from relay_tui.tui.widgets.clipboard import copy
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import facts, key_words
from relay_tui.tui.widgets.detail import DetailPane
from relay_tui.tui.widgets.glyphs import UNICODE, Glyphs
from relay_tui.tui.widgets.row_list import RowList
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

KEPT = 500


class Entry(NamedTuple):
    """A command that was carried out: `argv` with its program, when (`09:54:07`), how it ended."""

    number: int
    argv: tuple[str, ...]
    at: str
    millis: int
    error: str = ""
    hint: str = ""
    dry_run: bool = False

    @property
    def outcome(self) -> str:
        """A narrow screen cuts the line, and with it what made it harmless."""
        return "failed" if self.error else "dry run" if self.dry_run else "done"

    @property
    def line(self) -> str:
        """The line to copy, quoted for a shell."""
        return shell_line(self.argv)


class CommandLog:
    """The newest commands, oldest first."""

    def __init__(self, kept: int = KEPT) -> None:
        self._entries: deque[Entry] = deque(maxlen=kept)
        self._count = 0

    @property
    def entries(self) -> Sequence[Entry]:
        return tuple(self._entries)

    @property
    def last(self) -> Entry | None:
        return self._entries[-1] if self._entries else None

    def add(
        self, argv: Sequence[str], at: str, millis: int, error: RelayError | None = None, *, dry_run: bool = False
    ) -> Entry:
        """Record a command that has ended, well or with an error."""
        self._count += 1
        message, hint = (error.message, error.hint) if error else ("", "")
        entry = Entry(self._count, tuple(argv), at, millis, message, hint, dry_run)
        self._entries.append(entry)
        return entry


class CommandLogScreen(ModalScreen[None]):
    """All entries, newest first, with the error and its hint below."""

    CSS_PATH = DIALOGS_STYLESHEET
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,at,q", "dismiss", "Close", show=False),
        Binding("y,Y", "copy", "Copy", show=False),
    ]
    COLUMNS = (
        Column("at", "at", width=8, drop=1),
        Column("line", "command"),
        Column("outcome", "outcome", width=9),
        Column("took", "took", width=9, number=True, drop=2),
    )

    row_list = query_one(RowList)
    detail = query_one(DetailPane)

    def __init__(self, log: CommandLog, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._log = log
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        yield Static(Content("command log"), classes="title")
        empty = "No command has been run yet.\nWhat you do on the screens appears here as the line to type."
        yield RowList(self.COLUMNS, empty=empty, glyphs=self._glyphs)
        yield DetailPane()
        yield Static(key_words([("j k", "move"), ("y", "copy the line"), ("esc", "back")]), classes="keys")

    def on_mount(self) -> None:
        self.row_list.replace(self._row(entry) for entry in reversed(self._log.entries))
        self.row_list.focus()

    @on(RowList.Highlighted)
    @on(DetailPane.Resized)
    def show_entry(self) -> None:
        entry = self._entry(self.row_list.row)
        if entry is not None:
            self.detail.show(_explained(entry, self.detail.text_width), str(entry.number))

    def action_copy(self) -> None:
        entry = self._entry(self.row_list.row)
        if entry is not None:
            copy(self, entry.line)

    def _row(self, entry: Entry) -> Row:
        outcome = self._glyphs.outcome(entry.outcome)
        return Row(str(entry.number), (entry.at, entry.line, outcome, f"{entry.millis:,} ms"))

    def _entry(self, row: Row | None) -> Entry | None:
        number = row.id if row else ""
        return next((entry for entry in self._log.entries if str(entry.number) == number), None)


def _explained(entry: Entry, width: int) -> Content:
    return facts([("command", entry.line), ("error", entry.error), ("do", entry.hint)], width)
