"""Columns and phrases that the texts share; cells are inert before they are measured."""

from __future__ import annotations

from relay_tui.base.text import clip, inert
from relay_tui.base.times import age, local_date

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

NAME_SHOWN = 80  # characters of a claim's name: one that is longer would widen every row of a list
TITLE_SHOWN = 500  # characters of an item's title: as many as one may have that no file brings
TEXT_SHOWN = 200  # characters of what somebody says in a list; JSON has all of it


def columns(rows: Iterable[Sequence[str]], indent: str = "") -> Iterator[str]:
    """Rows with their cells aligned at the left, two spaces between."""
    cleaned = [[inert(cell) for cell in row] for row in rows]
    if not cleaned:
        return
    widths = [max(map(width, column)) for column in zip(*cleaned, strict=True)]
    for row in cleaned:
        cells = (cell + " " * (size - width(cell)) for cell, size in zip(row, widths, strict=True))
        yield indent + "  ".join(cells).rstrip()


def width(text: str) -> int:
    """How many terminal columns a text takes: two for East Asian wide characters, none for combining ones."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(2 if east_asian_width(char) in "WF" else 0 if combining(char) else 1 for char in text)


def ago(then: int | None, now: int) -> str:
    """`6s ago`, or `never`."""
    return "never" if then is None else f"{age(then, now)} ago"


def more_follow(cursor: str | None) -> Iterator[str]:
    """The last line of a list that goes on."""
    if cursor:
        yield f"More follow: add --since {cursor}"


def of_any_moment(tell: Callable[[Any, int], Iterator[str]]) -> Callable[[Any, int], Iterator[str]]:
    """The text of an answer, also where it is one of the past: with that said first, and ages as they were then."""

    def told(found: Any, now: int) -> Iterator[str]:
        then = getattr(found, "as_of", None)
        if then is None:
            yield from tell(found, now)
            return
        yield f"As it was at {local_date(then)}:"
        yield from tell(found.found, then)

    return told


def title_words(title: str) -> str:
    """An item's title as a line says it."""
    return inert(clip(title, TITLE_SHOWN))


def value_words(value: object) -> str:
    """The value of an item's field as a line says it."""
    if isinstance(value, list):
        return inert(", ".join(map(str, value))) or "nothing"
    return "nothing" if value is None else inert(str(value))
