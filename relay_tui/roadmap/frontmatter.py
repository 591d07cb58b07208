"""Front matter at the head of a plan: plain `key: value` pairs and lists, read without YAML."""

from __future__ import annotations

import re
from collections.abc import Sequence

from relay_tui.roadmap.attributes import is_date
from relay_tui.roadmap.model import Warning_

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

_PAIR = re.compile(r"([A-Za-z][\w .-]{0,60}?)[ \t]*:(?:[ \t]+(.*))?$")
_ENTRY = re.compile(r"[ \t]*-[ \t]+(.+)$")
_ENDS = ("---", "...")


class FrontMatter(NamedTuple):
    """What the first `length` lines of a file say of the whole plan."""

    length: int = 0
    title: str | None = None
    owner: str | None = None
    labels: tuple[str, ...] = ()
    due: str | None = None
    warnings: tuple[Warning_, ...] = ()


class _Value(NamedTuple):
    line: int
    values: list[str]

    @property
    def first(self) -> str | None:
        return self.values[0] if self.values else None


_NOTHING = _Value(0, [])


def read_front_matter(lines: Sequence[str]) -> FrontMatter:
    """The front matter of a file, of length 0 where it has none."""
    length, pairs = _read_pairs(lines)
    due, warnings = _due(pairs.get("due", _NOTHING))
    words = re.split(r"[\s,#]+", " ".join(pairs.get("labels", _NOTHING).values))
    return FrontMatter(
        length=length,
        title=pairs.get("title", _NOTHING).first,
        owner=(pairs.get("owner", _NOTHING).first or "").removeprefix("@") or None,
        labels=tuple(dict.fromkeys(filter(None, words))),
        due=due,
        warnings=warnings,
    )


def _due(value: _Value) -> tuple[str | None, tuple[Warning_, ...]]:
    if not value.first or is_date(value.first):
        return value.first, ()
    text = f"'{value.first}' is not a date, so it is not read. Write due: YYYY-MM-DD."
    return None, (Warning_(value.line, text),)


def _read_pairs(lines: Sequence[str]) -> tuple[int, dict[str, _Value]]:
    """How many lines the front matter takes and its values by lower-case key."""
    if not lines or lines[0].rstrip() != "---":
        return 0, {}
    pairs: dict[str, _Value] = {}
    last: _Value | None = None
    for number, line in enumerate(lines[1:], start=2):
        text = line.rstrip()
        if text in _ENDS:
            return (number, pairs) if pairs else (0, {})
        pair = _PAIR.match(text)
        if pair:
            last = _Value(number, _values(pair[2] or ""))
            pairs[pair[1].lower()] = last
        elif not _continues(text, last):
            return 0, {}
    return 0, {}


def _continues(text: str, last: _Value | None) -> bool:
    entry = _ENTRY.match(text)
    if entry and last:
        last.values.append(_unquoted(entry[1]))
        return True
    return not text or text.startswith("#") or (last is not None and text[0] in " \t")


def _values(text: str) -> list[str]:
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [_unquoted(part) for part in text[1:-1].split(",") if part.strip()]
    return [_unquoted(text)] if text else []


def _unquoted(text: str) -> str:
    text = text.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text
