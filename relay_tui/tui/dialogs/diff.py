"""The diff of a branch in a pane of its own: lines drawn one by one, made inert as they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.getters import query_one
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from relay_tui.actions.branch_looks import look_at_patch
from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip, inert
from relay_tui.tui.dialogs.dialog import Page
from relay_tui.tui.readings.lookout import Looked, Lookout
from relay_tui.tui.themes import DIALOGS_STYLESHEET
from relay_tui.tui.widgets.content import block, facts, key_words
from relay_tui.tui.widgets.glyphs import QUIET
from relay_tui.tui.widgets.rows import drawn

if TYPE_CHECKING:
    from relay_tui.room.rooms import Room
    from relay_tui.tui.desk import Desk

WIDEST = 400  # cells that a line can be scrolled to
TAB = 4
# The beginnings of lines and the colours for them; the first that fits counts.
STYLES = (
    ("diff --git ", "$accent bold"), ("+++ ", QUIET), ("--- ", QUIET),
    ("@@", "$accent"), ("+", "$success"), ("-", "$error"), ("\\", QUIET),
    ("index ", QUIET),
)  # fmt: skip
_FILE = "diff --git "
_KEYS = (
    ("j k", "one line"), ("ctrl+d ctrl+u", "half a page"), ("g G", "top, bottom"), ("h l", "sideways"),
    ("[ ]", "the file before, the next"), ("esc", "back"),
)  # fmt: skip


class DiffView(ScrollView, can_focus=True):
    """A patch of any length; only the lines that are seen are worked on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,J,down", "lines(1)", "Down", show=False),
        Binding("k,K,up", "lines(-1)", "Up", show=False),
        Binding("ctrl+d,pagedown,space", "pages(0.5)", "Half a page down", show=False),
        Binding("ctrl+u,pageup", "pages(-0.5)", "Half a page up", show=False),
        Binding("g,home", "edge(-1)", "Top", show=False),
        Binding("G,end", "edge(1)", "Bottom", show=False),
        Binding("l,right", "aside(8)", "Right", show=False),
        Binding("h,left", "aside(-8)", "Left", show=False),
        Binding("right_square_bracket,w", "file(1)", "Next file", show=False),
        Binding("left_square_bracket", "file(-1)", "Previous file", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._lines: Sequence[str] = ()
        self._files: list[int] = []

    def show(self, patch: str) -> None:
        self._lines = patch.removesuffix("\n").split("\n") if patch else ()
        self._files = [place for place, line in enumerate(self._lines) if line.startswith(_FILE)]
        self.virtual_size = Size(WIDEST, len(self._lines))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        x, width = self.scroll_offset.x, self.scrollable_content_region.width
        line = self.scroll_offset.y + y
        words = diff_line(self._lines[line]) if line < len(self._lines) else Content("")
        return drawn(self, words, self.visual_style, x + width).crop(x, x + width)

    def action_lines(self, lines: int) -> None:
        self.scroll_relative(y=lines, animate=False)

    def action_pages(self, pages: float) -> None:
        self.scroll_relative(y=int(pages * self.size.height), animate=False)

    def action_edge(self, side: int) -> None:
        self.scroll_to(y=0 if side < 0 else self.max_scroll_y, animate=False)

    def action_aside(self, cells: int) -> None:
        self.scroll_relative(x=cells, animate=False)

    def action_file(self, step: int) -> None:
        """To the next file, or the one before."""
        here = self.scroll_offset.y
        there = [place for place in self._files if (place > here if step > 0 else place < here)]
        if there:
            self.scroll_to(y=there[0] if step > 0 else there[-1], animate=False)


class DiffScreen(ModalScreen[None]):
    """Opens at once; the patch comes when git has answered."""

    CSS_PATH = DIALOGS_STYLESHEET
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,d,enter", "dismiss", "Close", show=False),
        Binding("question_mark", "keys", "Keys", show=False),
    ]

    view = query_one(DiffView)

    def __init__(self, desk: Desk, branch: str, default: str | None) -> None:
        super().__init__()
        self._branch = branch
        self._default = default
        self._lookout = Lookout(self, desk, self._read)

    def compose(self) -> ComposeResult:
        against = f"   against {inert(self._default)}" if self._default else ""
        yield Static(Content.assemble((inert(self._branch), "bold"), (against, QUIET)), classes="title")
        yield Static(Content("Reading git …"), classes="said")
        yield DiffView()
        keys = [("j k", "scroll"), ("h l", "sideways"), ("[ ]", "files"), ("esc", "back")]
        yield Static(key_words(keys), classes="keys")

    def on_mount(self) -> None:
        self._lookout.look()

    def action_keys(self) -> None:
        self.app.push_screen(Page("Keys of the diff", [facts(_KEYS)]))

    def _read(self, room: Room) -> str:
        """In a thread, because git may take its time."""
        try:
            return look_at_patch(room, self._branch)
        except RelayError as fault:
            if fault.code != "invalid":
                raise
            raise RelayError("invalid", fault.message, "git fsck names what the repository has lost.") from fault

    def on_looked(self, message: Looked) -> None:
        message.stop()
        message.lookout.ended()
        if message.fault is not None:
            self._say(message.fault.told)
        elif message.found:
            self.query_one(".said").display = False
            self.view.show(message.found)
            self.view.focus()
        else:
            self._say("No committed changes. What is not committed is not shown here.")

    def _say(self, words: str) -> None:
        self.query_one(".said", Static).update(block(words))


def diff_line(line: str) -> Content:
    """One line of a patch, harmless, in the colour of what it does, and no longer than it can be scrolled."""
    style = next((style for beginning, style in STYLES if line.startswith(beginning)), "")
    seen = line[: WIDEST + 1].removesuffix("\r").expandtabs(TAB)
    return Content.styled(clip(inert(seen), WIDEST), style)
