"""Roadmap: the work tree with its progress, and who does what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content

from relay_tui.actions.call import Call
from relay_tui.actions.work import tree
from relay_tui.room.rooms import Room
from relay_tui.tui.form import Value
from relay_tui.tui.rows import Row
from relay_tui.tui.rows_of.work import COLUMNS, item_detail, item_rows
from relay_tui.tui.screens.slow_screen import SlowScreen

if TYPE_CHECKING:
    from relay_tui.room.work import Item, ItemList


class RoadmapScreen(SlowScreen):
    NAME = "roadmap"
    COLUMNS = COLUMNS
    WORDS = {"act.status": "set", "act.new": "new item", "act.message": "message the owner"}
    EMPTY = "There is no plan yet.\nBring one in with :work import --file ROADMAP.md\nn adds a single item."

    def read(self, room: Room) -> ItemList:
        return tree(room)

    def rows_from(self, facts: ItemList) -> list[tuple[Row, Any]]:
        return list(item_rows(facts.items, self.glyphs))

    def describe(self, row: Row, thing: Item, width: int) -> Content:
        return item_detail(thing, self.glyphs, width)

    def agent_of(self, thing: Item) -> str | None:
        return thing.owner

    def call_for(self, thing: Item) -> Call:
        return self.desk.compose("work show", id=thing.id)

    def defaults(self, action: str, thing: Item | None) -> dict[str, Value]:
        if thing is None:
            return {}
        return {"parent": thing.id} if action == "work add" else {"id": thing.id, "status": thing.status}
