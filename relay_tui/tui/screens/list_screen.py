"""What every screen shows: a list with its detail, the lines around them, and the bar. Keys stand in `room_screen`.

A screen says what it reads, how a thing becomes a row, and how it is described; rows are made in `rows_of`. What
must be said is abstract: Textual has a metaclass of its own, so mypy holds the screens to it, each being `@final`.
"""

from __future__ import annotations

from abc import abstractmethod
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
from relay_tui.tui.desk import Desk
from relay_tui.tui.frame import LEAST_COLUMNS, LEAST_LINES, HeaderLine, Headline, KeysLine, Status, StatusLine, TabLine
from relay_tui.tui.keys import ALWAYS_SHOWN, BAR_KEYS
from relay_tui.tui.readings.tally import badges
from relay_tui.tui.widgets.column_titles import ColumnTitles
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.detail import DetailPane
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs
from relay_tui.tui.widgets.row_list import RowList
from relay_tui.tui.widgets.rows import Row
from relay_tui.tui.widgets.view_names import named_views

if TYPE_CHECKING:
    from relay_tui.tui.app import RelayApp
    from relay_tui.tui.widgets.command_bar import CommandBar

CRAMPED = f"relay needs at least\n{LEAST_COLUMNS} columns and {LEAST_LINES} lines."
Listed = list[tuple[Row, Any]]


