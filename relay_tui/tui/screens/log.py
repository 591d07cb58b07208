"""Log: the newest events of the room's ledger, followed as they arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from textual import on
from textual.content import Content

from relay_tui.actions.call import Call
from relay_tui.room.cursors import make_cursor
from relay_tui.room.journal import read_log, read_newest
from relay_tui.room.rooms import Room
from relay_tui.tui.rows_of.events import COLUMNS, event_detail, event_row
from relay_tui.tui.screens.list_screen import Listed
from relay_tui.tui.screens.room_screen import RoomScreen
from relay_tui.tui.widgets.glyphs import QUIET
from relay_tui.tui.widgets.row_list import RowList
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from relay_tui.room.ledger import Event

KEPT = 500  # events in the list
PAGE = 200


@final
class LogScreen(RoomScreen):
    NAME = "log"
    COLUMNS = COLUMNS
    VIEWS = ("everything", "message", "claim", "agent", "work")
    WORDS = {"view.cycle": "kind", "copy.line": "copy line"}
    EMPTY = "Nothing has happened yet.\nThe first join, send or claim appears here."

    def __init__(self) -> None:
        super().__init__()
        self._events: list[Event] = []  # newest first

    @property
    def follows(self) -> bool:
        """The list follows while the cursor stands on the newest event."""
        row = self.row_list.row
        return row is None or not self._events or row.id == str(self._events[0].number)

    def read(self, room: Room) -> list[Event]:
        """What is kept, with what has come since; where that is more than a page, the newest anew."""
        kind = self.VIEWS[self.view] if self.view else None
        if self._events:
            found = read_log(room, self.desk.me.name, after=self._events[0].seq, kind=kind, limit=PAGE)
            if found.next is None:
                return [*found.events[::-1], *self._events][:KEPT]
        return read_newest(room, self.desk.me.name, kind=kind, limit=KEPT).events[::-1]

    def show_view(self, view: int) -> None:
        self._events = []
        super().show_view(view)

    def rows_from(self, facts: list[Event]) -> Listed:
        return [(event_row(event), event) for event in facts]

    def show_facts(self, facts: list[Event]) -> None:
        follows = self.follows
        self._events = facts
        super().show_facts(facts)
        if follows:
            self.row_list.action_edge(-1)
            self.draw_banner()

    @on(RowList.Highlighted)
    def tell_whether_it_follows(self) -> None:
        self.draw_banner()

    def banner(self) -> Content:
        following = "following the newest" if self.follows else "g follows the newest"
        return Content.assemble(self.view_names(), (f"     {following}", QUIET))

    def describe(self, row: Row, thing: Event, width: int) -> Content:
        return event_detail(thing, self.desk.now, width)

    def agent_of(self, thing: Event) -> str:
        return thing.actor

    def call_for(self, thing: Event) -> Call:
        return self.desk.compose("log", since=make_cursor(thing.seq - 1), limit=1)
