"""The work tree: roadmap › phase › epic › task › todo, with progress counted from the leaves (DESIGN §6.5)."""

from __future__ import annotations

from relay_tui.base.canonical import decode
from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip, inert
from relay_tui.room.agents import require_actor
from relay_tui.room.work_fold import FIELDS, LISTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping
    from typing import Any, NamedTuple

    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

KINDS = ("roadmap", "phase", "epic", "task", "todo")
STATUSES = ("todo", "in-progress", "blocked", "review", "done", "cancelled")
PRIORITIES = ("high", "1", "med", "2", "low", "3", "4")
TITLE_CHARACTERS = 500


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
    item: Item
    changed: list[str]


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


def add_item(room: Room, me: Actor, fields: dict[str, Any]) -> ItemChange:
    """A new item behind its siblings; without a parent it is a flat task. Raises `unknown_item`, `invalid`."""
    with room.writing(me) as tx:
        require_actor(tx, room)
        items = read_items(tx.db, tx.room)
        parent = find_item(items, fields["parent"]).id if fields.get("parent") else None
        item_id = f"W{next_number(tx.db, tx.room)}"
        new: dict[str, Any] = {"labels": [], "artifacts": [], "blocked_by": [], "status": "todo", **fields}
        new |= {"id": item_id, "parent": parent, "place": sum(one.parent == parent for one in items.values())}
        new["kind"] = fields.get("kind") or _kind_below(items.get(parent) if parent else None)
        new["blocked_by"] = [find_item(items, one).id for one in new["blocked_by"]]
        complete = {"id": item_id} | {field: new.get(field) for field in FIELDS}
        check_fields(complete)
        tx.append("work.added", {"items": [complete]})
        return ItemChange(view_item(tx.db, tx.room, item_id), ["item"])


def set_item(room: Room, me: Actor, wanted: str, fields: dict[str, Any]) -> ItemChange:
    """Change the named fields of one item; what it already says is no change."""
    with room.writing(me) as tx:
        require_actor(tx, room)
        items = read_items(tx.db, tx.room)
        item = find_item(items, wanted)
        if fields.get("blocked_by"):
            fields = {**fields, "blocked_by": [find_item(items, one).id for one in fields["blocked_by"]]}
            refuse_cycle(items, item.id, fields["blocked_by"])
        check_fields(fields)
        changed = {field: value for field, value in fields.items() if getattr(item, field) != value}
        if changed:
            tx.append("work.changed", {"id": item.id, "set": changed})
        return ItemChange(view_item(tx.db, tx.room, item.id), list(changed))


def read_tree(room: Room, wanted: str | None = None) -> ItemList:
    """The whole tree, or what stands at and below one item, children in their order."""
    with room.reading() as db:
        items = read_items(db, room.row.key)
        roots = build_tree(items, read_sources(db, room.row.key))
    if wanted is None:
        return ItemList(roots)
    target = find_item(items, wanted).id
    return ItemList([one for one in flatten(roots) if one.id == target])


def show_item(room: Room, wanted: str) -> ItemChange:
    with room.reading() as db:
        item = find_item(read_items(db, room.row.key), wanted)
        return ItemChange(view_item(db, room.row.key, item.id), [])


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
    return {row[0]: make_stored(row) for row in rows}


def read_sources(db: sqlite3.Connection, room: int) -> dict[str, Source]:
    rows = db.execute("SELECT item, path, line FROM plan_items WHERE room = ? AND gone = 0", (room,))
    return {item: Source(path, line) for item, path, line in rows}


def view_item(db: sqlite3.Connection, room: int, item: str) -> Item:
    found = flatten(build_tree(read_items(db, room), read_sources(db, room)))
    return next(one for one in found if one.id == item)._replace(children=[])


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


def find_item(items: Mapping[str, StoredItem], wanted: str) -> StoredItem:
    """By exact id, in any case. Raises `unknown_item`."""
    item = items.get(wanted) or items.get(wanted.upper())
    if item is None:
        raise RelayError("unknown_item", f"There is no item '{inert(clip(wanted, 40))}' here.", "Run: relay work tree")
    return item


def next_number(db: sqlite3.Connection, room: int) -> int:
    """The number behind the highest that any item of this room ever had, removed ones included."""
    row = db.execute("SELECT max(CAST(substr(id, 2) AS INTEGER)) FROM items WHERE room = ?", (room,)).fetchone()
    return (row[0] or 0) + 1


def check_fields(fields: Mapping[str, Any]) -> None:
    """Raises `invalid` for a title, a priority or a date that is none, and for text that is not Unicode."""
    title = fields.get("title", "…")
    if not title or not title.strip() or len(title) > TITLE_CHARACTERS:
        raise RelayError("invalid", f"A title has 1 to {TITLE_CHARACTERS} characters.", "Shorten it.")
    empty = next((field for field in ("owner", "branch", "priority", "due") if fields.get(field) == ""), None)
    if empty:
        raise RelayError("invalid", f"An empty {empty} says nothing.", f"Take it away with --unset {empty}.")
    if fields.get("priority") not in (None, *PRIORITIES):
        raise RelayError("invalid", f"'{inert(fields['priority'])}' is not a priority.", "Write high, med, low or 1–4.")
    if fields.get("due") is not None:
        _check_date(fields["due"])
    try:
        "\0".join(map(str, fields.values())).encode("utf-8")
    except UnicodeEncodeError:
        raise RelayError("invalid", "The item's text is not valid UTF-8.", "Convert it.") from None


def refuse_cycle(items: Mapping[str, StoredItem], item: str, blockers: Iterable[str]) -> None:
    """Raises `refused` with the path where an item would wait for itself."""
    paths = [[item, blocker] for blocker in blockers]
    while paths:
        path = paths.pop()
        if path[-1] == item:
            shown = " → ".join(path)
            raise RelayError("refused", f"That closes a circle: {shown}.", "Unset one of them.", {"cycle": path})
        if path[-1] in items:
            paths += [[*path, blocker] for blocker in items[path[-1]].blocked_by if blocker not in path[1:]]


def _count(stored: StoredItem, children: list[Item]) -> tuple[int, int]:
    """Leaves that count and those done, pooled over the children, or of a leaf itself."""
    if children:
        return sum(child.leaves for child in children), sum(child.done for child in children)
    return int(stored.status != "cancelled"), int(stored.status == "done")


def make_item(stored: StoredItem, children: list[Item], source: Source | None, leaves: int, done: int) -> Item:
    return Item(
        stored.id, stored.kind, stored.title, stored.status, percent(done, leaves), leaves, done, stored.owner,
        stored.priority, stored.labels, stored.branch, stored.artifacts, stored.due, stored.blocked_by,
        stored.parent, stored.revision, stored.note, source, children,
    )  # fmt: skip


def make_stored(row: tuple[Any, ...]) -> StoredItem:
    values = list(row)
    for place in _LISTS_AT:
        values[place] = [] if values[place] == "[]" else decode(values[place])
    return StoredItem(*values)


def _check_date(due: str) -> None:
    """Raises `invalid` for anything but a day as ISO 8601 spells it out, which other spellings sort against."""
    from datetime import date

    try:
        known = date.fromisoformat(due).isoformat() == due
    except ValueError:
        known = False
    if not known:
        raise RelayError("invalid", f"'{inert(due)}' is not a date.", "Write it as 2026-12-24.")


def _kind_below(parent: StoredItem | None) -> str:
    if parent is None:
        return "task"
    return KINDS[min(KINDS.index(parent.kind) + 1, len(KINDS) - 1)]
