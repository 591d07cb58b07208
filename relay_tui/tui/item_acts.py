"""Changing items of work from the screen: asking for a status or for fields, setting them, telling the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from relay_tui.actions.call import Call
from relay_tui.room.work import STATUSES
from relay_tui.tui.answers import answer_lines
from relay_tui.tui.desk import line_of
from relay_tui.tui.fields import fields_of
from relay_tui.tui.form import FormDialog, Value
from relay_tui.tui.item_fields import EDITED, changes_of, values_in, way_back_of
from relay_tui.tui.known import read_known
from relay_tui.tui.picker import Picker

if TYPE_CHECKING:
    from relay_tui.room.work import Item, ItemChange
    from relay_tui.tui.app import RelayApp


class ItemActs:
    """What the Roadmap's keys do to items that exist; every change is a `work set`."""

    def __init__(self, app: RelayApp) -> None:
        self._app = app

    def pick_status(self, items: Sequence[Item]) -> None:
        """One of the six, for all of these items."""

        def picked(status: str | None) -> None:
            if status is not None:
                self.change(items, {"status": status})

        title = f"Status of {named(items[0])}" if len(items) == 1 else f"Status of {len(items)} items"
        glyphs = self._app.glyphs
        words = {status: glyphs.work(status) for status in STATUSES}
        self._app.push_screen(Picker(title, words, items[0].status, glyphs), picked)

    def ask_fields(self, item: Item, title: str, names: Sequence[str] = EDITED) -> None:
        """A form with fields of an item; what was changed in it is set."""

        def filled(values: dict[str, Value] | None) -> None:
            if values is not None:
                self.change([item], changes_of(item, values))

        known = read_known(self._app.desk.room, self._app.desk.me.name)
        asked = fields_of("work set", known, values_in(item), names)
        fields = [field._replace(required=field.name in ("title", "status")) for field in asked]
        self._app.push_screen(FormDialog(f"{title} {named(item)}", fields, "set", first=0), filled)

    def change(self, items: Sequence[Item], changes: Mapping[str, Value]) -> None:
        """Set fields of items; one toast says what came of all of them."""
        if not changes:
            self._app.notify("Nothing was changed.", markup=False)
            return
        done: list[ItemChange] = []

        def count(change: ItemChange) -> None:
            done.append(change)
            if len(done) == len(items):
                self._tell(items, changes, done)

        for item in items:
            self._app.acts.try_to(partial(self._app.acts.act, self._setting(item, changes), count))

    def _setting(self, item: Item, changes: Mapping[str, Value]) -> Call:
        return self._app.desk.compose("work set", id=item.id, **changes)  # type: ignore[arg-type]

    def _tell(self, items: Sequence[Item], changes: Mapping[str, Value], done: Sequence[ItemChange]) -> None:
        """The toast names the way back, or how many items there were."""
        if len(items) > 1:
            self._app.notify(f"{len(items)} items changed: {', '.join(changes)}", markup=False)
            return
        said = answer_lines("work set", done[0], self._app.desk.now)[0]
        if done[0].changed:
            said += f"\nBack: {line_of(self._setting(items[0], way_back_of(items[0], changes)))}"
        self._app.notify(said, markup=False)


def named(item: Item) -> str:
    """An item as titles of dialogs say it."""
    return f"{item.id} {item.title}"
