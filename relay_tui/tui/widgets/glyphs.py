"""The one vocabulary of marks and words (DESIGN §8): a state is a mark *and* a word, never colour alone.

Each mark has a letter for terminals without such glyphs. Unknown states are shown by their own word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import inert

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple


class Mark(NamedTuple):
    """A glyph, the letter that stands in for it, and the theme's colour for both."""

    glyph: str
    letter: str
    style: str = ""


QUIET = "$foreground-muted"
UNKNOWN = Mark("·", "?", QUIET)

AGENT_STATES = {
    "live": Mark("●", "L", "$success"),
    "quiet": Mark("◐", "q"),
    "dormant": Mark("○", "d", QUIET),
    "left": Mark("✕", "x", QUIET),
    "retired": Mark("▪", "r", QUIET),
}
BRANCH_FLAGS = {
    "contested": Mark("!", "!", "$error"),
    "orphaned": Mark("?", "?", "$warning"),
    "unclaimed": Mark("+", "+", "$warning"),
    "missing": Mark("×", "x", "$error"),
    "clear": Mark("✓", "v", "$success"),
    "quiet": Mark("·", ".", QUIET),
}
WORK_STATUSES = {
    "todo": Mark("☐", "[ ]"),
    "in-progress": Mark("◧", "[/]", "$accent"),
    "blocked": Mark("⊘", "[!]", "$error"),
    "review": Mark("◎", "[?]", "$warning"),
    "done": Mark("☑", "[x]", "$success"),
    "cancelled": Mark("─", "[-]", QUIET),
}
CLAIM_STATES = {"Held": Mark("■", "H"), "Stale": Mark("□", "S", "$warning")}
HANDOFF_STATES = {
    "waiting": Mark("⇄", "w", "$warning"),
    "accepted": Mark("✓", "v", "$success"),
    "partly": Mark("◐", "p", "$warning"),
    "declined": Mark("×", "x", "$error"),
    "cancelled": Mark("─", "-", QUIET),
}
ATTENTION_KINDS = {
    "question": Mark("✉", "Q", "$accent"),
    "contested": BRANCH_FLAGS["contested"],
    "orphaned": BRANCH_FLAGS["orphaned"],
    "missing": BRANCH_FLAGS["missing"],
    "handoff": HANDOFF_STATES["waiting"],
    "mail": Mark("✉", "M", "$accent"),
    "unhandled": Mark("✉", "U", "$warning"),
    "stale_claim": CLAIM_STATES["Stale"],
    "blocked": WORK_STATUSES["blocked"],
    "wrong_worktree": Mark("≠", "W", "$warning"),
    "overlap": Mark("∩", "O", "$warning"),
    "fault": Mark("×", "F", "$error"),
}
OUTCOMES = {
    "done": Mark("✓", "ok", "$success"),
    "dry run": Mark("○", "--", QUIET),
    "failed": Mark("×", "!!", "$error"),
    "running": Mark("…", "..", QUIET),
}

STAGES = ("stored", "notified", "delivered", "handled")
STAGE_MEANINGS = {
    "stored": "durable in the ledger",
    "notified": "the runner was told",
    "delivered": "poll or adapter got it",
    "handled": "only when the agent acks",
}
_STAGE_OPEN, _STAGE_DONE = "①②③④", "❶❷❸❹"


class Glyphs:
    """Draws states, with glyphs or with letters."""

    def __init__(self, letters: bool = False) -> None:
        self.letters = letters
        self.cursor = ">" if letters else "▌"
        self.marked = "*" if letters else "◆"
        self.arrow = "->" if letters else "→"
        self.step = ">" if letters else "›"
        self.step_back = "<" if letters else "‹"
        self.unequal = "!=" if letters else "≠"
        self._drawn_stages: dict[tuple[bool, ...], Content] = {}

    def agent(self, state: str) -> Content:
        return self._state(AGENT_STATES, state)

    def branch(self, flag: str) -> Content:
        return self._state(BRANCH_FLAGS, flag)

    def work(self, status: str) -> Content:
        return self._state(WORK_STATUSES, status)

    def claim(self, stale: bool) -> Content:
        return self._state(CLAIM_STATES, "Stale" if stale else "Held")

    def handoff(self, state: str) -> Content:
        return self._state(HANDOFF_STATES, state)

    def attention(self, kind: str) -> Content:
        """An attention item's kind in words."""
        from relay_tui.room.attention import kind_words

        mark = ATTENTION_KINDS.get(kind, UNKNOWN)
        return Content.styled(f"{self._glyph(mark)} {inert(kind_words(kind))}", mark.style)

    def outcome(self, outcome: str) -> Content:
        return self._state(OUTCOMES, outcome)

    def fold(self, is_open: bool) -> str:
        """The mark before something that has more below it."""
        if self.letters:
            return "-" if is_open else "+"
        return "▾" if is_open else "▸"

    def stages(self, reached: Mapping[str, object]) -> Content:
        """The four facts at a glance: a stage is filled only where `reached` has its own time."""
        done = tuple(bool(reached.get(stage)) for stage in STAGES)
        if done not in self._drawn_stages:  # a list has one in every row, and there are only sixteen
            marks = (self._stage(place, fact) for place, fact in enumerate(done))
            self._drawn_stages[done] = Content.assemble(*marks)
        return self._drawn_stages[done]

    def stage_line(self, stage: str, is_done: bool) -> Content:
        """A stage with its word, for the detail."""
        mark = self._stage(STAGES.index(stage), is_done)
        return Content.assemble(mark, " ", stage.capitalize())

    def progress(self, percent: int | None, width: int = 10) -> Content:
        """A bar and its number; a parent whose leaves are all cancelled has neither."""
        if percent is None:
            return Content("")
        full = percent * width // 100
        on, off = ("#", ".") if self.letters else ("█", "░")
        bar = Content.assemble((on * full, "$accent"), (off * (width - full), QUIET))
        return Content.assemble(bar, f" {percent:3d}%")

    def mark(self, marks: Mapping[str, Mark], word: str) -> Content:
        """The mark of a state alone, for a place that has its word nearby."""
        mark = marks.get(word, UNKNOWN)
        return Content.styled(self._glyph(mark), mark.style)

    def _state(self, marks: Mapping[str, Mark], word: str) -> Content:
        mark = marks.get(word, UNKNOWN)
        return Content.styled(f"{self._glyph(mark)} {inert(word).replace('_', ' ')}", mark.style)

    def _glyph(self, mark: Mark) -> str:
        return mark.letter if self.letters else mark.glyph

    def _stage(self, place: int, is_done: bool) -> tuple[str, str]:
        if self.letters:
            return (str(place + 1) if is_done else "-", "")
        return (_STAGE_DONE[place] if is_done else _STAGE_OPEN[place], "" if is_done else QUIET)


UNICODE = Glyphs()
LETTERS = Glyphs(letters=True)


def glyphs_for(encoding: str, environ: Mapping[str, str]) -> Glyphs:
    """Letters where the terminal is the Linux console, or older than UTF-8, or where it is said not to know that.

    Python writes UTF-8 for `LC_ALL=C` too, so its encoding alone does not tell.
    """
    is_old = environ.get("TERM", "").partition("-")[0] in ("linux", "dumb", "vt52", "vt100", "vt102", "vt220", "ansi")
    is_plain = is_old or environ.get("LC_ALL") in ("C", "POSIX") or "utf" not in encoding.lower()
    return LETTERS if is_plain else UNICODE
