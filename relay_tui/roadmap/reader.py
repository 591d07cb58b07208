"""Reads a Markdown plan into nodes (DESIGN §6.5): which lines are items, and what they say.

Pure: bytes in, a `Reading` out. Blocks come from `outline`, titles from `attributes`; no room here.
"""

from __future__ import annotations

import os.path
import textwrap
from collections.abc import Sequence

from relay_tui.base.errors import RelayError
from relay_tui.roadmap.attributes import Head, read_title
from relay_tui.roadmap.frontmatter import FrontMatter, read_front_matter
from relay_tui.roadmap.lines import BOM, decode, split_lines
from relay_tui.roadmap.marks import STATUS_OF_MARK, status_of_cell
from relay_tui.roadmap.model import BoxPlace, Choices, Node, Place, Reading, Warning_
from relay_tui.roadmap.outline import Entry, Section, read_outline
from relay_tui.roadmap.selection import Aside, choose_sections
from relay_tui.roadmap.tables import Row, Table

_KIND_OF_LEVEL = {1: "roadmap", 2: "phase", 3: "epic"}


def read_roadmap(text: bytes, *, name: str, choices: Choices) -> Reading:
    """The items of a plan file called `name`, which names a roadmap that has no title of its own.

    Raises `too_large` above 16 MiB, `invalid` for what is not UTF-8 text, for a marker that stands twice and
    for an `--only` that no heading answers to.
    """
    source = decode(text, name).removeprefix(BOM)
    lines = split_lines(source)
    front = read_front_matter(lines)
    outline = read_outline("\n" * front.length + "".join(lines[front.length :]), lines)
    builder = _Builder(choices, lines, [*front.warnings, *outline.warnings])
    title = front.title or os.path.splitext(os.path.basename(name))[0] or name
    nodes = _with_front_matter(builder.build(outline.root, title), front)
    reading = Reading(
        title=nodes[0].title if nodes else title,
        nodes=tuple(nodes),
        left_aside=builder.aside.account(),
        warnings=tuple(sorted(builder.warnings, key=lambda warning: warning.line or 0)),
    )
    _refuse_twins(reading, name)
    return reading


