"""The top of a large work tree, read without the rest: what a screen can show while it reads the whole."""

from __future__ import annotations

from relay_tui.room.work import STORED, Item, StoredItem, make_item, make_stored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from relay_tui.room.rooms import Room

STAND_IN = "…"
_SIZE = "SELECT count(*), count(*) FILTER (WHERE kind <> 'todo') FROM items WHERE room = ? AND removed_at IS NULL"
_LIGHT = "SELECT id, parent, status FROM items WHERE room = ? AND removed_at IS NULL"
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
        counts = _count_below(db.execute(_LIGHT, (room.row.key,)).fetchall())
        rows = db.execute(_TOP.format(stored=STORED, kinds=marks), (room.row.key, *kinds)).fetchall()
    below: dict[str | None, list[StoredItem]] = {}
    for item in map(make_stored, rows):
        below.setdefault(item.parent, []).append(item)
    return [_built(item, below, counts) for item in below.get(None, [])]


def _built(item: StoredItem, below: Mapping[str | None, list[StoredItem]], counts: Mapping[str, list[int]]) -> Item:
    leaves, done, children = counts[item.id]
    built = [_built(child, below, counts) for child in below.get(item.id, [])]
    return make_item(item, built or [_stand_in(item)] * bool(children), None, leaves, done)


def _stand_in(parent: StoredItem) -> Item:
    left_out = parent._replace(id=parent.id + STAND_IN, title=STAND_IN, kind="todo", status="todo", parent=parent.id)
    return make_item(left_out, [], None, 0, 0)


def _count_below(rows: Iterable[tuple[str, str | None, str]]) -> dict[str, list[int]]:
    """Leaves that count, leaves done and children of every item, counted over everything below it."""
    parents: dict[str, str | None] = {}
    statuses: dict[str, str] = {}
    for item, parent, status in rows:
        parents[item], statuses[item] = parent, status
    counts = {item: [0, 0, 0] for item in parents}
    for parent in parents.values():
        if parent in counts:
            counts[parent][2] += 1
    for item, (_, _, children) in counts.items():
        if not children and statuses[item] != "cancelled":
            _add_leaf(counts, parents, item, statuses[item] == "done")
    return counts


def _add_leaf(counts: dict[str, list[int]], parents: Mapping[str, str | None], leaf: str, is_done: bool) -> None:
    above: str | None = leaf
    while above in counts:
        counts[above][0] += 1
        counts[above][1] += is_done
        above = parents[above]
