"""Conflicts that an import left open: which they are, and settling one of them (DESIGN §6.5, three-way).

`seen` is what the last file said, `base` what file and room last agreed on. A conflict is a field in which
these differ and the room says a third thing; it is settled once what the file said counts as agreed.
"""

from __future__ import annotations

from relay_tui.base.canonical import decode
from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip
from relay_tui.room.agents import require_actor
from relay_tui.room.plans_fold import FIELDS
from relay_tui.room.work import Item, find_item, read_items, view_item
from relay_tui.room.work_edit import next_place
from relay_tui.room.work_moves import refuse_below_itself, refuse_waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence
    from typing import Any, NamedTuple

    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
    from relay_tui.room.work import StoredItem
else:
    from relay_tui.base.record import NamedTuple

_REMEMBERED = """
SELECT s.path, s.seen, s.base FROM plans AS p CROSS JOIN plan_items AS s ON s.room = p.room AND s.path = p.path
WHERE p.room = ? AND s.item = ? AND s.gone = 0 AND s.base IS NOT NULL ORDER BY p.path
"""


class OpenConflict(NamedTuple):
    """A field of one item as three sides say it; `path` is the plan file."""

    path: str
    field: str
    base: Any
    file: Any
    room: Any


class Resolution(NamedTuple):
    """`side` is whose value the item has from now on."""

    item: Item
    changed: list[str]
    conflict: OpenConflict
    side: str


def read_conflicts(db: sqlite3.Connection, room: int, item: StoredItem) -> list[OpenConflict]:
    """The open conflicts of an item, as the next import of an unchanged file would report them."""
    found = []
    for path, seen_text, base_text in db.execute(_REMEMBERED, (room, item.id)):
        for field, base, seen in zip(FIELDS, _values(base_text), _values(seen_text), strict=True):
            conflict = OpenConflict(path, field, base, seen, getattr(item, field))
            if _is_open(conflict):
                found.append(conflict)
    return found


def resolve_conflict(room: Room, me: Actor, wanted: str, field: str, side: str) -> Resolution:
    """Settle an open conflict for the `file` or for the `room`; later imports do not report it again.

    Raises `unknown_item`, `usage` for a field that no file says, `refused` where nothing is open in it, and
    where the file's place for the item cannot be had.
    """
    with room.writing(me) as tx:
        require_actor(tx, room)
        items = read_items(tx.db, tx.room)
        item = find_item(tx.db, tx.room, items, wanted)
        conflict = _find_conflict(read_conflicts(tx.db, tx.room, item), item, _field(field))
        new: dict[str, Any] = {}
        if side == "file":
            new = {conflict.field: conflict.file}
            if conflict.field == "parent":
                _refuse_parent(items, item, conflict)
                new["place"] = next_place(tx.db, tx.room, conflict.file)
        tx.append("work.resolved", {
            "id": item.id, "path": conflict.path, "field": conflict.field, "side": side,
            "agreed": conflict.file, "set": new,
        })  # fmt: skip
        changed = [conflict.field] if new else []
        return Resolution(view_item(tx.db, tx.room, item.id), changed, conflict, side)


def _is_open(conflict: OpenConflict) -> bool:
    """What the room took back is no conflict, but for a move that had nowhere to go and stays to be settled."""
    if conflict.file in (conflict.base, conflict.room):
        return False
    return conflict.room != conflict.base or conflict.field == "parent"


def _field(typed: str) -> str:
    """The field of that name; `label` is `labels`. Raises `usage`."""
    field = "labels" if typed == "label" else typed
    if field not in FIELDS:
        message = f"'{clip(typed, 40)}' is not a field that a plan says."
        raise RelayError("usage", message, f"Use one of {', '.join(FIELDS)}.")
    return field


def _find_conflict(conflicts: Sequence[OpenConflict], item: StoredItem, field: str) -> OpenConflict:
    found = next((one for one in conflicts if one.field == field), None)
    if found is None:
        fields = list(dict.fromkeys(one.field for one in conflicts))
        hint = f"Open: {', '.join(fields)}." if fields else "Nothing of it is open."
        raise RelayError("refused", f"{item.id} has no open conflict in {field}.", hint, {"open": fields})
    return found


def _refuse_parent(items: Mapping[str, StoredItem], item: StoredItem, conflict: OpenConflict) -> None:
    above = conflict.file
    if above is not None and above not in items:
        raise RelayError(
            "refused", f"The file puts {item.id} below {above}, which is removed.", f"Run: relay work restore {above}"
        )
    refuse_below_itself(items, item.id, above)
    refuse_waiting(items, item, above)


def _values(text: str) -> list[Any]:
    found = decode(text)
    assert isinstance(found, list)
    return found
