"""One item in full: what it says, what it waits for and what waits for it, who has it, what is open about it."""

from __future__ import annotations

from relay_tui.room.agents import find_agent
from relay_tui.room.work import Item, build_tree, find_item, flatten, read_items, read_sources
from relay_tui.room.work_conflicts import OpenConflict, read_conflicts
from relay_tui.room.work_next import is_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class Relative(NamedTuple):
    """An item that another waits for, or that waits for it."""

    id: str
    title: str
    status: str
    open: bool


class ItemDetail(NamedTuple):
    """`owner_state` is None where the owner is nobody or no agent of the room."""

    item: Item
    changed: list[str]
    waits_for: list[Relative]
    blocks: list[Relative]
    owner_state: str | None
    conflicts: list[OpenConflict]


def show_item(room: Room, wanted: str) -> ItemDetail:
    """Raises `unknown_item`."""
    with room.reading() as db:
        key = room.row.key
        items = read_items(db, key)
        stored = find_item(db, key, items, wanted)
        every = {item.id: item for item in flatten(build_tree(items, read_sources(db, key)))}
        owner = find_agent(db, key, stored.owner, room.clock(), room.settings) if stored.owner else None
        conflicts = read_conflicts(db, key, stored)
    return ItemDetail(
        every[stored.id]._replace(children=[]), [],
        [_relative(every[one]) for one in stored.blocked_by if one in every],
        [_relative(one) for one in every.values() if stored.id in one.blocked_by],
        owner.state if owner else None, conflicts,
    )  # fmt: skip


def _relative(item: Item) -> Relative:
    return Relative(item.id, item.title, item.status, is_open(item))
