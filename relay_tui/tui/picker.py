"""Picking one of a few words with one key: its number, or up and down and enter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from relay_tui.tui.columns import Column
from relay_tui.tui.content import Words, one_line
from relay_tui.tui.glyphs import UNICODE, Glyphs
from relay_tui.tui.row_list import RowList
from relay_tui.tui.rows import Row
from relay_tui.tui.themes import DIALOGS_STYLESHEET

if TYPE_CHECKING:
    from collections.abc import Mapping


class Picker(ModalScreen[str | None]):
    """Answers with the word, or None where the person left. `words` are drawn as their values say; at most nine."""

    CSS_PATH = DIALOGS_STYLESHEET
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Leave", show=False),
        *(Binding(str(number), f"pick({number})", f"Pick {number}", show=False) for number in range(1, 10)),
    ]
    COLUMNS: Sequence[Column] = (Column("number", width=1), Column("word"))

    def __init__(self, title: Words, words: Mapping[str, Words], here: str = "", glyphs: Glyphs = UNICODE) -> None:
        super().__init__(classes="dialog picker")
        self._title = title
        self._words = words
        self._here = here
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        rows = [Row(word, (str(place), drawn)) for place, (word, drawn) in enumerate(self._words.items(), 1)]
        with Vertical(classes="box"):
            yield Static(one_line(self._title), classes="title")
            yield RowList(self.COLUMNS, rows, glyphs=self._glyphs)
            yield Static(Content("enter, or its number     esc  leave it"), classes="keys")

    def on_mount(self) -> None:
        row_list = self.query_one(RowList)
        row_list.styles.height = len(self._words)
        row_list.move_to(self._here)
        row_list.focus()

    @on(RowList.Opened)
    def pick_row(self, event: RowList.Opened) -> None:
        self.dismiss(event.row.id)

    def action_pick(self, number: int) -> None:
        if number <= len(self._words):
            self.dismiss(list(self._words)[number - 1])

    def action_leave(self) -> None:
        self.dismiss(None)
