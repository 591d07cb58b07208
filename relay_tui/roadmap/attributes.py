"""What a title says about itself: marker, `@owner #label !priority branch: due:`, emoji and strike-through.

Attributes stand only at the end of the line; anything else stays text as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from relay_tui.base.resources import can_be_branch
from relay_tui.roadmap.marks import split_emoji
from relay_tui.roadmap.model import Warning_

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

_MARKER = re.compile(r"<!--[ \t]*relay:[ \t]*([A-Za-z0-9][\w.-]*)[ \t]*-->")
_ATTRIBUTE = re.compile(
    r"@(?P<owner>\w(?:[\w.-]*\w)?)|#(?P<label>(?!\d+$)\w(?:[\w./:-]*\w)?)"
    r"|!(?P<priority>high|med|low|[1-4])|branch:(?P<branch>\S+)|due:(?P<due>\S+)",
    re.IGNORECASE,
)
_FIRST_OF_ATTRIBUTE = frozenset("@#!bBdD")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


class Head(NamedTuple):
    """A title taken apart; `status` is what an emoji or a strike-through said, if anything."""

    title: str
    marker: str | None = None
    status: str | None = None
    struck: bool = False
    owner: str | None = None
    priority: str | None = None
    labels: tuple[str, ...] = ()
    branch: str | None = None
    due: str | None = None
    warnings: tuple[Warning_, ...] = ()


_NOTHING_MORE = Head("")[2:]


@lru_cache(maxsize=1024)
def _read_attribute(word: str) -> tuple[str, str] | None:
    """Name and value; the same few owners and labels stand on most lines of a plan."""
    match = _ATTRIBUTE.fullmatch(word)
    if not match or not match.lastgroup:
        return None
    value = match[match.lastgroup]
    return match.lastgroup, value.lower() if match.lastgroup == "priority" else value


class _Attributes:
    __slots__ = ("labels", "line", "single", "warnings")

    def __init__(self, line: int) -> None:
        self.line = line
        self.single: dict[str, str] = {}
        self.labels: list[str] = []
        self.warnings: dict[str, Warning_] = {}

    def take(self, text: str) -> str:
        """The text without the attributes at its end; its first word always stays."""
        if not _may_have_attributes(text):
            return text
        words = text.split()
        kept = len(words)
        while kept > 1 and words[kept - 1][0] in _FIRST_OF_ATTRIBUTE and self._understands(words[kept - 1]):
            kept -= 1
        return text.rsplit(None, len(words) - kept)[0]

    def _understands(self, word: str) -> bool:
        attribute = _read_attribute(word)
        if not attribute:
            return False
        name, value = attribute
        if name == "label":
            self.labels.append(value)
            return True
        if name in self.single or (name == "due" and not self._is_date(value)):
            return False
        if name == "branch" and not self._is_branch(value):
            return False
        self.single[name] = value
        return True

    def _is_date(self, value: str) -> bool:
        if is_date(value):
            return True
        text = f"'due:{value}' is not a date, so it stays text. Write due:YYYY-MM-DD."
        self.warnings[value] = Warning_(self.line, text)
        return False

    def _is_branch(self, value: str) -> bool:
        if can_be_branch(value):
            return True
        text = f"'branch:{value}' is no name that git takes for a branch, so it stays text."
        self.warnings[value] = Warning_(self.line, text)
        return False


def is_date(text: str) -> bool:
    """Whether the text is a day of the calendar as YYYY-MM-DD."""
    if not _ISO_DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def read_title(text: str, line: int, *, boxed: bool) -> Head:
    """Take a title apart; `text` may span several source lines and `boxed` titles keep their emoji."""
    text, marker = _take_marker(one_line(text))
    if boxed and not text.endswith("~~") and not _may_have_attributes(text):
        return Head._make((text, marker, *_NOTHING_MORE))
    attributes = _Attributes(line)
    sign: str | None = None
    struck = False
    before = ""
    while text and text != before:
        before = text
        if not boxed and sign is None:
            text, sign = _take_emoji(text)
        if not struck:
            text, struck = _take_strike(text)
        text = attributes.take(text)
    said = attributes.single.get
    return Head._make((
        text, marker, "cancelled" if struck else sign, struck, said("owner"), said("priority"),
        tuple(dict.fromkeys(attributes.labels[::-1])), said("branch"), said("due"),
        tuple(attributes.warnings.values()),
    ))  # fmt: skip


def _may_have_attributes(text: str) -> bool:
    return bool(text) and text.rsplit(None, 1)[-1][0] in _FIRST_OF_ATTRIBUTE


def one_line(text: str) -> str:
    """Soft-wrapped source lines as one line."""
    if "\n" not in text:
        return text.strip()
    return " ".join(filter(None, (part.strip() for part in text.split("\n"))))


def code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each inline code span, backticks included, in time linear in the text."""
    runs = [match.span() for match in re.finditer("`+", text)]
    next_of_length: dict[int, int] = {}
    closers: list[int | None] = [None] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        closers[index] = next_of_length.get(length)
        next_of_length[length] = index
    index = 0
    while index < len(runs):
        closer = closers[index]
        if closer is not None:
            yield runs[index][0], runs[closer][1]
            index = closer
        index += 1


def _take_marker(text: str) -> tuple[str, str | None]:
    if "relay:" not in text:
        return text, None
    match = find_marker(text)
    if not match:
        return text, None
    rest = f"{text[: match.start()].rstrip()} {text[match.end() :].lstrip()}"
    return rest.strip(), match[1]


def find_marker(text: str) -> re.Match[str] | None:
    """The first marker that is no code; its group is the id that it names."""
    return _MARKER.search(_without_code(text))


def _without_code(text: str) -> str:
    """The text with every inline code span blanked out, so that places in it stay the same."""
    kept, at = [], 0
    for start, end in code_spans(text):
        kept += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*kept, text[at:]])


def _take_emoji(text: str) -> tuple[str, str | None]:
    rest, status = split_emoji(text)
    return (rest, status) if rest else (text, None)


def _take_strike(text: str) -> tuple[str, bool]:
    inner = text[2:-2]
    if text.startswith("~~") and text.endswith("~~") and inner and "~~" not in inner:
        return (inner.strip(), True) if inner.strip() else (text, False)
    return text, False
