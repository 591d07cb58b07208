"""Where items of work stand: moving them, removing them, and bringing back what was removed."""

from __future__ import annotations

from functools import partial

from relay_tui.base.errors import RelayError
from relay_tui.room.agents import require_actor
from relay_tui.room.work import KINDS, Item, ItemChange, find_item, read_items, view_item
from relay_tui.room.work_circles import Waits
from relay_tui.room.work_edit import kind_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import NamedTuple

    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
    from relay_tui.room.work import StoredItem
else:
    from relay_tui.base.record import NamedTuple

_REMOVED_AT = "SELECT id, removed_at FROM items WHERE room = ? AND removed_at IS NOT NULL"


class Destination(NamedTuple):
    """Where an item is to stand: below `parent` (with `at_top` below none), before or after a sibling.

    A sibling alone says the parent too; a parent alone means behind its last child.
    """

    parent: str | None = None
    at_top: bool = False
    before: str | None = None
    after: str | None = None


class Removal(NamedTuple):
    """The item as it stood, and all that went with it."""

    item: Item
    changed: list[str]
    removed: list[str]


class Restoration(NamedTuple):
    item: Item
    changed: list[str]
    restored: list[str]


def move_item(room: Room, me: Actor, wanted: str, to: Destination) -> ItemChange:
    """Change what an item stands below, its place among its siblings, or both. Its kind stays what it was.

    Raises `unknown_item`, `invalid` for a sibling that stands elsewhere, and `refused` with the path for a
    place below the item itself, or below what it waits for.
    """
    with room.writing(me) as tx:
        require_actor(tx, room)
        items = read_items(tx.db, tx.room)
        find = partial(find_item, tx.db, tx.room, items)
        item = find(wanted)
        sibling = find(beside) if (beside := to.before or to.after) else None
        above = find(to.parent) if to.parent else None
        parent = _parent(item, to, above, sibling)
        refuse_below_itself(items, item.id, parent)
        refuse_waiting(items, item, parent)
        stood = [one.id for one in items.values() if one.parent == parent]
        order = _order(stood, item, parent, sibling, behind=to.after is not None)
        if order == stood:
            return ItemChange(view_item(tx.db, tx.room, item.id), [])
        places = {one: place for place, one in enumerate(order) if one == item.id or items[one].place != place}
        tx.append("work.moved", {"id": item.id, "parent": parent, "places": places})
        changed = ["parent"] * (item.parent != parent) + ["place"] * (item.parent == parent or sibling is not None)
        return ItemChange(view_item(tx.db, tx.room, item.id), changed, _doubts(item, items.get(parent or "")))


def remove_item(room: Room, me: Actor, wanted: str, *, recursive: bool) -> Removal:
    """Take an item away, with all that stands below it where `recursive` says so; `restore_item` undoes it.

    Raises `unknown_item`, and `refused` where something stands below it.
    """
    with room.writing(me) as tx:
        require_actor(tx, room)
        items = read_items(tx.db, tx.room)
        item = find_item(tx.db, tx.room, items, wanted)
        below = ids_below(items.values(), item.id)
        if below and not recursive:
            count = "1 item stands" if len(below) == 1 else f"{len(below):,} items stand"
            hint = f"Remove them too: relay work remove {item.id} --recursive"
            raise RelayError("refused", f"{count} below {item.id}.", hint, {"items": below})
        seen = view_item(tx.db, tx.room, item.id)
        tx.append("work.removed", {"id": item.id, "items": [item.id, *below]})
        return Removal(seen, ["removed"], [item.id, *below])


