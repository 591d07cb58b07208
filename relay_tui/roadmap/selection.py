"""Which headings a person chose with `--only` and `--skip`, and the account of what was left aside."""

from __future__ import annotations

from collections.abc import Sequence

from relay_tui.base.errors import RelayError
from relay_tui.base.text import counted
from relay_tui.roadmap.attributes import read_title
from relay_tui.roadmap.model import Choices, LeftAside, Warning_
from relay_tui.roadmap.outline import Entry, Section
from relay_tui.roadmap.tables import Table


class Aside:
    """Counts what is no item, with its lines (from 0), and says which option would take it in."""

    def __init__(self) -> None:
        self.bullets: list[int] = []
        self.bullet_sections: set[int] = set()
        self.rows: list[int] = []
        self.tables = 0
        self.headings: list[int] = []
        self.outside: list[int] = []

    def account(self) -> tuple[LeftAside, ...]:
        """One entry for each kind that has lines."""
        sections = counted(len(self.bullet_sections), "section")
        tables = counted(self.tables, "table")
        said = (
            _left("bullets", self.bullets, "bullet", f" in {sections} {_no_tasks(self.bullets)}: `--bullets`"),
            _left("table", self.rows, "row", f" in {tables} {_no_tasks(self.rows)}: `--tables`"),
            _left("section", self.headings, "heading", " without a checkbox below: `--sections`"),
            _left("section", self.outside, "line", " left out by `--only` and `--skip`"),
        )
        return tuple(part for part in said if part.lines)


def choose_sections(root: Section, choices: Choices, aside: Aside) -> tuple[Section, list[Warning_]]:
    """The tree without what `--only` and `--skip` leave out; raises `invalid` for an unknown `--only`."""
    if not choices.only and not choices.skip:
        return root, []
    headings = [_plain(section.text) for section in _sections(root)]
    for wanted in choices.only:
        if _plain(wanted) not in headings:
            raise RelayError(
                "invalid",
                f"No heading is called '{wanted}', so `--only` would leave nothing.",
                "Write the heading as it stands in the file, without its #.",
            )
    unknown = [skip for skip in choices.skip if _plain(skip) not in headings]
    warnings = [Warning_(None, f"No heading is called '{skip}', so `--skip` left nothing out.") for skip in unknown]
    only, skip = {*map(_plain, choices.only)}, {*map(_plain, choices.skip)}
    chosen = _prune(root, only, skip, not only, aside)
    return chosen or root._replace(parts=[], paragraphs=[]), warnings


def _prune(section: Section, only: set[str], skip: set[str], inside: bool, aside: Aside) -> Section | None:
    title = _plain(section.text)
    if section.level and title in skip:
        aside.outside += _lines(section)
        return None
    inside = inside or (section.level > 0 and title in only)
    parts: list[Entry | Table | Section] = []
    for part in section.parts:
        if isinstance(part, Section):
            kept = _prune(part, only, skip, inside, aside)
            parts += [kept] if kept else []
        elif inside:
            parts.append(part)
        else:
            aside.outside.append(part.line)
    if inside or parts:
        return section._replace(parts=parts)
    aside.outside += [section.line] if section.level else []
    return None


def _lines(section: Section) -> list[int]:
    below = [_lines(part) if isinstance(part, Section) else [part.line] for part in section.parts]
    return [section.line, *(line for lines in below for line in lines)]


def _sections(section: Section) -> list[Section]:
    below = [part for part in section.parts if isinstance(part, Section)]
    return [*below, *(deeper for part in below for deeper in _sections(part))]


def _plain(heading: str) -> str:
    return read_title(heading.lstrip("# \t"), 0, boxed=False).title.casefold()


def _left(kind: str, lines: Sequence[int], noun: str, text: str) -> LeftAside:
    return LeftAside(kind, tuple(line + 1 for line in sorted(lines)), counted(len(lines), noun) + text)


def _no_tasks(lines: Sequence[int]) -> str:
    return "is not a task" if len(lines) == 1 else "are not tasks"
