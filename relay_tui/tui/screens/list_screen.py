"""What every screen shows: a list with its detail, the lines around them, and the bar. Keys stand in `room_screen`.

A screen says what it reads, how a thing becomes a row, and how it is described; rows are made in `rows_of`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.getters import query_one
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.room.rooms import Room
from relay_tui.tui.answers import error_text
from relay_tui.tui.column_titles import ColumnTitles
from relay_tui.tui.columns import Column
from relay_tui.tui.desk import Desk
from relay_tui.tui.detail import DetailPane
from relay_tui.tui.frame import HeaderLine, Headline, KeysLine, Status, StatusLine, TabLine
from relay_tui.tui.glyphs import QUIET, Glyphs
from relay_tui.tui.keys import ALWAYS_SHOWN, BAR_KEYS
from relay_tui.tui.row_filter import filter_rows
from relay_tui.tui.row_list import RowList
from relay_tui.tui.rows import Row
from relay_tui.tui.tally import badges
from relay_tui.tui.view_names import named_views

if TYPE_CHECKING:
    from relay_tui.tui.app import RelayApp
    from relay_tui.tui.command_bar import CommandBar

CRAMPED = "relay needs at least\n60 columns and 15 lines."
Listed = list[tuple[Row, Any]]


class ListScreen(Screen[None]):
    """`WORDS` are this screen's own words for its keys, by the bindings' ids; they lead the line of keys."""

    NAME: ClassVar[str] = ""
    COLUMNS: ClassVar[Sequence[Column]] = ()
    VIEWS: ClassVar[Sequence[str]] = ()
    WORDS: ClassVar[Mapping[str, str]] = {}
    EMPTY: ClassVar[str] = "Nothing here yet."
    READING: ClassVar[str] = ""  # what stands in place of the rows before the first reading
    AUTO_FOCUS = "RowList"
    HORIZONTAL_BREAKPOINTS = [(0, "-cramped"), (60, "-stacked"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (15, "-high")]

    row_list = query_one(RowList)
    detail = query_one(DetailPane)

    def __init__(self) -> None:
        super().__init__()
        self.view = 0
        self.filter_text = ""
        self.empty = self.EMPTY
        self.columns = self.COLUMNS
        self.listed: Listed = []
        self._things: dict[str, Any] = {}

    # What a screen says of itself

    def read(self, room: Room) -> Any:
        """The facts to show; called on the screen's thread, so it must be quick."""
        raise NotImplementedError

    def rows_from(self, facts: Any) -> Listed:
        """Rows, each with the thing it stands for (None for a heading)."""
        raise NotImplementedError

    def describe(self, row: Row, thing: Any, width: int) -> Content:
        """The detail of a row, for lines of `width` cells."""
        raise NotImplementedError

    def banner(self) -> Content:
        """The line above the list; by default the names of the views."""
        return self.view_names()

    def lead(self) -> Content:
        """What stands in that line also before a filter."""
        return Content("")

    def surveyed(self) -> None:
        """What git says has been read anew."""

    def git_changed(self) -> None:
        """A branch or a worktree has changed."""

    @property
    def words(self) -> Mapping[str, str]:
        """What the line of keys names now."""
        return self.WORDS

    # The frame

    @property
    def bar(self) -> CommandBar:
        """The bar at the foot, once it was opened."""
        return self.query_one("CommandBar")  # type: ignore[return-value]

    @property
    def relay(self) -> RelayApp:
        return self.app  # type: ignore[return-value]

    @property
    def desk(self) -> Desk:
        return self.relay.desk

    @property
    def glyphs(self) -> Glyphs:
        return self.relay.glyphs

    def compose(self) -> ComposeResult:
        yield HeaderLine(Headline(), self.glyphs)
        yield TabLine((self.NAME, {}), self.glyphs)
        with Container(classes="body"):
            with Vertical(classes="left"):
                yield Static(markup=False, classes="banner")
                yield ColumnTitles(self.columns)
                yield self.make_list()
            yield DetailPane()
        yield Static(Content(CRAMPED), classes="cramped")
        yield StatusLine(Status(), self.glyphs)
        yield KeysLine((), self.glyphs)

    def make_list(self) -> Widget:
        """What stands at the left: a list, or what can take its place."""
        return RowList(self.columns, empty=self.READING, glyphs=self.glyphs)

    def on_screen_resume(self) -> None:
        self.relay.show_room()

    def draw_frame(self) -> None:
        """The lines around the list, from what the app knows."""
        if not self.query(KeysLine):
            return
        app = self.relay
        self.query_one(HeaderLine).show(app.headline)
        self.query_one(TabLine).show((self.NAME, badges(app.tally, app.survey)))
        self.query_one(StatusLine).show(app.status)
        self.query_one(KeysLine).show(self._shown_keys())

    def on_descendant_focus(self) -> None:
        self.draw_frame()

    def _shown_keys(self) -> Sequence[tuple[str, str]]:
        for bar in self.query("CommandBar.-open"):
            return BAR_KEYS[bar.prompt]  # type: ignore[attr-defined]
        words = {**self.words, **ALWAYS_SHOWN}
        return self.named_keys(words)

    def named_keys(self, words: Mapping[str, str]) -> list[tuple[str, str]]:
        """Words by the ids of bindings, with the keys that a person presses for them here."""
        keys: dict[str, str] = {}
        for active in self.active_bindings.values():
            if active.binding.id is not None and active.binding.id in words:
                keys.setdefault(active.binding.id, self.app.get_key_display(active.binding))
        return [(keys[id], word) for id, word in words.items() if id in keys]

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Another view of the list; its rows follow with the next reading."""
        self.columns = columns
        self.query_one(ColumnTitles).set_columns(columns)
        self.row_list.set_columns(columns)

    # The list

    def reload(self) -> None:
        """Read the room and show it; what cannot be read is said where the rows would stand."""
        if not self.query(DetailPane):
            return
        try:
            facts = self.read(self.desk.room)
        except RelayError as fault:
            self.show_fault(fault)
        else:
            self.show_facts(facts)

    def show_facts(self, facts: Any) -> None:
        self.listed = self.rows_from(facts)
        self._things = {row.id: thing for row, thing in self.listed}
        self.draw_rows()

    def show_fault(self, fault: RelayError) -> None:
        self.listed, self._things = [], {}
        self.draw_rows()
        self.row_list.set_empty(error_text(fault))

    def draw_rows(self) -> None:
        """The rows that fit the filter, in place of those that stand there."""
        rows = [row for row, _ in self.listed]
        shown = filter_rows(self.filter_text, rows, self.columns) if self.filter_text else rows
        nothing_fits = f"Nothing fits the filter '{inert(self.filter_text)}'.\nesc takes it away."
        self.row_list.set_empty(nothing_fits if rows else self.empty)
        self.row_list.replace(shown)
        self.draw_banner()
        self.draw_detail()

    def draw_banner(self) -> None:
        words = self.banner()
        if self.filter_text:
            shown, whole = (sum(not row.heading for row in rows) for rows in (self.row_list.rows, self._rows))
            count = f"   {shown:,} of {whole:,}"
            words = Content.assemble(self.lead(), ("/", "$accent"), inert(self.filter_text), (count, QUIET))
        self.query_one(".banner", Static).update(words)

    @property
    def _rows(self) -> list[Row]:
        return [row for row, _ in self.listed]

    def view_names(self, beside: int = 0) -> Content:
        """The names of the views, with room for `beside` cells next to them."""
        width = self.query_one(".banner").content_size.width
        return named_views(self.VIEWS, self.view, max(width - beside, 1) if width else 0, self.glyphs)

    def thing_of(self, row: Row | None) -> Any:
        """What a row stands for; None for no row."""
        return self._things.get(row.id) if row else None

    @property
    def current(self) -> Any:
        """The thing under the cursor, or None."""
        return self.thing_of(self.row_list.row)

    @property
    def chosen(self) -> list[Any]:
        """The things an act is for: those marked, else the one under the cursor. Raises `refused` for none."""
        things = [thing for row in self.row_list.chosen if (thing := self.thing_of(row)) is not None]
        if not things:
            raise RelayError("refused", "There is no row to act on.", "? lists the keys of this screen.")
        return things

    @on(RowList.Highlighted)
    @on(DetailPane.Resized)
    def draw_detail(self) -> None:
        row, thing = self.row_list.row, self.current
        if row is None or thing is None:
            self.detail.show("")
            return
        try:
            words = self.describe(row, thing, self.detail.text_width)
        except RelayError as fault:
            words = Content(error_text(fault))
        self.detail.show(words, row.id)
