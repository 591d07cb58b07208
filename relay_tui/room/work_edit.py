"""Adding items of work and changing what they say. Where they stand is changed in `work_moves`."""

from __future__ import annotations

from functools import partial

from relay_tui.base.canonical import decode
from relay_tui.base.errors import RelayError
from relay_tui.base.resources import branch_resource
from relay_tui.room.agents import require_actor
from relay_tui.room.work import KINDS, PRIORITIES, ItemChange, next_number, read_stored, view_item
from relay_tui.room.work_circles import Waits
from relay_tui.room.work_fold import FIELDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.rooms import Room
    from relay_tui.room.work import StoredItem

TITLE_CHARACTERS = 500
_WAITS = "SELECT id, blocked_by FROM items WHERE room = ? AND removed_at IS NULL AND blocked_by <> '[]'"
_PARENTS = "SELECT id, parent FROM items WHERE room = ? AND removed_at IS NULL"
_NEXT_PLACE = "SELECT coalesce(max(place), -1) + 1 FROM items WHERE room = ? AND parent IS ?"


def add_item(room: Room, me: Actor, fields: dict[str, Any], blocks: Sequence[str] = ()) -> ItemChange:
    """A new item behind its siblings; without a parent it is a flat task. What it `blocks` waits for it.

    Raises `unknown_item`, `invalid`, and `refused` where items would wait in a circle.
    """
    with room.writing(me) as tx:
        require_actor(tx, room)
        find = partial(read_stored, tx.db, tx.room)
        parent = find(fields["parent"]) if fields.get("parent") else None
        item_id = f"W{next_number(tx.db, tx.room)}"
        new: dict[str, Any] = {"labels": [], "artifacts": [], "blocked_by": [], "status": "todo", **fields}
        new |= {"id": item_id, "parent": parent.id if parent else None}
        new["place"] = next_place(tx.db, tx.room, new["parent"])
        new["kind"] = fields.get("kind") or kind_below(parent)
        new["blocked_by"] = [find(one).id for one in new["blocked_by"]]
        complete = {"id": item_id} | {field: new.get(field) for field in FIELDS}
        check_fields(complete)
        waiting = _make_wait(item_id, [find(one) for one in blocks])
        if waiting or new["blocked_by"]:
            waits = _read_waits(tx, {item_id: new["blocked_by"]} | waiting, {item_id: new["parent"]})
            _refuse_circles(waits, item_id, new["blocked_by"], waiting)
        tx.append("work.added", {"items": [complete], **({"waiting": waiting} if waiting else {})})
        return ItemChange(view_item(tx.db, tx.room, item_id), ["item"])


def set_item(room: Room, me: Actor, wanted: str, fields: dict[str, Any], blocks: Sequence[str] = ()) -> ItemChange:
    """Change the named fields of one item, and what waits for it; what it already says is no change."""
    with room.writing(me) as tx:
        require_actor(tx, room)
        find = partial(read_stored, tx.db, tx.room)
        item = find(wanted)
        if fields.get("blocked_by"):
            fields = {**fields, "blocked_by": [find(one).id for one in fields["blocked_by"]]}
        check_fields(fields)
        changed = {field: value for field, value in fields.items() if getattr(item, field) != value}
        waiting = _make_wait(item.id, [find(one) for one in blocks])
        blockers = changed.get("blocked_by", item.blocked_by)
        added = [one for one in blockers if one not in item.blocked_by]
        if waiting or added:
            _refuse_circles(_read_waits(tx, {item.id: blockers} | waiting, {}), item.id, added, waiting)
        if changed or waiting:
            tx.append("work.changed", {"id": item.id, "set": changed, **({"waiting": waiting} if waiting else {})})
        told = [*changed, *(["blocks"] if waiting else [])]
        return ItemChange(view_item(tx.db, tx.room, item.id), told)


def next_place(db: sqlite3.Connection, room: int, parent: str | None) -> int:
    """The place behind every child that this parent ever had, removed ones included."""
    return int(db.execute(_NEXT_PLACE, (room, parent)).fetchone()[0])


def kind_below(parent: StoredItem | None) -> str:
    """What an item is unless it says so: one level further down, a task at the top."""
    if parent is None:
        return "task"
    return KINDS[min(KINDS.index(parent.kind) + 1, len(KINDS) - 1)]


def check_fields(fields: Mapping[str, Any]) -> None:
    """Raises `invalid` for a title, a priority or a date that is none, and for text that is not Unicode."""
    title = fields.get("title", "…")
    if not title or not title.strip() or len(title) > TITLE_CHARACTERS:
        way_out = "Shorten it." if title and title.strip() else "Say in a few words what it is."
        raise RelayError("invalid", f"A title has 1 to {TITLE_CHARACTERS} characters.", way_out)
    empty = next((field for field in ("owner", "branch", "priority", "due") if fields.get(field) == ""), None)
    if empty:
        raise RelayError("invalid", f"An empty {empty} says nothing.", f"Take it away with --unset {empty}.")
    if fields.get("priority") not in (None, *PRIORITIES):
        raise RelayError("invalid", f"'{fields['priority']}' is not a priority.", "Write high, med, low or 1–4.")
    if fields.get("branch") is not None:
        branch_resource(fields["branch"])
    if fields.get("due") is not None:
        _check_date(fields["due"])
    try:
        "\0".join(map(str, fields.values())).encode("utf-8")
    except UnicodeEncodeError:
        raise RelayError("invalid", "The item's text is not valid UTF-8.", "Convert it.") from None


def _read_waits(tx: Transaction, changed: dict[str, list[str]], below: dict[str, str | None]) -> Waits:
    """What waits for what once some have `changed`, and what stands `below` what."""
    rows: Any = tx.db.execute(_WAITS, (tx.room,))
    waits: dict[str, Any] = {item: decode(blockers) for item, blockers in rows}
    return Waits(waits | changed, dict(tx.db.execute(_PARENTS, (tx.room,)).fetchall()) | below)


def _refuse_circles(waits: Waits, item: str, blockers: Sequence[str], waiting: Iterable[str]) -> None:
    """Raises `refused` where the item would wait for itself, or one of those that are to wait for it."""
    waits.refuse_circle(item, blockers)
    for other in waiting:
        waits.refuse_circle(other, [item])


def _make_wait(blocker: str, waiting: Iterable[StoredItem]) -> dict[str, list[str]]:
    """All that these items wait for once they wait for `blocker` too; those that do already are left out."""
    return {one.id: [*one.blocked_by, blocker] for one in waiting if blocker not in one.blocked_by}


def _check_date(due: str) -> None:
    """Raises `invalid` for anything but a day as ISO 8601 spells it out, which other spellings sort against."""
    from datetime import date

    try:
        known = date.fromisoformat(due).isoformat() == due
    except ValueError:
        known = False
    if not known:
        raise RelayError("invalid", f"'{due}' is not a date.", "Write it as 2026-12-24.")
