"""Picking some of several words: a box before each, all of them ticked at first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.getters import query_one
from textual.message import Message

from relay_tui.tui.dialogs.dialog import Dialog, Keys
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import Words
from relay_tui.tui.widgets.glyphs import UNICODE, WORK_STATUSES, Glyphs
from relay_tui.tui.widgets.row_list import RowList
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from collections.abc import Mapping

LINES = 12


class Boxes(RowList):
    """Rows with a box each; the key that marks elsewhere ticks here."""

    class Ticked(Message):
        """Other boxes are ticked now."""

    def __init__(self, words: Mapping[str, Words], glyphs: Glyphs) -> None:
        self.ticked = set(words)
        self._words = words
        self._boxes = [glyphs.mark(WORK_STATUSES, status) for status in ("todo", "done")]
        super().__init__((Column("box", width=len(self._boxes[0])), Column("word")), self._boxed(), glyphs=glyphs)

    def action_toggle_mark(self) -> None:
        if self.row is not None:
            self.tick(self.ticked ^ {self.row.id})
            self.action_move(1)

    def tick(self, ids: set[str]) -> None:
        self.ticked = ids
        self.replace(self._boxed())
        self.post_message(self.Ticked())

    def _boxed(self) -> list[Row]:
        return [Row(id, (self._boxes[id in self.ticked], words)) for id, words in self._words.items()]


class Checklist(Dialog[list[str] | None]):
    """Answers with the ids that are ticked, in their order, or None where the person left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "Cancel", show=False),
        Binding("a", "all", "All, or none", show=False),
    ]

    boxes = query_one(Boxes)

    def __init__(self, title: Words, words: Mapping[str, Words], verb: str = "go on", glyphs: Glyphs = UNICODE) -> None:
        super().__init__(title)
        self._words = words
        self._verb = verb
        self._glyphs = glyphs

    def contents(self) -> ComposeResult:
        yield Boxes(self._words, self._glyphs)

    def keys(self) -> Sequence[Keys]:
        """What enter does now, and how another choice is made."""
        ticked = len(self.boxes.ticked) if self.query(Boxes) else len(self._words)
        does = f"{self._verb} {ticked:,} of {len(self._words):,}" if ticked else "nothing is ticked"
        return [[("enter", does), ("space", "tick"), ("a", "all or none"), ("esc", "cancel")]]

    def on_mount(self) -> None:
        self.boxes.styles.height = min(len(self._words), LINES)
        self.boxes.focus()

    def action_all(self) -> None:
        is_whole = len(self.boxes.ticked) == len(self._words)
        self.boxes.tick(set() if is_whole else set(self._words))

    @on(Boxes.Ticked)
    def count(self) -> None:
        self.draw_keys()

    @on(RowList.Opened)
    def decide(self) -> None:
        if self.boxes.ticked:
            self.dismiss([id for id in self._words if id in self.boxes.ticked])
