"""Where calls are carried out: one after another in a worker thread, each with a store of its own.

A connection to SQLite belongs to one thread, and a store that is opened for each call notices a restored file.
Knows nothing of the SDK.
"""

from __future__ import annotations

from relay_tui.actions.perform import open_room, perform
from relay_tui.agents.mcp.identity import enter, folder_of
from relay_tui.base.errors import RelayError
from relay_tui.base.times import system_clock
from relay_tui.room.mishaps import Mishap, note_mishap
from relay_tui.room.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NamedTuple, TypeVar

    from relay_tui.actions.call import Call
    from relay_tui.agents.mcp.identity import Standing
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room

    Result = TypeVar("Result")
else:
    from relay_tui.base.record import NamedTuple


class Desk(NamedTuple):
    """`wanted` names a room, None is the folder's; `injected` is the room's clock and its source of ids."""

    home: str
    wanted: str | None
    standing: Standing
    injected: dict[str, Callable[..., Any]]

    def carry_out(
        self, make_call: Callable[[], Call], shape: Callable[..., Result], meta: Mapping[str, Any]
    ) -> Result | RelayError:
        """The shaped result of a call by whoever `meta` and the connection say; a refusal is answered, not raised.

        The door of this server: any other fault is noted in the home, where `relay doctor` shows it.
        """
        try:
            call, folder = make_call(), folder_of(self.standing, meta)
            return self.visit(folder, lambda room: _performed(call, shape, room, enter(room, self.standing, meta)))
        except RelayError as fault:
            return fault
        except Exception as fault:  # noqa: BLE001 - the door: a client must not lose its server because of one call
            text = f"{type(fault).__name__}: {fault}"
            note_mishap(self.home, Mishap(system_clock(), "mcp", self.standing.folder, text))
            return RelayError("internal", f"relay failed: {text}.", "This is a fault of relay's own; please report it.")

    def visit(self, folder: str, act: Callable[[Room], Result]) -> Result:
        """What `act` finds in the room of a folder, opened for it and closed again."""
        store = Store(self.home)
        try:
            return act(open_room(store, folder, self.wanted, **self.injected))
        finally:
            store.close()


def _performed(call: Call, shape: Callable[..., Result], room: Room, me: Actor) -> Result:
    return shape(perform(call, room, me), room, me)
