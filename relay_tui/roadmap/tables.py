"""Tables that have a status column, as rows of title, status and owner."""

from __future__ import annotations

import re
from collections.abc import Sequence

from relay_tui.roadmap.model import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from markdown_it.token import Token
else:
    from relay_tui.base.record import NamedTuple

_TITLES = ("task", "item", "feature", "milestone", "requirement", "title")
_NOBODY = ("", "-", "–", "—")
_BAR = re.compile(r"(?<!\\)\|")


class Row(NamedTuple):
    """One row; the line counts from 0."""

    line: int
    title: str
    title_end: Place
    status: str
    owner: str | None


class Table(NamedTuple):
    """The rows with a title; none where the table has no status column. The line counts from 0."""

    line: int
    rows: list[Row]


def read_table(tokens: Sequence[Token], lines: Sequence[str]) -> Table:
    """Read the tokens of one table; `lines` are the lines of the file."""
    cells = _cells_by_line(tokens)
    header_line, header = cells[0]
    names = [cell.strip("*_` ").casefold() for cell in header]
    if "status" not in names:
        return Table(header_line, [])
    status = names.index("status")
    owner = names.index("owner") if "owner" in names else None
    title = _title_column(names, status)
    rows = []
    for line, row in cells[1:]:
        if row[title]:
            end = Place(line + 1, _cell_end(lines[line], title))
            rows.append(Row(line, row[title], end, row[status], _owner(row, owner)))
    return Table(header_line, rows)


def _cells_by_line(tokens: Sequence[Token]) -> list[tuple[int, list[str]]]:
    rows: list[tuple[int, list[str]]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append(((token.map or [0])[0], []))
        elif token.type == "inline":
            rows[-1][1].append(token.content)
    return rows


def _title_column(names: list[str], status: int) -> int:
    for name in _TITLES:
        if name in names:
            return names.index(name)
    return 1 if status == 0 and len(names) > 1 else 0


def _owner(row: list[str], column: int | None) -> str | None:
    text = row[column].strip("*_` ").removeprefix("@") if column is not None else ""
    return None if text in _NOBODY else text


def _cell_end(line: str, column: int) -> int:
    """Where the text of a cell ends in its line."""
    start = len(line) - len(line.lstrip())
    bars = [match.start() for match in _BAR.finditer(line)]
    if line[start : start + 1] != "|":
        bars.insert(0, -1)
    end = bars[column + 1] if column + 1 < len(bars) else len(line)
    return len(line[:end].rstrip())
