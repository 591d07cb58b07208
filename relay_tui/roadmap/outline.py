"""A Markdown source as sections, list entries and table rows, by markdown-it-py's block rules.

Inline text stays as it was written: only blocks are parsed. Which of all this are items is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from relay_tui.roadmap.blocks import BOXES, DEEPEST_LIST, MOST_NESTED, read_blocks
from relay_tui.roadmap.model import BoxPlace, Place, Warning_
from relay_tui.roadmap.tables import Table, read_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from markdown_it.token import Token
else:
    from relay_tui.base.record import NamedTuple

_BOX = re.compile(r"\[([ xX/~\-!?])\](?:\s+|$)")
_ATX = re.compile(r"[ \t]*#{1,6}")
_LISTS = (BOXES, "bullet_list_open", "ordered_list_open")


class Entry(NamedTuple):
    """One list entry; lines count from 0, `end` is the line after it. It may have no title."""

    line: int
    end: int
    title: str
    title_end_line: int
    title_end: Place | None
    box: BoxPlace | None
    inner: list[Entry]


class Section(NamedTuple):
    """A heading and what stands below it; level 0 is the file itself. The line counts from 0."""

    level: int
    line: int
    text: str
    title_end: Place | None
    paragraphs: list[str]
    parts: list[Entry | Table | Section]


class Outline(NamedTuple):
    root: Section
    warnings: list[Warning_]


def read_outline(source: str, lines: Sequence[str]) -> Outline:
    """Parse the source; `lines` are its lines as they stand in the file."""
    return make_outline(read_blocks(source), lines)


def make_outline(tokens: list[Token], lines: Sequence[str]) -> Outline:
    """The outline of a source whose blocks are read already."""
    return _Reader(tokens, lines).read()


class _Reader:
    def __init__(self, tokens: list[Token], lines: Sequence[str]) -> None:
        self.tokens = tokens
        self.lines = lines

    def read(self) -> Outline:
        root = Section(0, 0, "", None, [], [])
        path = [root]
        at = 0
        while at < len(self.tokens):
            at = self._read_block(at, path)
        return Outline(root, _warn_of_depth(self.tokens))

    def _read_block(self, at: int, path: list[Section]) -> int:
        kind = self.tokens[at].type
        if kind in _LISTS:
            entries, after = self._read_list(at)
            path[-1].parts.extend(entries)
            return after
        after = self._after(at)
        if kind == "heading_open":
            self._open_section(at, path)
        elif kind == "paragraph_open":
            path[-1].paragraphs.append(self.tokens[at + 1].content)
        elif kind == "table_open":
            path[-1].parts.append(read_table(self.tokens[at:after], self.lines))
        return after

    def _after(self, at: int) -> int:
        """The index after the block that opens here."""
        opening = self.tokens[at]
        if opening.nesting != 1:
            return at + 1
        at += 1
        while self.tokens[at].nesting != -1 or self.tokens[at].level != opening.level:
            at += 1
        return at + 1

    def _open_section(self, at: int, path: list[Section]) -> None:
        level = int(self.tokens[at].tag[1])
        while path[-1].level >= level:
            path.pop()
        inline = self.tokens[at + 1]
        start, end = _span(inline)
        place = self._title_end(end - 1)
        if self.tokens[at].markup.startswith("#"):
            place = self._atx_end(start, inline.content)
        section = Section(level, start, inline.content, place, [], [])
        path[-1].parts.append(section)
        path.append(section)

    def _title_end(self, line: int) -> Place:
        return Place._make((line + 1, len(self.lines[line].rstrip())))

    def _atx_end(self, line: int, content: str) -> Place:
        raw = self.lines[line]
        opening = _ATX.match(raw)
        start = opening.end() if opening else 0
        return Place(line + 1, raw.index(content, start) + len(content))

    def _read_list(self, at: int) -> tuple[list[Entry], int]:
        if self.tokens[at].type == BOXES:
            return self._read_boxes(self.tokens[at]), at + 1
        entries = []
        at += 1
        while self.tokens[at].type == "list_item_open":
            entry, at = self._read_entry(at)
            entries.append(entry)
        return entries, at + 1

    def _read_boxes(self, token: Token) -> list[Entry]:
        boxes = enumerate(token.meta[BOXES], start=_span(token)[0])
        return [
            Entry._make((line, line + 1, title, line + 1, self._title_end(line), self._box(line, mark), []))
            for line, (mark, title) in boxes
        ]

    def _read_entry(self, at: int) -> tuple[Entry, int]:
        opening, first = self.tokens[at], self.tokens[at + 1]
        inner: list[Entry] = []
        title = self.tokens[at + 2] if first.type == "paragraph_open" else None
        at += 4 if title else 1
        while self.tokens[at].type != "list_item_close":
            if self.tokens[at].type in _LISTS:
                entries, at = self._read_list(at)
                inner += entries
            else:
                at = self._after(at)
        return self._entry(opening, title, inner), at + 1

    def _entry(self, opening: Token, title: Token | None, inner: list[Entry]) -> Entry:
        line, end = _span(opening)
        if title is None:
            return Entry(line, end, "", line, None, None, inner)
        first, after = _span(title)
        box = _BOX.match(title.content)
        if not box:
            return Entry(line, end, title.content, after, self._title_end(after - 1), None, inner)
        text = title.content[box.end() :]
        return Entry(line, end, text, after, self._title_end(after - 1), self._box(first, box[1]), inner)

    def _box(self, line: int, mark: str) -> BoxPlace:
        while "[" not in self.lines[line]:
            line += 1  # a vertical tab or a form feed is blank to what strips a title, and begins its paragraph
        return BoxPlace._make((line + 1, self.lines[line].index("[") + 1, mark))


def _warn_of_depth(tokens: Sequence[Token]) -> list[Warning_]:
    for token in tokens:
        if token.level >= MOST_NESTED - 1 and token.type in ("list_item_open", "blockquote_open"):
            text = f"Lists are read {DEEPEST_LIST} deep; what stands deeper here is left out."
            return [Warning_(_span(token)[0] + 1, text)]
    return []


def _span(token: Token) -> tuple[int, int]:
    start, end = token.map or (0, 0)
    return start, end