def restore_item(room: Room, me: Actor, wanted: str) -> Restoration:
    """Bring back what one removal took away: the item, and what went with it from below it.

    Raises `unknown_item`, and `refused` where it would stand below what is removed, or wait for itself.
    """
    with room.writing(me) as tx:
        require_actor(tx, room)
        items = read_items(tx.db, tx.room)
        removed_at = dict(tx.db.execute(_REMOVED_AT, (tx.room,)).fetchall())
        everything = read_items(tx.db, tx.room, removed=True)
        item = find_item(tx.db, tx.room, everything, wanted)
        if item.id in items:
            return Restoration(view_item(tx.db, tx.room, item.id), [], [])
        _refuse_below_removed(item, everything, removed_at)
        moment = removed_at[item.id]
        together = [one for one in everything.values() if removed_at.get(one.id) == moment]
        back = [item.id, *ids_below(together, item.id)]
        waits = Waits({one: everything[one].blocked_by for one in (*items, *back)}, {})
        for one in back:
            waits.refuse_circle(one, everything[one].blocked_by)
        tx.append("work.restored", {"id": item.id, "items": back})
        return Restoration(view_item(tx.db, tx.room, item.id), ["removed"], back)


def ids_below(items: Iterable[StoredItem], top: str) -> list[str]:
    """Everything below an item, parents before their children."""
    children: dict[str | None, list[str]] = {}
    for item in items:
        children.setdefault(item.parent, []).append(item.id)
    found: list[str] = []
    waiting = children.get(top, [])[::-1]
    while waiting:
        found.append(waiting.pop())
        waiting += children.get(found[-1], [])[::-1]
    return found


def refuse_below_itself(items: Mapping[str, StoredItem], item: str, parent: str | None) -> None:
    """Raises `refused` with the path where `parent` is the item or stands below it."""
    path = [item]
    above = parent
    while above is not None and above in items:
        path.append(above)
        if above == item:
            shown = " → ".join(path)
            way_out = f"Move {path[1]} elsewhere first." if path[1] != item else "Name another parent."
            raise RelayError("refused", f"{item} cannot stand below itself: {shown}.", way_out, {"cycle": path})
        above = items[above].parent


def refuse_waiting(items: Mapping[str, StoredItem], item: StoredItem, parent: str | None) -> None:
    """Raises `refused` with the path where the item and its new parent would wait for each other."""
    if parent not in (None, item.parent):
        parents = {one.id: one.parent for one in items.values()} | {item.id: parent}
        Waits({one.id: one.blocked_by for one in items.values()}, parents).refuse_below(item.id, parent)


def _parent(item: StoredItem, to: Destination, above: StoredItem | None, sibling: StoredItem | None) -> str | None:
    """What the item is to stand below. Raises `invalid` where the sibling stands elsewhere."""
    parent = above.id if above else None
    if sibling is None:
        return parent
    if sibling.id == item.id:
        raise RelayError("invalid", f"{item.id} cannot stand beside itself.", "Name another item.")
    if (above or to.at_top) and sibling.parent != parent:
        where = f"below {parent}" if parent else "at the top"
        raise RelayError("invalid", f"{sibling.id} does not stand {where}.", "Name only one of the two.")
    return sibling.parent


def _order(
    stood: list[str], item: StoredItem, parent: str | None, sibling: StoredItem | None, *, behind: bool
) -> list[str]:
    """The children of `parent` once the item is among them; without a sibling it stays where it stood."""
    if sibling is None and item.parent == parent:
        return stood
    others = [one for one in stood if one != item.id]
    slot = len(others) if sibling is None else others.index(sibling.id) + behind
    return [*others[:slot], item.id, *others[slot:]]


def _doubts(item: StoredItem, parent: StoredItem | None) -> tuple[str, ...]:
    """Kinds are never changed on the way, so that moving back is the same as before; what looks odd is said."""
    if parent is None or KINDS.index(item.kind) >= KINDS.index(parent.kind):
        return ()
    fitting = f"relay work set {item.id} --kind {kind_below(parent)}"
    return (f"{item.id} stays of kind {item.kind}, below one of kind {parent.kind}. To change that: {fitting}",)


def _refuse_below_removed(
    item: StoredItem, everything: Mapping[str, StoredItem], removed_at: Mapping[str, int]
) -> None:
    """Raises `refused` with the highest item above that has to be restored first."""
    highest = None
    above = everything.get(item.parent or "")
    while above is not None:
        highest = above.id if above.id in removed_at else highest
        above = everything.get(above.parent or "")
    if highest is not None:
        raise RelayError(
            "refused", f"{item.id} stands below {highest}, which is removed too.",
            f"Run: relay work restore {highest}", {"removed": highest},
        )  # fmt: skip
