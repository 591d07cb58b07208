"""What all seven screens are: a list with its detail, lines around them, a bar, and the keys that work everywhere.

A screen says what it reads, how a thing becomes a row and a detail, and what its verbs do (`do_claim`, …).
Rows themselves are made in `rows_of`; nothing is written here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.getters import query_one
from textual.screen import Screen
from textual.widgets import Static

from relay_tui.actions.call import Call
from relay_tui.actions.table import ACTIONS
from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.room.rooms import Room
from relay_tui.tui.answers import error_text
from relay_tui.tui.column_titles import ColumnTitles
from relay_tui.tui.columns import Column
from relay_tui.tui.command_bar import CommandBar, no_completion
from relay_tui.tui.completion import complete_line
from relay_tui.tui.desk import Desk, line_of
from relay_tui.tui.detail import DetailPane
from relay_tui.tui.form import Value
from relay_tui.tui.frame import HeaderLine, Headline, KeysLine, Status, StatusLine, TabLine
from relay_tui.tui.glyphs import QUIET
from relay_tui.tui.help import Page, key_lines
from relay_tui.tui.inputs import Complete
from relay_tui.tui.known import read_known
from relay_tui.tui.modes import MODES
from relay_tui.tui.row_filter import filter_rows
from relay_tui.tui.row_list import RowList
from relay_tui.tui.rows import Row
from relay_tui.tui.tally import badges

if TYPE_CHECKING:
    from relay_tui.tui.app import RelayApp

# One letter, one verb on every screen (DESIGN §8).
VERBS = (
    ("a", "accept", "Accept"),
    ("d", "decline", "Decline"),
    ("c", "claim", "Claim"),
    ("x", "release", "Release"),
    ("X", "force", "Release by force"),
    ("t", "transfer", "Hand over"),
    ("m", "message", "Message the agent of this row"),
    ("R", "reply", "Reply"),
    ("n", "new", "New"),
    ("e", "edit", "Edit"),
    ("s", "status", "Set status"),
)
LETTER_OF = {verb: letter for letter, verb, _ in VERBS}
ALWAYS_SHOWN = {"bar.filter": "filter", "bar.command": "command", "screen.keys": "keys", "app.quit": "quit"}
CRAMPED = "relay needs at least\n60 columns and 15 lines."


class RoomScreen(Screen[None]):
    """`WORDS` are this screen's own words for its keys, by the bindings' ids; they lead the line of keys."""

    NAME: ClassVar[str] = ""
    COLUMNS: ClassVar[Sequence[Column]] = ()
    VIEWS: ClassVar[Sequence[str]] = ()
    WORDS: ClassVar[Mapping[str, str]] = {}
    EMPTY: ClassVar[str] = "Nothing here yet."
    AUTO_FOCUS = "RowList"
    HORIZONTAL_BREAKPOINTS = [(0, "-cramped"), (60, "-stacked"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (15, "-high")]
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"verb('{verb}')", word, show=False, id=f"act.{verb}") for key, verb, word in VERBS),
        Binding("J", "scroll_detail(1)", "Scroll the detail down", show=False, id="detail.scroll_down"),
        Binding("K", "scroll_detail(-1)", "Scroll the detail up", show=False, id="detail.scroll_up"),
        Binding("slash", "filter", "Filter (! negates, state:stale looks in one column)", show=False, id="bar.filter"),
        Binding("colon", "command", "Any relay command", show=False, id="bar.command"),
        Binding("left_square_bracket", "view(-1)", "Previous view", show=False, id="view.previous"),
        Binding("right_square_bracket", "view(1)", "Next view", show=False, id="view.next"),
        Binding("f", "view(1)", "Next view", show=False, id="view.cycle"),
        Binding("y", "copy_id", "Copy the id", show=False, id="copy.id"),
        Binding("Y", "copy_line", "Copy the relay line of this row", show=False, id="copy.line"),
        Binding("r", "reread", "Read again", show=False, id="screen.reread"),
        Binding("question_mark", "keys", "Keys of this screen", show=False, id="screen.keys"),
        Binding("escape", "back_out", "Back one step", show=False, id="screen.back"),
    ]

    row_list = query_one(RowList)
    detail = query_one(DetailPane)
    bar = query_one(CommandBar)

    def __init__(self) -> None:
        super().__init__()
        self.view = 0
        self.filter_text = ""
        self._listed: list[tuple[Row, Any]] = []
        self._things: dict[str, Any] = {}

    # What a screen says of itself

    def read(self, room: Room) -> Any:
        """The facts to show; called on the screen's thread, so it must be quick."""
        raise NotImplementedError

    def listed(self, facts: Any) -> list[tuple[Row, Any]]:
        """Rows, each with the thing it stands for (None for a heading)."""
        raise NotImplementedError

    def describe(self, row: Row, thing: Any) -> Content:
        """The detail of a row."""
        raise NotImplementedError

    def banner(self) -> Content:
        """The line above the list; by default the names of the views."""
        return self.view_names()

    def call_for(self, thing: Any) -> Call | None:
        """The line that `Y` copies for a row."""
        return None

    def id_of(self, row: Row, thing: Any) -> str:
        """What `y` copies."""
        return row.id

    def agent_of(self, thing: Any) -> str | None:
        """Whom `m` writes to."""
        return None

    def defaults(self, action: str, thing: Any) -> dict[str, Value]:
        """Values that a form begins with, taken from the row."""
        return {}

    def open_row(self, row: Row, thing: Any) -> None:
        """Enter: by default the detail gets the focus."""
        self.detail.focus()

    def surveyed(self) -> None:
        """What git says has been read anew."""

    # The frame

    @property
    def relay(self) -> RelayApp:
        return self.app  # type: ignore[return-value]

    @property
    def desk(self) -> Desk:
        return self.relay.desk

    def compose(self) -> ComposeResult:
        glyphs = self.relay.glyphs
        yield HeaderLine(Headline(), glyphs)
        yield TabLine((self.NAME, {}))
        with Container(classes="body"):
            with Vertical(classes="left"):
                yield Static(markup=False, classes="banner")
                yield ColumnTitles(self.COLUMNS)
                yield RowList(self.COLUMNS, empty=self.EMPTY, glyphs=glyphs)
            yield DetailPane()
        yield Static(Content(CRAMPED), classes="cramped")
        yield StatusLine(Status(), glyphs)
        yield KeysLine(())
        yield CommandBar()

    def on_screen_resume(self) -> None:
        self.relay.refresh_room()

    def draw_frame(self) -> None:
        """The lines around the list, from what the app knows."""
        if not self.is_mounted or not self.query(KeysLine):
            return
        app = self.relay
        self.query_one(HeaderLine).show(app.headline)
        self.query_one(TabLine).show((self.NAME, badges(app.tally, app.survey)))
        self.query_one(StatusLine).show(app.acts.status)
        self.query_one(KeysLine).show(self._shown_keys())

    def _shown_keys(self) -> list[tuple[str, str]]:
        words = {**self.WORDS, **ALWAYS_SHOWN}
        keys: dict[str, str] = {}
        for active in self.active_bindings.values():
            if active.binding.id in words:
                keys.setdefault(active.binding.id, self.app.get_key_display(active.binding))
        return [(keys[id], word) for id, word in words.items() if id in keys]

    # The list

    def reload(self) -> None:
        """Read the room and show it; what cannot be read is said where the rows would stand."""
        if not self.query(RowList):
            return
        try:
            self.show_facts(self.read(self.desk.room))
        except RelayError as fault:
            self.show_fault(fault)

    def show_facts(self, facts: Any) -> None:
        self._listed = self.listed(facts)
        self._things = {row.id: thing for row, thing in self._listed}
        self.draw_rows()

    def show_fault(self, fault: RelayError) -> None:
        self._listed, self._things = [], {}
        self.draw_rows()
        self.row_list.set_empty(error_text(fault))

    def draw_rows(self) -> None:
        """The rows that fit the filter, in place of those that stand there."""
        rows = [row for row, _ in self._listed]
        shown = filter_rows(self.filter_text, rows, self.COLUMNS) if self.filter_text else rows
        nothing_fits = f"Nothing fits the filter '{inert(self.filter_text)}'.\nesc takes it away."
        self.row_list.set_empty(nothing_fits if rows else self.EMPTY)
        self.row_list.replace(shown)
        self.query_one(".banner", Static).update(self._banner(sum(not row.heading for row in shown)))
        self.draw_detail()

    def _banner(self, shown: int) -> Content:
        if not self.filter_text:
            return self.banner()
        whole = sum(not row.heading for row, _ in self._listed)
        return Content.assemble(("/", "$accent"), inert(self.filter_text), (f"   {shown:,} of {whole:,}", QUIET))

    def view_names(self) -> Content:
        styles = ["$accent bold" if place == self.view else QUIET for place in range(len(self.VIEWS))]
        names = [Content.styled(name, style) for name, style in zip(self.VIEWS, styles, strict=True)]
        return Content("  ").join(names)

    @property
    def chosen(self) -> list[Any]:
        """The things an act is for: those marked, else the one under the cursor. Raises `refused` for none."""
        things = [self._things[row.id] for row in self.row_list.chosen if row.id in self._things]
        if not things:
            raise RelayError("refused", "There is no row to act on.", "? lists the keys of this screen.")
        return things

    @property
    def current(self) -> Any:
        """The thing under the cursor, or None."""
        row = self.row_list.row
        return self._things.get(row.id) if row else None

    @on(RowList.Highlighted)
    def draw_detail(self) -> None:
        row = self.row_list.row
        if row is None or row.id not in self._things:
            self.detail.show("")
            return
        try:
            words = self.describe(row, self._things[row.id])
        except RelayError as fault:
            words = Content(error_text(fault))
        self.detail.show(words, row.id)

    @on(RowList.Opened)
    def open_opened(self, event: RowList.Opened) -> None:
        if event.row.id in self._things:
            self.open_row(event.row, self._things[event.row.id])

    # Keys

    def action_verb(self, verb: str) -> None:
        """This screen's own way to do it, else the action that the table has for the key, else why not."""
        handler = getattr(self, f"do_{verb}", None)
        try:
            if handler is not None:
                handler()
            else:
                self._do_by_table(verb)
        except RelayError as refused:
            self.relay.acts.tell_error(refused)

    def _do_by_table(self, verb: str) -> None:
        letter = LETTER_OF[verb]
        action = next((one for one in ACTIONS.values() if one.screen == self.NAME and one.key == letter), None)
        if action is None:
            raise RelayError("refused", f"{letter} does nothing on this screen.", "? lists the keys that do.")
        self.relay.acts.start(action.name, self.defaults(action.name, self.current))

    def do_message(self) -> None:
        agent = self.agent_of(self.current) if self.current is not None else None
        self.relay.acts.start("send", {"to": agent}, ("to", "message", "summary"))

    def action_scroll_detail(self, lines: int) -> None:
        self.detail.action_scroll_lines(lines)

    def action_view(self, step: int) -> None:
        if not self.VIEWS:
            self.notify("This screen has one view.", markup=False)
            return
        self.show_view((self.view + step) % len(self.VIEWS))

    def show_view(self, view: int) -> None:
        self.view = view
        self.row_list.clear_marks()
        self.reload()

    def action_filter(self) -> None:
        self.bar.open("/", self.filter_text)

    def action_command(self) -> None:
        self.bar.open(":", "", self._completion())

    def _completion(self) -> Complete:
        try:
            known = read_known(self.desk.room, self.desk.me.name)
        except RelayError:
            return no_completion
        return lambda line: complete_line(line, known)

    @on(CommandBar.Edited)
    @on(CommandBar.Cancelled)
    @on(CommandBar.Submitted)
    def follow_bar(self, event: CommandBar.Edited | CommandBar.Cancelled | CommandBar.Submitted) -> None:
        if event.prompt == "/":
            self.filter_text = event.line
            self.draw_rows()
        elif isinstance(event, CommandBar.Submitted):
            self.relay.acts.type_line(event.line)

    def action_copy_id(self) -> None:
        row = self.row_list.row
        self._copy(self.id_of(row, self._things.get(row.id)) if row else "")

    def action_copy_line(self) -> None:
        call = self.call_for(self.current) if self.current is not None else None
        last = self.relay.acts.log.last
        self._copy(line_of(call) if call else last.line if last else "")

    def _copy(self, text: str) -> None:
        if not text:
            self.notify("There is nothing to copy here.", markup=False)
            return
        self.app.copy_to_clipboard(text)
        self.notify(f"Copied: {inert(text)}", markup=False)

    def action_reread(self) -> None:
        self.relay.refresh_room()

    def action_keys(self) -> None:
        title = next(mode.title for mode in MODES if mode.name == self.NAME)
        lines = key_lines(self.active_bindings, self.WORDS, self.app.get_key_display)
        self.app.push_screen(Page(f"Keys of {title}", lines))

    def action_back_out(self) -> None:
        """One step: out of the detail, out of the marks, out of the filter, back to the first view."""
        if self.focused is not self.row_list:
            self.row_list.focus()
        elif self.row_list.clear_marks():
            return
        elif self.filter_text:
            self.filter_text = ""
            self.draw_rows()
        elif self.view:
            self.show_view(0)
