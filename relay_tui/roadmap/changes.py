"""The values of a repeated import: what is known of an item, and the plan of what an import would change.

Only records live here; `matching` finds which line is which item, and `plan` compares the three values.
"""

from __future__ import annotations

from relay_tui.roadmap.model import LeftAside, Node, Warning_

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple, TypeAlias
else:
    from relay_tui.base.record import NamedTuple


class Fields(NamedTuple):
    """What a file or the room says of one item; `parent` is an item's id, `None` at the top."""

    kind: str
    parent: str | None
    title: str
    status: str = "todo"
    owner: str | None = None
    priority: str | None = None
    labels: tuple[str, ...] = ()
    branch: str | None = None
    due: str | None = None
    note: str | None = None


FIELDS = Fields._fields

if TYPE_CHECKING:
    Value: TypeAlias = str | tuple[str, ...] | None


class KnownItem(NamedTuple):
    """An item that an earlier import of the same file made.

    `seen` is what the last file said and `base` what file and room last agreed on: they differ in the
    fields whose conflict is still open. `place` is its order among its siblings in the last file that held
    it; `gone` says that the last file held it no more, `removed` that the room removed it.
    """

    id: str
    place: int
    gone: bool
    removed: bool
    seen: Fields
    base: Fields
    room: Fields


class Remembered(NamedTuple):
    """What the next import has to know of an item; members as in `KnownItem`, the line counts from 1."""

    place: int
    line: int | None
    gone: bool
    seen: Fields
    base: Fields


class Added(NamedTuple):
    """A new item; `fields.parent` is where the room hangs it."""

    id: str
    fields: Fields
    line: int


class Retitled(NamedTuple):
    id: str
    old: str
    new: str


class Moved(NamedTuple):
    id: str
    old: str | None
    new: str | None


class Conflict(NamedTuple):
    """A field that both the file and the room changed since they last agreed on `base`."""

    id: str
    field: str
    base: Value
    file: Value
    room: Value


class Plan(NamedTuple):
    """What an import would do; parents stand before their children in `added`, `moved` and `after`.

    `updated` maps an id to its fields with their old and new value, title and parent apart. `after` names,
    for each item that is added, moved, reordered or back, the sibling it follows (`None`: it comes first). `ids`
    are the items of `Reading.walk()`, one by one, and `bases` what to remember of every item.
    """

    ids: tuple[str, ...]
    added: tuple[Added, ...]
    updated: dict[str, dict[str, tuple[Value, Value]]]
    retitled: tuple[Retitled, ...]
    moved: tuple[Moved, ...]
    reordered: tuple[str, ...]
    removed: tuple[str, ...]
    after: dict[str, str | None]
    unchanged: int
    conflicts: tuple[Conflict, ...]
    left_aside: tuple[LeftAside, ...]
    warnings: tuple[Warning_, ...]
    bases: dict[str, Remembered]

    @property
    def is_empty(self) -> bool:
        """Whether applying it would change no item."""
        changes = (self.added, self.updated, self.retitled, self.moved, self.reordered, self.removed)
        return not any(changes)


def fields_of(node: Node, parent: str | None) -> Fields:
    """What the file says of a node."""
    return Fields._make((
        node.kind, parent, node.title, node.status, node.owner, node.priority, node.labels, node.branch, node.due,
        node.note,
    ))  # fmt: skip
