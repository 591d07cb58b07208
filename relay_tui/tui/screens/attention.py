"""Attention: what needs the person, most urgent first, each with the command that settles it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from textual.content import Content

from relay_tui.room.attention import AttentionItem
from relay_tui.room.rooms import Room
from relay_tui.tui.rows import Row
from relay_tui.tui.rows_of.attention import COLUMNS, item_detail, item_row
from relay_tui.tui.screens.room_screen import RoomScreen

if TYPE_CHECKING:
    from relay_tui.tui.tally import Survey


class AttentionScreen(RoomScreen):
    NAME = "attention"
    COLUMNS = COLUMNS
    WORDS = {"app.next": "next", "act.message": "message"}
    EMPTY = "Nothing needs you.\n2 shows who is here, 5 your mail. An agent comes in with:\n  relay join --as NAME"

    def read(self, room: Room) -> Survey | None:
        """What was surveyed last; the app surveys again in a thread whenever the room changes."""
        _ = room.row
        return self.relay.survey

    def rows_from(self, facts: Survey | None) -> list[tuple[Row, Any]]:
        items = facts.attention.items if facts else []
        return [(item_row(item, self.desk.now, self.glyphs), item) for item in items]

    def banner(self) -> Content:
        return Content("needs you" if self.listed else "")

    def surveyed(self) -> None:
        self.reload()

    def describe(self, row: Row, thing: AttentionItem, width: int) -> Content:
        return item_detail(thing, self.desk.now, self.glyphs, width)

    def agent_of(self, thing: AttentionItem) -> str | None:
        return thing.subject if thing.kind in ("question", "mail", "unhandled", "wrong_worktree") else None

    def action_copy_line(self) -> None:
        thing: AttentionItem | None = self.current
        self._copy(shlex.join(thing.command) if thing else "")
