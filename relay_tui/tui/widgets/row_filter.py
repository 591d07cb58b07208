"""The `/` filter: words that a row must have or, with `!`, must not have. Pure functions of text and rows.

`state:stale` looks only into the field or column of that name; where a row has none it is a plain word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from relay_tui.base.text import inert
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import Words
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple


class Term(NamedTuple):
    """One word of the filter, case folded."""

    word: str
    key: str
    value: str
    negated: bool


def filter_rows(text: str, rows: Iterable[Row], columns: Sequence[Column]) -> list[Row]:
    """The rows that fit the filter; a heading stays only where a row of its section stays."""
    terms = parse_filter(text)
    kept: list[Row] = []
    for row in rows:
        if row.heading:
            _drop_bare_heading(kept)
        if row.heading or accepts(terms, *_searchable(row, columns)):
            kept.append(row)
    _drop_bare_heading(kept)
    return kept


def parse_filter(text: str) -> list[Term]:
    """Words are separated by spaces; a lone `!` says nothing."""
    words = [(word.lstrip("!"), word.startswith("!")) for word in text.casefold().split()]
    return [Term(word, *_key_and_value(word), negated) for word, negated in words if word]


def nothing_fits(text: str, fields: Iterable[str]) -> str:
    """What stands in place of the rows where the filter lets none through."""
    nothing = f"Nothing matches the filter '{inert(text)}'."
    if any(term.key and term.key not in fields for term in parse_filter(text)):
        return f"{nothing}\nA word with a colon looks into a column: {', '.join(sorted(fields))}.\nesc clears it."
    return f"{nothing}\nesc clears it."


def accepts(terms: Iterable[Term], text: str, fields: Mapping[str, str]) -> bool:
    """Whether every term holds; `text` and `fields` are case folded."""
    return all(_found(term, text, fields) != term.negated for term in terms)


def _key_and_value(word: str) -> tuple[str, str]:
    key, colon, value = word.partition(":")
    return (key, value) if colon else ("", "")


def _found(term: Term, text: str, fields: Mapping[str, str]) -> bool:
    if term.key in fields:
        return term.value in fields[term.key]
    return term.word in text


def _searchable(row: Row, columns: Sequence[Column]) -> tuple[str, dict[str, str]]:
    cells = [_plain(cell).casefold() for cell in row.cells]
    fields = {column.key: cell for column, cell in zip(columns, cells, strict=False)}
    extra = {key: value.casefold() for key, value in (row.fields or {}).items()}
    return " ".join([*cells, *extra.values()]), fields | extra


def _plain(words: Words) -> str:
    return words if isinstance(words, str) else words.plain


def _drop_bare_heading(kept: list[Row]) -> None:
    if kept and kept[-1].heading:
        kept.pop()
