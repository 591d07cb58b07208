"""The lines around every screen: header, tabs, the newest command, and the keys. Words are laid out here only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from textual import events
from textual.content import Content
from textual.widget import Widget

from relay_tui.base.text import clip, counted, inert
from relay_tui.tui.modes import MODES
from relay_tui.tui.widgets.content import key_words
from relay_tui.tui.widgets.glyphs import OUTCOMES, QUIET, UNICODE, Glyphs

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.tui.readings.tally import Tally
    from relay_tui.tui.widgets.command_log import Entry
else:
    from relay_tui.base.record import NamedTuple

State = TypeVar("State")
LEAST_COLUMNS, LEAST_LINES = 60, 15  # below that there is room for nothing but the way out
ROOM_CHARACTERS = 40
GAP = "   "


class Headline(NamedTuple):
    """What the header says. `fault` is why the room cannot be read; `age` how old the words are, if any are."""

    tally: Tally | None = None
    age: str = ""
    polling: bool = False
    read_only: bool = False
    fault: str = ""
    missing: bool = False  # there is no room yet
    folders_room: str = ""  # the room that the folder leads to, where another one is shown


class Status(NamedTuple):
    """The newest command, and the line that is being carried out now."""

    entry: Entry | None = None
    running: str = ""


class FrameLine(Widget, Generic[State]):
    """One line that is drawn anew when its state or its width changes."""

    def __init__(self, state: State, glyphs: Glyphs) -> None:
        super().__init__()
        self.state = state
        self.glyphs = glyphs

    def show(self, state: State) -> None:
        if state != self.state:
            self.state = state
            self.refresh()


class HeaderLine(FrameLine[Headline]):
    def render(self) -> Content:
        return header_line(self.state, self.size.width, self.glyphs)


class TabLine(FrameLine[tuple[str, Mapping[str, str]]]):
    """The state is the mode that is shown, and the badges by mode. A click goes there."""

    def render(self) -> Content:
        here, badges = self.state
        tabs = fit_tabs(here, badges, self.size.width)
        return Content(_gap(tabs, self.size.width)).join([_tab(mode == here, words) for mode, words in tabs])

    async def on_click(self, event: events.Click) -> None:
        tabs = fit_tabs(*self.state, self.size.width)
        gap, right = len(_gap(tabs, self.size.width)), 0
        for mode, words in tabs:
            right += len(words) + gap
            if event.x < right:
                await self.app.run_action(f"go('{mode}')", self.app)
                return


class StatusLine(FrameLine[Status]):
    def render(self) -> Content:
        return status_line(self.state, self.size.width, self.glyphs)


class KeysLine(FrameLine[Sequence[tuple[str, str]]]):
    """Pairs of a key and what it does; the first ones matter most, the last three stay."""

    def render(self) -> Content:
        return keys_line(self.state, self.size.width)


def header_line(said: Headline, width: int, glyphs: Glyphs = UNICODE) -> Content:
    """The room at the left, its numbers at the right; what does not fit goes, the least first."""
    name = "no room yet" if said.missing else clip(inert(said.tally.room), ROOM_CHARACTERS) if said.tally else ""
    left = Content.assemble(("relay", "$accent bold"), "  ", (name, "bold"))
    if said.fault:
        room = max(width - left.cell_length - len(GAP), 1)
        fault = Content.assemble(glyphs.mark(OUTCOMES, "failed"), (f" {inert(said.fault)}", "$error"))
        return _apart(left, fault.truncate(room, ellipsis=True), width)
    parts = _header_parts(said, glyphs)
    while parts and left.cell_length + sum(part.cell_length + len(GAP) for _, part in parts) > width:
        parts.remove(max(parts, key=lambda part: part[0]))
    right = Content(GAP).join([part for _, part in parts])
    return _apart(left, right, width)


def _header_parts(said: Headline, glyphs: Glyphs) -> list[tuple[int, Content]]:
    """Parts with the order in which they may go."""
    parts: list[tuple[int, Content]] = []
    if said.folders_room:
        name = clip(inert(said.folders_room), ROOM_CHARACTERS)
        parts.append((1, Content.styled(f"this folder's room is {name}", "$warning")))
    if said.read_only:
        parts.append((1, Content.styled("read-only", "$warning")))
    if said.tally is not None and not said.missing:
        parts.append((3, Content(f"{counted(said.tally.stored, 'agent')} · {said.tally.live:,} live")))
        parts.append((2, Content(f"unhandled {said.tally.unhandled:,}")))
    if said.age:
        parts.append((4, Content.styled(f"updated {said.age}", QUIET)))
    done = glyphs.mark(OUTCOMES, "done")
    words, style = ("polling", "$warning") if said.polling else (f"{done} watching", "$success")
    state = Content.styled(words, style)
    return [*parts, (0, state)]


def fit_tabs(here: str, badges: Mapping[str, str], width: int) -> list[tuple[str, str]]:
    """Modes with their words: in full, in short, or only numbers for those that are not shown."""
    full = [(mode.name, f"{mode.key} {mode.title}", mode) for mode in MODES]
    short = [(name, f"{mode.key} {mode.short}", mode) for name, _, mode in full]
    bare = [(name, words if name == here else mode.key, mode) for name, words, mode in short]
    for choice in (full, short, bare):
        tabs = [(name, f"{words} {badges[name]}" if name in badges else words) for name, words, _ in choice]
        if _length(tabs) + len(tabs) - 1 <= width:
            return tabs
    return [(name, words) for name, words, _ in bare]


def _length(tabs: Sequence[tuple[str, str]]) -> int:
    return sum(len(words) for _, words in tabs)


def _gap(tabs: Sequence[tuple[str, str]], width: int) -> str:
    """Up to three spaces between two tabs."""
    return " " * max(min((width - _length(tabs)) // max(len(tabs) - 1, 1), 3), 1)


def _tab(is_here: bool, words: str) -> Content:
    return Content.styled(words, "$accent bold underline" if is_here else QUIET)


def status_line(status: Status, width: int, glyphs: Glyphs = UNICODE) -> Content:
    """`$ relay …` at the left; how it ended, how long it took, and where the others are at the right."""
    log = Content.styled("@ log", QUIET)
    if status.running:
        line, outcome = status.running, glyphs.outcome("running")
    elif status.entry is not None:
        line = status.entry.line
        outcome = Content.assemble(glyphs.outcome(status.entry.outcome), f" {status.entry.millis:,} ms")
    else:
        return _apart(Content(""), log, width)
    right = Content.assemble(outcome, GAP, log)
    left = Content(f"$ {inert(line)}").truncate(max(width - right.cell_length - len(GAP), 1), ellipsis=True)
    return _apart(left, right, width)


def keys_line(keys: Sequence[tuple[str, str]], width: int) -> Content:
    """`a ack   m message   : command   ? keys   q quit`; those before the last three go where there is no room."""
    shown = list(keys)
    while len(shown) > 3 and sum(len(key) + len(word) + 4 for key, word in shown) - len(GAP) > width:
        del shown[-4]
    return key_words(shown)


def _apart(left: Content, right: Content, width: int) -> Content:
    gap = max(width - left.cell_length - right.cell_length, 1)
    return Content.assemble(left, " " * gap, right)