class _Builder:
    def __init__(self, choices: Choices, lines: Sequence[str], warnings: list[Warning_]) -> None:
        self.choices = choices
        self.lines = lines
        self.warnings = warnings
        self.aside = Aside()
        self.title = ""
        self.every_heading = False

    def build(self, root: Section, title: str) -> list[Node]:
        """The roadmaps; what stands above the first one is gathered under one called `title`."""
        self.title = title
        self.every_heading = self.choices.sections or not _has_box(root)
        chosen, warnings = choose_sections(root, self.choices, self.aside)
        self.warnings += warnings
        first = next((at for at, part in enumerate(chosen.parts) if _is_roadmap(part)), len(chosen.parts))
        loose = self._below(chosen._replace(parts=chosen.parts[:first]))
        found = self._below(chosen._replace(parts=chosen.parts[first:]))
        if loose:
            head = self._head(title, 0, boxed=False)
            note = _note(chosen.paragraphs)
            found.insert(0, _node("roadmap", head, head.status or "todo", 1, note=note, children=loose))
        return found

    def _below(self, section: Section) -> list[Node]:
        nodes: list[Node] = []
        for part in section.parts:
            if isinstance(part, Section):
                nodes += self._section(part)
            elif isinstance(part, Table):
                nodes += self._table(part)
            else:
                nodes += self._top_entry(part, section)
        return nodes

    def _section(self, section: Section) -> list[Node]:
        children = self._below(section)
        fallback = self.title if section.level == 1 else "Untitled"
        head = self._head(section.text, section.line, boxed=False)
        head = head if head.title else head._replace(title=fallback)
        if not (children or self.every_heading or head.marker):
            self.aside.headings.append(section.line)
            return []
        kind = _KIND_OF_LEVEL.get(section.level, "task")
        status = head.status or "todo"
        note = _note(section.paragraphs)
        end = section.title_end
        return [_node(kind, head, status, section.line + 1, note=note, title_end=end, children=children)]

    def _table(self, table: Table) -> list[Node]:
        if self.choices.tables:
            return [node for node in map(self._row, table.rows) if node.title]
        self.aside.rows += [row.line for row in table.rows]
        self.aside.tables += bool(table.rows)
        return []

    def _row(self, row: Row) -> Node:
        head = self._head(row.title, row.line, boxed=False)
        status = status_of_cell(row.status)
        if row.status and not status:
            text = f"'{row.status}' is no status that relay knows, so the row is read as todo."
            self.warnings.append(Warning_(row.line + 1, text))
        status = head.status if head.struck else status or head.status
        head = head._replace(owner=row.owner or head.owner)
        return _node("task", head, status or "todo", row.line + 1, title_end=row.title_end)

    def _top_entry(self, entry: Entry, section: Section) -> list[Node]:
        if entry.title and not entry.box and not self.choices.bullets:
            self.aside.bullets.append(entry.line)
            self.aside.bullet_sections.add(section.line)
        return [node for node, _ in self._entry(entry, "task", self.choices.bullets)]

    def _entry(self, entry: Entry, kind: str, plain: bool) -> list[tuple[Node, Entry]]:
        """The entry as one node, or the nodes inside it where it is none itself, each with its entry."""
        box = entry.box
        taken = box or (plain and entry.title)
        head = self._head(entry.title, entry.line, boxed=box is not None) if taken else None
        inner: list[tuple[Node, Entry]] = []
        for below in entry.inner:
            inner += self._entry(below, "todo" if head and head.title else kind, False)
        if not head:
            return inner
        if not head.title:
            self.warnings.append(Warning_(entry.line + 1, "A checkbox without a title is no item."))
            return inner
        status = head.status or (STATUS_OF_MARK[box.mark] if box else "todo")
        note = self._entry_note(entry, [own for _, own in inner])
        children = [node for node, _ in inner]
        end = entry.title_end
        node = _node(kind, head, status, entry.line + 1, note=note, box=box, title_end=end, children=children)
        return [(node, entry)]

    def _entry_note(self, entry: Entry, items: list[Entry]) -> str | None:
        """What stands in the entry besides its title and the items in it, as written."""
        at = entry.title_end_line
        if at >= entry.end:
            return None
        kept: list[str] = []
        for item in items:
            kept += self.lines[at : item.line]
            at = max(at, item.end)
        kept += self.lines[at : entry.end]
        text = "\n".join(line.rstrip("\r\n") for line in kept)
        return textwrap.dedent(text).strip("\n").rstrip() or None if text.strip() else None

    def _head(self, text: str, line: int, *, boxed: bool) -> Head:
        head = read_title(text, line + 1, boxed=boxed)
        self.warnings += head.warnings
        return head


def _node(
    kind: str,
    head: Head,
    status: str,
    line: int,
    *,
    note: str | None = None,
    box: BoxPlace | None = None,
    title_end: Place | None = None,
    children: Sequence[Node] = (),
) -> Node:
    return Node._make((
        kind, head.title, status, head.owner, head.priority, head.labels, head.branch, head.due, note, head.marker,
        line, box, head.struck, title_end, tuple(children),
    ))  # fmt: skip


def _is_roadmap(part: Entry | Table | Section) -> bool:
    return isinstance(part, Section) and part.level == 1


def _note(paragraphs: list[str]) -> str | None:
    return "\n\n".join(paragraphs) or None


def _has_box(section: Section) -> bool:
    waiting: list[object] = list(section.parts)
    while waiting:
        part = waiting.pop()
        if isinstance(part, Section):
            waiting += part.parts
        elif isinstance(part, Entry):
            if part.box:
                return True
            waiting += part.inner
    return False


def _with_front_matter(nodes: list[Node], front: FrontMatter) -> list[Node]:
    """The first roadmap takes owner, labels and due date from the front matter where it names none."""
    if not nodes:
        return nodes
    first = nodes[0]
    first = first._replace(
        owner=first.owner or front.owner, labels=first.labels or front.labels, due=first.due or front.due
    )
    return [first, *nodes[1:]]


def _refuse_twins(reading: Reading, name: str) -> None:
    seen: dict[str, int] = {}
    for node in reading.walk():
        if node.marker in seen:
            first = seen[node.marker]
            raise RelayError(
                "invalid",
                f"{name} marks both line {first} and line {node.line} as relay:{node.marker}.",
                "Delete the marker of the line that is the newer one and import again.",
                {"lines": [first, node.line]},
            )
        if node.marker:
            seen[node.marker] = node.line
