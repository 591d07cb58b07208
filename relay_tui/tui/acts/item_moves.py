"""Moving an item one step in its tree: up, down, out from below its parent, in below the one above it.

A key that is held down moves on from where the last move has put the item, so each waits for the tree to be read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from relay_tui.base.errors import RelayError

if TYPE_CHECKING:
    from relay_tui.actions.call import Call, Value
    from relay_tui.room.work import Item, ItemChange
    from relay_tui.tui.app import RelayApp
    from relay_tui.tui.rows_of.work import Outline

UP, DOWN, OUT, IN = "up", "down", "out", "in"
Place = dict[str, "Value"]


def siblings_of(item: Item, outline: Outline) -> Sequence[Item]:
    """What stands beside an item, itself among them."""
    above = outline.by_id.get(item.parent or "")
    return above.children if above else outline.items


def place_beyond(item: Item, step: str, siblings: Sequence[Item]) -> Place:
    """The place one step away, as values of `work move`. Raises `refused` where there is none."""
    here = [one.id for one in siblings].index(item.id)
    if step == OUT:
        if item.parent is None:
            raise RelayError("refused", f"{item.id} stands at the top already.", "ctrl+k and ctrl+j move it there.")
        return {"after": item.parent}
    if step == DOWN:
        if here == len(siblings) - 1:
            raise RelayError("refused", f"{item.id} is the last of its siblings.", "< moves it out, behind its parent.")
        return {"after": siblings[here + 1].id}
    if here == 0:
        hint = (
            "< moves it out, behind its parent."
            if step == UP
            else "> takes it below the one before it, and there is none."
        )
        raise RelayError("refused", f"{item.id} is the first of its siblings.", hint)
    return {"before": siblings[here - 1].id} if step == UP else {"parent": siblings[here - 1].id}


def place_now(item: Item, siblings: Sequence[Item]) -> Place:
    """Where an item stands, as the values of `work move` that bring it back."""
    here = [one.id for one in siblings].index(item.id)
    if here:
        return {"after": siblings[here - 1].id}
    if len(siblings) > 1:
        return {"before": siblings[1].id}
    return {"parent": item.parent} if item.parent else {"root": True}


class ItemMoves:
    """The steps that were asked for and not made yet. `outline` is the tree as it was read last."""

    def __init__(self, app: RelayApp) -> None:
        self._app = app
        self._steps: deque[tuple[str, str]] = deque()
        self._call: Call | None = None
        self._moved: ItemChange | None = None  # carried out, and not read yet
        self._back: Call | None = None

    def ask(self, item_id: str, step: str, outline: Outline) -> None:
        if self._is_moving:
            self._steps.append((item_id, step))
        else:
            self._steps.clear()  # of a move that was refused
            self._back = None
            self._move(item_id, step, outline)

    def read(self, outline: Outline) -> str:
        """The tree was read anew: the id of the item that has moved in it, or nothing. Goes on with the next step."""
        moved = self._moved
        if moved is None:
            return ""
        now = outline.by_id.get(moved.item.id)
        if now is not None and now.revision < moved.item.revision:
            return ""
        self._moved = None
        goes_on = bool(self._steps) and self._steps[0][0] == moved.item.id
        if not goes_on:
            self._tell(moved)
        if self._steps:
            self._app.acts.try_to(partial(self._move, *self._steps.popleft(), outline))
        if goes_on and not self._is_moving:
            self._tell(moved)
        return moved.item.id

    @property
    def _is_moving(self) -> bool:
        is_running = self._call is not None and self._app.acts.is_running(self._call)
        return is_running or self._moved is not None

    def _move(self, item_id: str, step: str, outline: Outline) -> None:
        item = outline.by_id.get(item_id)
        if item is None:
            return
        siblings = siblings_of(item, outline)
        place = place_beyond(item, step, siblings)
        if self._back is None:
            self._back = self._app.desk.compose("work move", id=item.id, **place_now(item, siblings))
        self._call = self._app.desk.compose("work move", id=item.id, **place)
        self._app.acts.act(self._call, self._done)

    def _done(self, change: ItemChange) -> None:
        self._moved = change

    def _tell(self, change: ItemChange) -> None:
        """One toast for all steps that were made in a row, with the way back to where the first began."""
        back, self._back = self._back, None
        if self._call is not None:
            self._app.acts.tell(self._call, change, back)
