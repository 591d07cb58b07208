"""What stands beside the work tree: the items that were removed, and every conflict that an import left open."""

from __future__ import annotations

from relay_tui.room.work import STORED, Item, build_tree, make_stored, read_sources
from relay_tui.room.work_conflicts import OpenConflict, read_conflicts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

_REMOVED = f"SELECT {STORED}, removed_at FROM items WHERE room = ? AND removed_at IS NOT NULL ORDER BY place, id"
# What file and room last agreed on in every field is in no conflict.
_IN_DOUBT = f"""
SELECT {STORED} FROM items WHERE room = ?1 AND removed_at IS NULL
  AND id IN (SELECT item FROM plan_items WHERE room = ?1 AND gone = 0 AND seen <> base)
"""


class RemovedItems(NamedTuple):
    """Removed items, nested as they stood, and when each was removed, in microseconds."""

    items: list[Item]
    removed_at: dict[str, int]


def read_removed(room: Room) -> RemovedItems:
    """One that stood below what is still there stands at the top. What went last comes first."""
    with room.reading() as db:
        rows = db.execute(_REMOVED, (room.row.key,)).fetchall()
        sources = read_sources(db, room.row.key)
    removed_at = {row[0]: row[-1] for row in rows}
    tree = build_tree({row[0]: make_stored(row[:-1]) for row in rows}, sources)
    return RemovedItems(sorted(tree, key=lambda item: -removed_at[item.id]), removed_at)


def read_open_conflicts(room: Room) -> dict[str, list[OpenConflict]]:
    """Every item with open conflicts, by its id."""
    with room.reading() as db:
        in_doubt = [make_stored(row) for row in db.execute(_IN_DOUBT, (room.row.key,)).fetchall()]
        found = {item.id: read_conflicts(db, room.row.key, item) for item in in_doubt}
    return {item: conflicts for item, conflicts in found.items() if conflicts}
