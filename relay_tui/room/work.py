"""The work tree as it is read: roadmap › phase › epic › task › todo, progress counted from the leaves (DESIGN §6.5).

What changes it stands in `work_edit`, `work_moves` and `work_conflicts`.
"""

from __future__ import annotations

from relay_tui.base.canonical import decode
from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip
from relay_tui.room.work_fold import LISTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping
    from typing import Any, NamedTuple

    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

KINDS = ("roadmap", "phase", "epic", "task", "todo")
STATUSES = ("todo", "in-progress", "blocked", "review", "done", "cancelled")
PRIORITIES = ("high", "1", "med", "2", "low", "3", "4")


class Source(NamedTuple):
    file: str
    line: int | None


class Item(NamedTuple):
    """ITEM of the contract. `leaves` and `done` are pooled over everything below, cancelled ones left out."""

    id: str
    kind: str
    title: str
    status: str
    progress: int | None
    leaves: int
    done: int
    owner: str | None
    priority: str | None
    labels: list[str]
    branch: str | None
    artifacts: list[str]
    due: str | None
    blocked_by: list[str]
    parent: str | None
    revision: int
    note: str | None
    source: Source | None
    children: list[Item]


class ItemChange(NamedTuple):
    """An item after a change and the names of what changed; `doubts` are worth a second look."""

    item: Item
    changed: list[str]
    doubts: tuple[str, ...] = ()


class ItemList(NamedTuple):
    items: list[Item]


class StoredItem(NamedTuple):
    """One row of `items`, its lists decoded."""

    id: str
    revision: int
    kind: str
    parent: str | None
    place: int
    title: str
    status: str
    owner: str | None
    priority: str | None
    labels: list[str]
    branch: str | None
    artifacts: list[str]
    due: str | None
    blocked_by: list[str]
    note: str | None


STORED = ", ".join(StoredItem._fields)
_LISTS_AT = tuple(place for place, field in enumerate(StoredItem._fields) if field in LISTS)
_CHANGES = """
SELECT (SELECT max(seq) FROM events),
  EXISTS (SELECT 1 FROM events WHERE seq > ? AND room = ? AND kind GLOB 'work.*')
"""
_PROGRESS = """
SELECT count(*) FILTER (WHERE status = 'done'), count(*) FILTER (WHERE status <> 'cancelled') FROM items
WHERE room = ?1 AND removed_at IS NULL
  AND id NOT IN (SELECT parent FROM items WHERE room = ?1 AND removed_at IS NULL AND parent IS NOT NULL)
"""
# UNION, not UNION ALL: a made-up ledger may hold a circle.
_PROGRESS_BELOW = """
WITH RECURSIVE below (id, status) AS (
  SELECT id, status FROM items WHERE room = ?1 AND id = ?2
  UNION SELECT i.id, i.status FROM below CROSS JOIN items AS i INDEXED BY items_by_parent
  ON i.room = ?1 AND i.parent = below.id AND i.removed_at IS NULL
)
SELECT count(*) FILTER (WHERE status <> 'cancelled'), count(*) FILTER (WHERE status = 'done') FROM below
WHERE NOT EXISTS (SELECT 1 FROM items AS i INDEXED BY items_by_parent
  WHERE i.room = ?1 AND i.parent = below.id AND i.removed_at IS NULL)
"""
# By the paths there are, which are few: the items of a plan are in no order of their ids.
_SOURCE = """
SELECT s.path, s.line FROM plans AS p CROSS JOIN plan_items AS s ON s.room = p.room AND s.path = p.path
WHERE p.room = ? AND s.item = ? AND s.gone = 0 ORDER BY p.path DESC LIMIT 1
"""
_ALONE = f"SELECT {STORED} FROM items WHERE room = ? AND id IN (?, ?) AND removed_at IS NULL"
_REMOVED = "SELECT id FROM items WHERE room = ? AND id IN (?, ?) AND removed_at IS NOT NULL"


def read_tree(room: Room, wanted: str | None = None) -> ItemList:
    """The whole tree, or what stands at and below one item, children in their order."""
    with room.reading() as db:
        items = read_items(db, room.row.key)
        roots = build_tree(items, read_sources(db, room.row.key))
        if wanted is None:
            return ItemList(roots)
        target = find_item(db, room.row.key, items, wanted).id
    return ItemList([one for one in flatten(roots) if one.id == target])


def read_progress(room: Room) -> tuple[int, int]:
    """Leaves of the whole tree that are done, and leaves that count."""
    with room.reading() as db:
        done, leaves = db.execute(_PROGRESS, (room.row.key,)).fetchone()
    return done, leaves


def read_changes(room: Room, since: int) -> tuple[int, bool]:
    """The newest event of all, and whether one after `since` changed the work of this room."""
    with room.reading() as db:
        newest, changed = db.execute(_CHANGES, (since, room.row.key)).fetchone()
    return newest or 0, bool(changed)


def read_titles(room: Room) -> dict[str, str]:
    """The title of every item by its id."""
    with room.reading() as db:
        return dict(db.execute("SELECT id, title FROM items WHERE room = ?", (room.row.key,)))