class ListScreen(Screen[None]):
    """`WORDS` are this screen's own words for its keys, by the bindings' ids; they lead the line of keys."""

    NAME: ClassVar[str] = ""
    COLUMNS: ClassVar[Sequence[Column]] = ()
    VIEWS: ClassVar[Sequence[str]] = ()
    WORDS: ClassVar[Mapping[str, str]] = {}
    LOOKS: ClassVar[frozenset[str]] = frozenset()  # keys of verbs that only look on this screen
    EMPTY: ClassVar[str] = "Nothing here yet."
    READING: ClassVar[str] = ""  # what stands in place of the rows before the first reading
    AUTO_FOCUS = "RowList"
    HORIZONTAL_BREAKPOINTS = [(0, "-cramped"), (LEAST_COLUMNS, "-stacked"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (LEAST_LINES, "-high")]

    row_list = query_one(RowList)
    detail = query_one(DetailPane)

    def __init__(self) -> None:
        super().__init__(classes=self._fitting_classes())
        self.view = 0
        self.filter_text = ""
        self.empty = self.EMPTY
        self.columns = self.COLUMNS
        self._is_up = False
        self._fault: RelayError | None = None  # why there are no rows
        self._rows: list[Row] = []
        self._things: dict[str, Any] = {}

    def _fitting_classes(self) -> str:
        """Those of the breakpoints, from the start: one that comes with the first resize styles everything anew."""
        width, height = self.app.size
        columns = max(least for least in self.HORIZONTAL_BREAKPOINTS if least[0] <= width)
        lines = max(least for least in self.VERTICAL_BREAKPOINTS if least[0] <= height)
        return f"{columns[1]} {lines[1]}"

    # What a screen says of itself

    @abstractmethod
    def read(self, room: Room) -> Any:
        """The facts to show; called on the screen's thread, so it must be quick."""

    def rows_from(self, facts: Any) -> Listed:
        """Rows, each with the thing it stands for (None for a heading); a tree is filled by `show_facts` instead."""
        return []

    @abstractmethod
    def describe(self, row: Row, thing: Any, width: int) -> Content:
        """The detail of a row, for lines of `width` cells."""

    def banner(self) -> Content:
        """The line above the list; by default the names of the views."""
        return self.view_names()

    def lead(self) -> Content:
        """What the line begins with while a filter stands in it."""
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
        yield Static(Content(f"{CRAMPED}\n{self.relay.way_out.keys[0]} leaves."), classes="cramped")
        yield StatusLine(Status(), self.glyphs)
        yield KeysLine((), self.glyphs)

    def make_list(self) -> Widget:
        """What stands at the left: a list, or what can take its place."""
        return RowList(self.columns, empty=self.READING, glyphs=self.glyphs)

    def on_mount(self) -> None:
        self.draw_banner()
        self.draw_frame()

    def on_screen_resume(self) -> None:
        """Textual says so twice when a mode is shown for the first time, and one reading is enough."""
        if not self._is_up:
            self._is_up = True
            self.relay.show_room()

    def on_screen_suspend(self) -> None:
        self._is_up = False

    def draw_age(self) -> None:
        """What moves on while nothing happens: how old the reading is."""
        for header in self.query(HeaderLine):
            header.show(self.relay.headline)

    def draw_frame(self) -> None:
        """The lines around the list, from what the app knows."""
        if not self.query(KeysLine):
            return
        self.draw_age()
        app = self.relay
        self.query_one(TabLine).show((self.NAME, {} if app.headline.fault else badges(app.tally, app.survey)))
        self.query_one(StatusLine).show(app.status)
        self.query_one(KeysLine).show(self._shown_keys())

    def on_descendant_focus(self) -> None:
        self.draw_frame()

    def _shown_keys(self) -> Sequence[tuple[str, str]]:
        for bar in self.query("CommandBar.-open"):
            return BAR_KEYS[bar.prompt]  # type: ignore[attr-defined]
        return self.named_keys({**self.words, **ALWAYS_SHOWN})

    def named_keys(self, words: Mapping[str, str]) -> list[tuple[str, str]]:
        """Words by the ids of bindings, with the keys that a person presses for them here and now."""
        keys: dict[str, str] = {}
        for active in self.active_bindings.values():
            if active.binding.id is not None and active.binding.id in words:
                keys.setdefault(active.binding.id, self.app.get_key_display(active.binding))
        return [(keys[id], word) for id, word in words.items() if id in keys and not self.is_barred(id)]

    def is_barred(self, id: str) -> bool:
        """Whether a key would change something, where nothing may be changed."""
        return self.desk.read_only and id.startswith("act.") and id not in self.LOOKS

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Another view of the list; its rows follow with the next reading."""
        self.columns = columns
        self.query_one(ColumnTitles).set_columns(columns)
        self.row_list.set_columns(columns)

    # The list

    def reload(self) -> None:
        """Read the room and show it; what cannot be read is said where the rows would stand."""
        if not self.query(DetailPane):
            return None
        try:
            facts = self.read(self.desk.room)
        except RelayError as fault:
            self.relay.reading_failed(fault)
            return self.show_fault(fault)
        return self.show_facts(facts)

    def show_facts(self, facts: Any) -> None:
        self._fault = None
        listed = self.rows_from(facts)
        self._rows = [row for row, _ in listed]
        self._things = {row.id: thing for row, thing in listed}
        self.draw_rows()

    def show_fault(self, fault: RelayError) -> None:
        self._rows, self._things = [], {}
        self._fault = fault
        self.draw_rows()

    def draw_rows(self) -> None:
        """The rows that fit the filter, in place of those that stand there."""
        self.row_list.replace(self._fitting_rows())
        self.query_one(ColumnTitles).set_needs(self.row_list.needs)
        self.draw_around_rows()

    def _fitting_rows(self) -> list[Row]:
        if not self.filter_text:
            return self._rows
        from relay_tui.tui.widgets.row_filter import filter_rows

        return filter_rows(self.filter_text, self._rows, self.columns)

    def draw_around_rows(self) -> None:
        """What an empty list says, the line above it, and the detail beside it."""
        self.row_list.set_empty(self._what_empty_says())
        self.draw_banner()
        self.draw_detail()

    def _what_empty_says(self) -> str:
        if self._fault is not None:
            return self._fault.told
        if not self.filter_text or not self.counted[1]:
            return self.empty
        from relay_tui.tui.widgets.row_filter import nothing_fits

        return nothing_fits(self.filter_text, self.fields)

    @on(DetailPane.Resized)
    def draw_banner(self) -> None:
        words = self.banner()
        if self.filter_text:
            count = "   {:,} of {:,}".format(*self.counted)
            words = Content.assemble(self.lead(), ("/", "$accent"), inert(self.filter_text), (count, QUIET))
        self.query_one(".banner", Static).update(words, layout=False)  # it has one line, whatever it says

    @property
    def fields(self) -> set[str]:
        """What the filter can look into: `field:word`."""
        return {column.key for column in self.columns} | {key for row in self._rows for key in row.fields or ()}

    @property
    def counted(self) -> tuple[int, int]:
        """How many rows the filter lets through, and how many there are."""
        shown, whole = (sum(not row.heading for row in rows) for rows in (self.row_list.rows, self._rows))
        return shown, whole

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
            words = Content(fault.told)
        self.detail.show(words, row.id)
