"""Where calls are carried out: one after another in a worker thread, each with a store of its own.

A connection to SQLite belongs to one thread, and a store that is opened for each call notices a restored file.
Knows nothing of the SDK.
"""

from __future__ import annotations

from relay_tui.actions.perform import open_room, perform
from relay_tui.agents.mcp.identity import enter, folder_of
from relay_tui.base.errors import RelayError, internal_fault
from relay_tui.base.times import system_clock
from relay_tui.room.mishaps import Mishap, note_mishap
from relay_tui.room.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NamedTuple, TypeVar

    from relay_tui.agents.mcp.answers import Answer
    from relay_tui.agents.mcp.identity import Standing
    from relay_tui.agents.mcp.tools import Request
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

    def carry_out(self, read: Callable[[], Request], meta: Mapping[str, Any]) -> Answer | RelayError:
        """The answer to a request by whoever `meta` and the connection say."""

        def act() -> Answer:
            request, folder = read(), folder_of(self.standing, meta)
            return self.visit(folder, lambda room: _performed(request, room, enter(room, self.standing, meta)))

        answer = self.attempt(act)
        if isinstance(answer, RelayError) and answer.code == "internal":
            self.note("mcp", answer)
        return answer

    def attempt(self, act: Callable[[], Result]) -> Result | RelayError:
        """What `act` finds. The door of this server: a refusal is answered, not raised, and so is any other fault."""
        try:
            return act()
        except RelayError as fault:
            return fault
        except Exception as fault:  # noqa: BLE001 - the door: a client must not lose its server because of one call
            return internal_fault(fault)

    def note(self, where: str, fault: RelayError) -> None:
        """In the home, where `relay doctor` shows it."""
        note_mishap(self.home, Mishap(system_clock(), where, self.standing.folder, fault.message))

    def visit(self, folder: str, act: Callable[[Room], Result]) -> Result:
        """What `act` finds in the room of a folder, opened for it and closed again."""
        store = Store(self.home)
        try:
            return act(open_room(store, folder, self.wanted, **self.injected))
        finally:
            store.close()


def _performed(request: Request, room: Room, me: Actor) -> Answer:
    return request.shape(perform(request.call, room, me), room, me)
