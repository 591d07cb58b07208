"""Changing items of work from the screen: asking for what is needed, composing the calls, telling the way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from relay_tui.actions.call import Call
from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.room.work import STATUSES, flatten, read_item
from relay_tui.tui.dialogs.fields import fields_of
from relay_tui.tui.dialogs.item_fields import (
    EDITED,
    changes_of,
    refuse_overwriting,
    values_in,
    way_back_of,
    way_back_of_conflict,
)
from relay_tui.tui.dialogs.picker import Picker
from relay_tui.tui.readings.plan_views import IN_CONFLICTS
from relay_tui.tui.rows_of.plan import value_words
from relay_tui.tui.widgets.content import first_lines

if TYPE_CHECKING:
    from relay_tui.room.work import Item, ItemChange
    from relay_tui.room.work_conflicts import OpenConflict
    from relay_tui.tui.app import RelayApp
    from relay_tui.tui.dialogs.form import FormDialog, Value

BELOW_SHOWN = 20  # items that a removal takes along and names


class ItemActs:
    """What the Roadmap's keys do to items that exist; where they stand is changed in `item_moves`."""

    def __init__(self, app: RelayApp) -> None:
        self._app = app

    def pick_status(self, items: Sequence[Item], then: Callable[[], object] = bool) -> None:
        """One of the six, for all of these items; `then` is called once it is picked."""

        def picked(status: str | None) -> None:
            if status is not None:
                then()
                self._app.acts.try_to(lambda: self.change([*map(self._as_it_is, items)], {"status": status}))

        title = f"Status of {named(items[0])}" if len(items) == 1 else f"Status of {len(items)} items"
        glyphs = self._app.glyphs
        words = {status: glyphs.work(status) for status in STATUSES}
        self._app.push_screen(Picker(title, words, items[0].status, glyphs), picked)

    def ask_fields(self, item: Item, title: str, names: Sequence[str] = EDITED) -> None:
        """A form with fields of an item; what was changed in it is set.

        What somebody else has changed meanwhile is said first, and written over only when it is sent again.
        """
        seen = item

        def filled(values: dict[str, Value], form: FormDialog) -> None:
            nonlocal seen
            before, seen = seen, self._as_it_is(item)
            changes = changes_of(item, values)
            refuse_overwriting(before, seen, changes)
            self.change([seen], changes, form)

        asked = fields_of("work set", self._app.acts.known(), values_in(item), names)
        fields = [field._replace(required=field.name in ("title", "status")) for field in asked]
        self._app.acts.ask(f"{title} {named(item)}", fields, filled, "save", first=0)

    def _as_it_is(self, item: Item) -> Item:
        """Raises `unknown_item` where it was removed meanwhile."""
        return read_item(self._app.desk.room, item.id)

    def change(self, items: Sequence[Item], changes: Mapping[str, Value], form: FormDialog | None = None) -> None:
        """Set fields of items; one toast says what came of all of them. Raises `unknown_item`."""
        if not changes:
            self._app.notify("Nothing has changed.", markup=False)
            if form is not None:
                form.done()
            return
        if len(items) == 1:
            back = self._setting(items[0], way_back_of(items[0], changes))
            self._app.acts.act(self._setting(items[0], changes), form=form, back=back)
        else:
            self._change_all(items, changes)

    def _change_all(self, items: Sequence[Item], changes: Mapping[str, Value]) -> None:
        """Each is told that fails; the rest together, once all have ended."""
        changed: set[str] = set()
        waiting = len(items)

        def keep(change: ItemChange) -> None:
            if change.changed:
                changed.add(change.item.id)

        def ended() -> None:
            nonlocal waiting
            waiting -= 1
            if not waiting:
                back = [self._setting(one, way_back_of(one, changes)) for one in items if one.id in changed]
                said = f"{len(back)} of {len(items)}" if len(back) < len(items) else str(len(items))
                self._app.acts.tell_back([f"{said} items changed: {', '.join(changes)}"], back)

        for item in items:
            self._app.acts.act(self._setting(item, changes), keep, ended=ended)

    def remove(self, item: Item) -> None:
        """Ask, with all that stands below it; the toast says how it comes back."""
        below = flatten(item.children)
        told = first_lines(below, BELOW_SHOWN, lambda one: f"  {one.id}  {inert(one.title)}")
        call = self._app.desk.compose("work remove", id=item.id, recursive=bool(below))
        self._app.acts.act(call, None, [*told, "", "It is kept: the view of removed items brings it back."])

    def restore(self, item: Item) -> None:
        self._app.acts.act(self._app.desk.compose("work restore", id=item.id))

    def resolve(self, item: Item, conflicts: Sequence[OpenConflict], side: str) -> None:
        """Settle a conflict for the `file` or the `room`; where several fields are in conflict, one is picked."""
        fields = {one.field: one for one in reversed(conflicts)}
        if not fields:
            raise RelayError("refused", f"{item.id} is in no conflict.", f"{IN_CONFLICTS} shows the items that are.")
        if len(fields) == 1:
            return self._settle(item, conflicts[0], side)

        def picked(field: str | None) -> None:
            if field is not None:
                self._app.acts.try_to(partial(self._settle, item, fields[field], side))

        title = f"Which field the {side} settles, of {named(item)}"
        words = {name: f"{name}   {value_words(getattr(one, side))}" for name, one in reversed(fields.items())}
        self._app.push_screen(Picker(title, dict(words), glyphs=self._app.glyphs), picked)
        return None

    def _settle(self, item: Item, conflict: OpenConflict, side: str) -> None:
        desk, before = self._app.desk, way_back_of_conflict(item, conflict.field)
        back = desk.compose(before[0], id=item.id, **before[1]) if before else None  # type: ignore[arg-type]
        call = desk.compose("work resolve", id=item.id, field=conflict.field, side=side)
        self._app.acts.act(call, back=back)

    def _setting(self, item: Item, changes: Mapping[str, Value]) -> Call:
        return self._app.desk.compose("work set", id=item.id, **changes)  # type: ignore[arg-type]


def named(item: Item) -> str:
    """An item as titles of dialogs say it."""
    return f"{item.id} {item.title}"
