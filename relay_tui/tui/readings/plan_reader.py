"""Reading the work tree for the Roadmap: whole, or its top first where it is large, and only where it has changed."""

from __future__ import annotations

import gc
from threading import Event
from typing import TYPE_CHECKING

from textual.message import Message

from relay_tui.room.imports import FOLLOW, list_plans
from relay_tui.room.work import read_changes, read_tree
from relay_tui.room.work_aside import read_open_conflicts
from relay_tui.room.work_top import count_items, read_top
from relay_tui.tui.rows_of.work import (
    MOST_AT_START,
    Outline,
    make_first_look,
    make_outline,
    opened_kinds,
    still_current,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from relay_tui.room.rooms import Room

PATIENCE = 0.5  # seconds that the reading of the rest waits at most until the top is drawn, which it would hold up


class Glimpsed(Message):
    """The top of a large tree, as it is read before the rest; whoever draws it sets `drawn`."""

    def __init__(self, top: Outline) -> None:
        super().__init__()
        self.top = top
        self.drawn = Event()


def read_outline(room: Room, shown: Outline, post: Callable[[Message], object]) -> Outline:
    """The tree as it is now; what is `shown` already is read again only where an event since has changed it."""
    now = room.clock()
    newest, has_changed = read_changes(room, shown.seq)
    if shown.seq and not has_changed:
        return still_current(shown, now, newest)
    if not shown.seq:
        _look_first(room, now, post)
    gc.disable()  # it would walk the thousands of items again and again while they are made
    try:
        followed = (plan.path for plan in list_plans(room) if plan.choices.get(FOLLOW))
        return make_outline(read_tree(room).items, now, newest, read_open_conflicts(room), followed)
    finally:
        gc.enable()


def _look_first(room: Room, now: int, post: Callable[[Message], object]) -> None:
    """Of a large tree the top is shown while the rest is read."""
    items, lines = count_items(room)
    if items > MOST_AT_START:
        kinds = opened_kinds(lines)
        glimpsed = Glimpsed(make_first_look(read_top(room, sorted(kinds)), now, kinds))
        post(glimpsed)
        glimpsed.drawn.wait(PATIENCE)
