"""Picking one of a few words with one key: its number, or up and down and enter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from relay_tui.tui.dialogs.dialog import Dialog, Keys
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import Words
from relay_tui.tui.widgets.glyphs import UNICODE, Glyphs
from relay_tui.tui.widgets.row_list import RowList
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from collections.abc import Mapping

LINES = 12


class Picker(Dialog[str | None]):
    """Answers with the word, or None where the person left. `words` are drawn as their values say."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "Cancel", show=False),
        *(Binding(str(number), f"pick({number})", f"Pick {number}", show=False) for number in range(1, 10)),
    ]

    def __init__(self, title: Words, words: Mapping[str, Words], here: str = "", glyphs: Glyphs = UNICODE) -> None:
        super().__init__(title)
        self._words = words
        self._here = here
        self._glyphs = glyphs

    def contents(self) -> ComposeResult:
        rows = [Row(word, (str(place), drawn)) for place, (word, drawn) in enumerate(self._words.items(), 1)]
        yield RowList((Column("number", width=len(str(len(rows)))), Column("word")), rows, glyphs=self._glyphs)

    def keys(self) -> Sequence[Keys]:
        return [[("enter", "or its number picks"), ("esc", "cancel")]]

    def on_mount(self) -> None:
        row_list = self.query_one(RowList)
        row_list.styles.height = min(len(self._words), LINES)
        row_list.move_to(self._here)
        row_list.focus()

    @on(RowList.Opened)
    def pick_row(self, event: RowList.Opened) -> None:
        self.dismiss(event.row.id)

    def action_pick(self, number: int) -> None:
        if number <= len(self._words):
            self.dismiss(list(self._words)[number - 1])
