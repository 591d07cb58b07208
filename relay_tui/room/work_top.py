"""The top of a large work tree, read without the rest: what a screen can show while it reads the whole."""

from __future__ import annotations

from relay_tui.room.work import STORED, Item, StoredItem, make_item, make_stored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from relay_tui.room.rooms import Room

STAND_IN = "…"
_SIZE = "SELECT count(*), count(*) FILTER (WHERE kind <> 'todo') FROM items WHERE room = ? AND removed_at IS NULL"
# Counted where the rows stand: a screen that draws meanwhile would hold up every row that Python has to look at.
_BELOW = """
SELECT parent, sum(status <> 'cancelled'), sum(status = 'done') FROM items INDEXED BY items_by_parent
WHERE room = ? AND removed_at IS NULL GROUP BY parent
"""
_INNER = """
SELECT id, parent, status FROM items WHERE room = ?1 AND removed_at IS NULL
  AND id IN (SELECT parent FROM items WHERE room = ?1 AND removed_at IS NULL)
"""
_TOP = """
SELECT {stored} FROM items WHERE room = ?1 AND removed_at IS NULL AND (parent IS NULL OR parent IN
  (SELECT id FROM items WHERE room = ?1 AND removed_at IS NULL AND kind IN ({kinds})))
ORDER BY place, id
"""


def count_items(room: Room) -> tuple[int, int]:
    """How many items there are, and how many of them are no todos."""
    with room.reading() as db:
        items, lines = db.execute(_SIZE, (room.row.key,)).fetchone()
    return items, lines


def read_top(room: Room, kinds: Sequence[str]) -> list[Item]:
    """Items at the top and those right below an item of these kinds, with the progress of the whole.

    An item whose children are left out has one stand-in for them; sources are left out too.
    """
    marks = ", ".join("?" * len(kinds))
    with room.reading() as db:
        below_each = db.execute(_BELOW, (room.row.key,)).fetchall()
        counts = _count_leaves(below_each, db.execute(_INNER, (room.row.key,)).fetchall())
        rows = db.execute(_TOP.format(stored=STORED, kinds=marks), (room.row.key, *kinds)).fetchall()
    below: dict[str | None, list[StoredItem]] = {}
    for item in map(make_stored, rows):
        below.setdefault(item.parent, []).append(item)
    return [_built(item, below, counts) for item in below.get(None, [])]


def _built(item: StoredItem, below: Mapping[str | None, list[StoredItem]], counts: Mapping[str, list[int]]) -> Item:
    built = [_built(child, below, counts) for child in below.get(item.id, [])]
    if item.id in counts:
        return make_item(item, built or [_stand_in(item)], None, *counts[item.id])
    return make_item(item, [], None, int(item.status != "cancelled"), int(item.status == "done"))


def _stand_in(parent: StoredItem) -> Item:
    left_out = parent._replace(id=parent.id + STAND_IN, title=STAND_IN, kind="todo", status="todo", parent=parent.id)
    return make_item(left_out, [], None, 0, 0)


def _count_leaves(
    below_each: Iterable[tuple[str | None, int, int]], inner: Sequence[tuple[str, str | None, str]]
) -> dict[str, list[int]]:
    """Leaves that count and leaves done of every item that has children, counted over everything below it."""
    direct = {parent: [leaves, done] for parent, leaves, done in below_each}
    for _, parent, status in inner:
        direct[parent][0] -= status != "cancelled"
        direct[parent][1] -= status == "done"
    parents = {item: parent for item, parent, _ in inner}
    counts = {item: [0, 0] for item in parents}
    for item in parents:
        above: str | None = item
        while above in counts:
            counts[above][0] += direct[item][0]
            counts[above][1] += direct[item][1]
            above = parents[above]
    return counts
