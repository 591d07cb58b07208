"""The values of a roadmap: what a plan file holds, what was left aside, and where its boxes stand.

Only records and their words live here: no parsing, no matching, no room.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

TOP = -1  # where the index of a parent stands, and there is none


class Choices(NamedTuple):
    """What to take in besides headings and checkboxes, and which headings (DESIGN §6.5)."""

    bullets: bool = False
    tables: bool = False
    sections: bool = False
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()


class Place(NamedTuple):
    """A place in the source: the line counts from 1, the column from 0, in characters without the BOM."""

    line: int
    column: int


class BoxPlace(NamedTuple):
    """Where the character between the brackets stands, and which it is."""

    line: int
    column: int
    mark: str


class Node(NamedTuple):
    """One item of the plan with those below it; `line` counts from 1."""

    kind: str
    title: str
    status: str
    owner: str | None
    priority: str | None
    labels: tuple[str, ...]
    branch: str | None
    due: str | None
    note: str | None
    marker: str | None
    line: int
    box: BoxPlace | None
    struck: bool
    title_end: Place | None
    children: tuple[Node, ...]


class LeftAside(NamedTuple):
    """Lines that are no items, and the option that would make them so."""

    kind: str
    lines: tuple[int, ...]
    text: str


class Warning_(NamedTuple):  # noqa: N801 - `Warning` is Python's own
    """Something a person should look at; the line counts from 1, `None` is the whole file."""

    line: int | None
    text: str


class Reading(NamedTuple):
    """What one file says."""

    title: str
    nodes: tuple[Node, ...]
    left_aside: tuple[LeftAside, ...]
    warnings: tuple[Warning_, ...]

    def walk(self) -> list[Node]:
        """Every node, parents before children, in the order of the file."""
        return self.walk_with_parents()[0]

    def walk_with_parents(self) -> tuple[list[Node], list[int]]:
        """The nodes of `walk`, and for each the index of its parent or `TOP`."""
        nodes: list[Node] = []
        parents: list[int] = []
        waiting = [(node, TOP) for node in reversed(self.nodes)]
        while waiting:
            node, parent = waiting.pop()
            waiting += [(child, len(nodes)) for child in reversed(node.children)]
            nodes.append(node)
            parents.append(parent)
        return nodes, parents
