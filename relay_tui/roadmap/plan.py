"""The three-way plan of an import: the last file, this file, the room (DESIGN §6.5).

Only what the file changed is applied; what both changed is a conflict, kept open until it is settled. Nothing
here applies anything or knows where items are stored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from relay_tui.roadmap.changes import (
    FIELDS,
    Added,
    Conflict,
    Fields,
    KnownItem,
    Moved,
    Plan,
    Remembered,
    Retitled,
    fields_of,
)
from relay_tui.roadmap.matching import Matching, match_items
from relay_tui.roadmap.model import Reading, Warning_
from relay_tui.roadmap.ordering import find_places, find_reordered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.roadmap.changes import Value


def make_plan(
    known: Sequence[KnownItem],
    reading: Reading,
    *,
    prefer: str | None = None,
    new_id: Callable[[], str],
    is_free: Callable[[str], bool],
    cancel_removed: bool = False,
    room_parents: Mapping[str, str | None] | None = None,
) -> Plan:
    """What importing `reading` would change.

    `known` are the items that earlier imports of the file made, removed ones too. `prefer` (`file` or `room`)
    settles conflicts, `is_free` says whether an id may be given to a new item, and `room_parents` maps the
    items that the file does not know to their parents, so that no move closes a circle.
    """
    matching = match_items(known, reading, is_free)
    planner = _Planner(known, matching, prefer, room_parents or {})
    planner.compare(new_id)
    planner.refuse_bad_moves()
    planner.leave(cancel_removed)
    return planner.plan(reading)


class _Planner:
    def __init__(
        self,
        known: Sequence[KnownItem],
        matching: Matching,
        prefer: str | None,
        room_parents: Mapping[str, str | None],
    ) -> None:
        self.known = {item.id: item for item in known}
        self.matching = matching
        self.prefer = prefer
        self.removed_here = {item.id for item in known if item.removed}
        self.room_parents = {**room_parents, **{item.id: item.room.parent for item in known}}
        self.ids: list[str] = []
        self.added: list[Added] = []
        self.changes: dict[str, dict[str, tuple[Value, Value]]] = {}
        self.conflicts: list[Conflict] = []
        self.bases: dict[str, Remembered] = {}
        self.gone: list[str] = []
        self.warnings = list(matching.warnings)

    def compare(self, new_id: Callable[[], str]) -> None:
        """Every node of the file against its item, parents first."""
        places: dict[int, int] = defaultdict(int)
        items, marked_new = self.matching.items, self.matching.marked_new
        for index, (node, parent) in enumerate(zip(self.matching.nodes, self.matching.parents, strict=True)):
            item = items.get(index)
            id_ = item.id if item else marked_new.get(index) or new_id()
            self.ids.append(id_)
            base = file = fields_of(node, self.ids[parent] if parent >= 0 else None)
            if item is None:
                self._add(index, file)
            elif file == item.base:
                base = file = item.base
            else:
                base = self._compare_item(item, file, node.line)
            self.bases[id_] = Remembered._make((places[parent], node.line, False, file, base))
            places[parent] += 1

    def _add(self, index: int, file: Fields) -> None:
        """A new item; one below what the room removed hangs under the nearest parent that is still there."""
        parent = self.matching.parents[index]
        while parent >= 0 and self.ids[parent] in self.removed_here:
            parent = self.matching.parents[parent]
        there = self.ids[parent] if parent >= 0 else None
        fields = file if file.parent == there else file._replace(parent=there)
        self.added.append(Added._make((self.ids[index], fields, self.matching.nodes[index].line)))

    def _compare_item(self, item: KnownItem, file: Fields, line: int) -> Fields:
        """Note what the file changed in one item, and return what file and room agree on afterwards."""
        if item.removed:
            text = f"The room removed {item.id}, which the file changed: `relay work restore {item.id}`."
            self.warnings.append(Warning_(line, text))
            return item.base
        agreed: list[Value] = []
        for field, now, before, room in zip(FIELDS, file, item.base, item.room, strict=True):
            settled = now == before or room in (now, before) or self.prefer is not None
            agreed.append(now if settled else before)
            if not settled:
                self.conflicts.append(Conflict(item.id, field, before, now, room))
            elif now not in (before, room) and (room == before or self.prefer == "file"):
                self.changes.setdefault(item.id, {})[field] = (room, now)
        return Fields._make(agreed)

    def refuse_bad_moves(self) -> None:
        """Moves under a removed item or into a circle become conflicts; the room's place stays."""
        targets = {id_: fields["parent"][1] for id_, fields in self.changes.items() if "parent" in fields}
        bad = [id_ for id_, target in targets.items() if target in self.removed_here]
        while bad or (bad := self._circular(targets)):
            for id_ in bad:
                del targets[id_]
                self._refuse_move(id_)
            bad = []

    def _circular(self, targets: Mapping[str, Value]) -> list[str]:
        parents = {**self.room_parents, **{new.id: new.fields.parent for new in self.added}, **targets}
        return [id_ for id_ in targets if _is_own_ancestor(id_, parents)]

    def _refuse_move(self, id_: str) -> None:
        changed = self.changes[id_]
        room, file = changed.pop("parent")
        if not changed:
            del self.changes[id_]
        before = self.known[id_].base.parent
        remembered = self.bases[id_]
        self.bases[id_] = remembered._replace(base=remembered.base._replace(parent=before))
        self.conflicts.append(Conflict(id_, "parent", before, file, room))

    def leave(self, cancel_removed: bool) -> None:
        """What left the file is kept, remembered in case it returns, and cancelled if that is asked for."""
        for item in self.known.values():
            if item.id in self.bases:
                continue
            seen, base = item.seen, item.base
            if not (item.gone or item.removed):
                self.gone.append(item.id)
            if cancel_removed and not item.removed and base.status != "cancelled":
                seen, base = seen._replace(status="cancelled"), base._replace(status="cancelled")
                if item.room.status not in ("done", "cancelled"):
                    self.changes[item.id] = {"status": (item.room.status, "cancelled")}
            self.bases[item.id] = Remembered(item.place, None, True, seen, base)

    def plan(self, reading: Reading) -> Plan:
        """The plan as a value."""
        reordered = find_reordered(self.matching, self.ids)
        retitled, moved = self._take_apart()
        placed = {*(new.id for new in self.added), *(move.id for move in moved), *reordered}
        touched = {*self.changes, *(new.id for new in retitled), *placed, *self.gone, *self.removed_here}
        touched |= {conflict.id for conflict in self.conflicts}
        returned = {id_ for id_ in self.ids if id_ in self.known and self.known[id_].gone}
        return Plan(
            ids=tuple(self.ids),
            added=tuple(self.added),
            updated=self.changes,
            retitled=tuple(retitled),
            moved=tuple(moved),
            reordered=tuple(reordered),
            removed=tuple(self.gone),
            after=find_places(self.matching, self.ids, placed | returned, self.removed_here),
            unchanged=len([id_ for id_ in self.ids if id_ not in touched]),
            conflicts=tuple(self.conflicts),
            left_aside=reading.left_aside,
            warnings=tuple(sorted((*reading.warnings, *self.warnings), key=lambda warning: warning.line or 0)),
            bases=self.bases,
        )

    def _take_apart(self) -> tuple[list[Retitled], list[Moved]]:
        """Titles and parents out of the changed fields, in the order of the file."""
        retitled, moved = [], []
        for id_ in filter(self.changes.__contains__, self.ids):
            fields = self.changes[id_]
            if "title" in fields:
                old, new = fields.pop("title")
                retitled.append(Retitled(id_, str(old), str(new)))
            if "parent" in fields:
                moved.append(Moved(id_, *map(_as_id, fields.pop("parent"))))
        self.changes = {id_: fields for id_, fields in self.changes.items() if fields}
        return retitled, moved


def _as_id(value: Value) -> str | None:
    return value if isinstance(value, str) else None


def _is_own_ancestor(id_: str, parents: Mapping[str, Value]) -> bool:
    seen: set[str] = set()
    at = parents.get(id_)
    while isinstance(at, str) and at not in seen:
        if at == id_:
            return True
        seen.add(at)
        at = parents.get(at)
    return False
