"""Columns of a list: which of them fit, how wide they are, and one row laid out in them.

Pure functions of widths and cells, measured in terminal cells; widgets stand elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.tui.widgets.content import Words, one_line

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

GUTTER = 2  # the cursor's bar and the mark
GAP = 2
MEASURED = 200  # rows; of more, the first speak for the rest


class Column(NamedTuple):
    """Every column grows to what its cells need while there is room; `width` 0 also shares what is left after
    that, and keeps `minimum`. The highest `drop` goes first, 0 always stays."""

    key: str
    title: str = ""
    width: int = 0
    minimum: int = 10
    number: bool = False
    drop: int = 0


class Fitted(NamedTuple):
    """A column that is shown: its place among the cells, its width, and whether it is right-aligned."""

    place: int
    width: int
    number: bool


def measure(columns: Sequence[Column], rows: Iterable[Sequence[Words]]) -> list[int]:
    """How many cells each column needs for its title and for what the first rows have in it."""
    needs = [one_line(column.title).cell_length for column in columns]
    for cells in islice(rows, MEASURED):
        for place, cell in enumerate(cells[: len(needs)]):
            needs[place] = max(needs[place], one_line(cell).cell_length)
    return needs


def fit(columns: Sequence[Column], width: int, needs: Sequence[int] = ()) -> list[Fitted]:
    """The columns that are shown in `width` cells, in their order; `needs` are those that `measure` found."""
    kept = list(range(len(columns)))
    while _needed(columns, kept) > width and any(columns[place].drop for place in kept):
        kept.remove(max(kept, key=lambda place: (columns[place].drop, place)))
    spare = width - _needed(columns, kept)
    grown = _grown({place: needs[place] - _least(columns[place]) for place in kept if needs}, spare)
    left = spare - sum(grown.values())
    flexible = [place for place in kept if not columns[place].width]
    shares = {place: _share(left, len(flexible), turn) for turn, place in enumerate(flexible)}
    return [
        Fitted(
            place,
            max(_least(columns[place]) + grown.get(place, 0) + shares.get(place, 0), 1),
            columns[place].number,
        )
        for place in kept
    ]


def laid_out(cells: Sequence[Words], fitted: Sequence[Fitted]) -> Content:
    """One line of cells, each cut or padded to its column; a missing cell is blank."""
    boxes = [
        _boxed(cells[column.place] if column.place < len(cells) else "", column.width, column.number)
        for column in fitted
    ]
    return Content(" " * GAP).join(boxes)


def with_tail(lead: str, title: Words, tails: Sequence[Words], width: int) -> Content:
    """The longest tail that leaves the title whole; where none does, the title is cut for the shortest."""
    shown = one_line(title)
    for tail in tails:
        behind = Content.assemble(" " * GAP, one_line(tail)) if tail else Content("")
        room = width - len(lead) - behind.cell_length
        if shown.cell_length <= room:
            break
    return Content.assemble(lead, shown.truncate(max(room, 1), ellipsis=True), behind)


def _least(column: Column) -> int:
    return column.width or column.minimum


def _needed(columns: Sequence[Column], kept: Sequence[int]) -> int:
    return sum(_least(columns[place]) for place in kept) + GAP * max(len(kept) - 1, 0)


def _grown(wanted: Mapping[int, int], spare: int) -> dict[int, int]:
    """What each column gets of the cells it wants: small wishes are met whole, the others alike."""
    left, grown = max(spare, 0), {}
    for turn, (place, want) in enumerate(sorted(wanted.items(), key=itemgetter(1))):
        grown[place] = max(min(want, left // (len(wanted) - turn)), 0)
        left -= grown[place]
    return grown


def _share(spare: int, count: int, turn: int) -> int:
    return spare // count + (1 if turn < spare % count else 0)


def _boxed(cell: Words, width: int, number: bool) -> Content:
    content = one_line(cell).truncate(width, ellipsis=True)
    padding = width - content.cell_length
    return content.pad_left(padding) if number else content.pad_right(padding)