def read_items(db: sqlite3.Connection, room: int, *, removed: bool = False) -> dict[str, StoredItem]:
    """Every item of the room by id, in the order of places; those that were removed only with `removed`."""
    kept = "" if removed else " AND removed_at IS NULL"
    rows = db.execute(f"SELECT {STORED} FROM items WHERE room = ?{kept} ORDER BY place, id", (room,))
    return {stored.id: stored for stored in map(make_stored, rows)}


def read_removed_ids(db: sqlite3.Connection, room: int) -> list[str]:
    """The ids of the items that were removed."""
    sql = "SELECT id FROM items INDEXED BY items_removed WHERE room = ? AND removed_at IS NOT NULL"
    return [item for (item,) in db.execute(sql, (room,))]


def read_sources(db: sqlite3.Connection, room: int) -> dict[str, Source]:
    rows = db.execute("SELECT item, path, line FROM plan_items WHERE room = ? AND gone = 0", (room,))
    return {item: Source(path, line) for item, path, line in rows}


def view_item(db: sqlite3.Connection, room: int, item: str) -> Item:
    """One item with its source and its progress, without the rest of the tree. Raises `unknown_item`."""
    source = db.execute(_SOURCE, (room, item)).fetchone()
    counts = db.execute(_PROGRESS_BELOW, (room, item)).fetchone()
    return make_item(read_stored(db, room, item), [], Source(*source) if source else None, *counts)


def read_item(room: Room, wanted: str) -> Item:
    """One item as it is now, by itself: what stands below it is neither read nor counted. Raises `unknown_item`."""
    with room.reading() as db:
        return make_item(read_stored(db, room.row.key, wanted), [], None, 0, 0)


def read_stored(db: sqlite3.Connection, room: int, wanted: str) -> StoredItem:
    """The same as `find_item`, of one that is all that is needed."""
    row = db.execute(_ALONE, (room, wanted, wanted.upper())).fetchone()
    return make_stored(row) if row else find_item(db, room, {}, wanted)


def build_tree(items: Mapping[str, StoredItem], sources: Mapping[str, Source]) -> list[Item]:
    """Items nested, with their pooled progress. An item whose parent is not there stands at the top."""
    below: dict[str | None, list[StoredItem]] = {}
    for item in items.values():
        below.setdefault(item.parent if item.parent in items else None, []).append(item)
    built: dict[str, Item] = {}
    waiting = list(below.get(None, []))
    for item in waiting:
        waiting += below.get(item.id, [])
    for item in reversed(waiting):
        children = [built[child.id] for child in below.get(item.id, [])]
        built[item.id] = make_item(item, children, sources.get(item.id), *_count(item, children))
    return [built[item.id] for item in below.get(None, [])]


def flatten(items: Iterable[Item]) -> list[Item]:
    """Every item, parents before their children."""
    found: list[Item] = []
    waiting = list(items)[::-1]
    while waiting:
        item = waiting.pop()
        found.append(item)
        waiting += item.children[::-1]
    return found


def percent(done: int, leaves: int) -> int | None:
    """To the nearest percent, 100 only when all are done, None where nothing counts (DESIGN §6.5)."""
    if not leaves:
        return None
    return 100 if done == leaves else min((200 * done + leaves) // (2 * leaves), 99)


def find_item(db: sqlite3.Connection, room: int, items: Mapping[str, StoredItem], wanted: str) -> StoredItem:
    """By its whole id, in any case; a beginning is none, because W1 begins W12. Raises `unknown_item`."""
    item = items.get(wanted) or items.get(wanted.upper())
    if item is None:
        removed = db.execute(_REMOVED, (room, wanted, wanted.upper())).fetchone()
        if removed:
            raise RelayError("unknown_item", f"{removed[0]} was removed.", f"Run: relay work restore {removed[0]}")
        raise RelayError("unknown_item", f"There is no item '{clip(wanted, 40)}' here.", "Run: relay work tree")
    return item


def next_number(db: sqlite3.Connection, room: int) -> int:
    """The number behind the highest that any item of this room ever had, removed ones included."""
    row = db.execute("SELECT max(CAST(substr(id, 2) AS INTEGER)) FROM items WHERE room = ?", (room,)).fetchone()
    return (row[0] or 0) + 1


def _count(stored: StoredItem, children: list[Item]) -> tuple[int, int]:
    """Leaves that count and those done, pooled over the children, or of a leaf itself."""
    if children:
        return sum(child.leaves for child in children), sum(child.done for child in children)
    return int(stored.status != "cancelled"), int(stored.status == "done")


def make_item(stored: StoredItem, children: list[Item], source: Source | None, leaves: int, done: int) -> Item:
    return Item._make((
        stored.id, stored.kind, stored.title, stored.status, percent(done, leaves), leaves, done, stored.owner,
        stored.priority, stored.labels, stored.branch, stored.artifacts, stored.due, stored.blocked_by,
        stored.parent, stored.revision, stored.note, source, children,
    ))  # fmt: skip


def make_stored(row: tuple[Any, ...]) -> StoredItem:
    values = list(row)
    for place in _LISTS_AT:
        values[place] = [] if values[place] == "[]" else decode(values[place])
    return StoredItem._make(values)
