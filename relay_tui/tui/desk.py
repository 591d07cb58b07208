"""The desk: the room as one person works on it, and how the lines of that person are composed.

It hands out the room for reading, on the screen's own thread or borrowed for another. Nothing here draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from relay_tui.actions.call import Call, make_call
from relay_tui.actions.perform import open_room
from relay_tui.actions.screen import Stage
from relay_tui.actions.signature import read_signature
from relay_tui.actions.table import ACTIONS
from relay_tui.base.text import shell_line
from relay_tui.room.ledger import Actor
from relay_tui.room.persons import Person
from relay_tui.room.rooms import Room, find_room
from relay_tui.room.store import Store

if TYPE_CHECKING:
    from relay_tui.actions.call import Value


class Desk:
    """Who looks, at which room, and whether anything may be changed."""

    def __init__(self, stage: Stage) -> None:
        self.me = stage.me._replace(via="tui")
        self.read_only = stage.read_only
        self._room = stage.room
        self.folders_room: str | None = None  # the room that the folder alone leads to, where it is another one
        self._said_room: str | None = None
        self.look_where()

    @property
    def room(self) -> Room:
        """The room to read on the screen's thread; while there is none, it is looked for again."""
        if not self._room.exists and self._room.store.exists:
            self._room = self.open_in(self._room.store)
        return self._room

    @property
    def person(self) -> Person:
        """Who looks, as the rooms tell them from their namesakes."""
        return Person(self.room.row.name, self.me.name)

    def look_where(self) -> None:
        """Where the folder's room is not the one that is shown, every line names the one that is."""
        room = self._room
        if not room.exists:
            return
        with room.reading() as db:
            found = find_room(db, room.folder)
        is_here = found is not None and found.key == room.row.key
        self._said_room = None if is_here else room.row.name
        self.folders_room = found.name if found and not is_here else None

    @property
    def now(self) -> int:
        return self._room.clock()

    @property
    def home(self) -> str:
        return self._room.store.home

    def read_version(self) -> tuple[int | None, int] | None:
        """Another one whenever somebody wrote; None while there is no room."""
        room = self.room
        return room.store.read_version() if room.exists else None

    @contextmanager
    def borrowed(self) -> Iterator[Room]:
        """The same room with a connection of its own, for a thread that reads."""
        store = Store(self.home)
        try:
            yield self.open_in(store)
        finally:
            store.close()

    def open_in(self, store: Store, named: str | None = None) -> Room:
        """This room in another store, or another room of the home by its name."""
        known = self._room
        if named is None and known.exists:
            return Room(store, known.row, known.folder, clock=known.clock, new_id=known.new_id)
        return open_room(store, known.folder, named, clock=known.clock, new_id=known.new_id)

    def actor(self, call: Call) -> Actor:
        """Who carries a call out: whoever it names, else the person at this screen."""
        return self.me._replace(name=call.as_ or self.me.name, session=call.session or self.me.session)

    def compose(self, action: str, **values: Value) -> Call:
        """A call as this person would type it: who acts is said, and the room where it must be."""
        common: dict[str, Value] = {}
        if read_signature(ACTIONS[action]).needs_me is not None:
            common["as_"] = self.me.name
        return self.placed(make_call(action, values, common))

    def placed(self, call: Call) -> Call:
        """A call as it means the same in a shell of this folder; `init` makes the room that it names or none."""
        return call if call.room or call.action == "init" else call._replace(room=self._said_room)

    def typed(self, scope: str, resource: str) -> str:
        """A resource as it is typed in the room's folder: paths are relative to where one stands."""
        from relay_tui.room.where import typed_here

        return typed_here(self._room, scope, resource)


def line_of(call: Call) -> str:
    """The line to copy, quoted for a shell."""
    return shell_line(call.argv())
