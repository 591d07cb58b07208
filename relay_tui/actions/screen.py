"""The action that asks for the screen. It opens nothing: which room, and who looks, is handed to the door."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple

    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class Stage(NamedTuple):
    """What a door shows full screen. `play` runs beside it; `close` is called when the screen has closed."""

    room: Room
    me: Actor
    read_only: bool = False
    play: Callable[[], None] | None = None
    close: Callable[[], None] | None = None


def screen(room: Room, me: Actor, *, read_only: bool = False) -> Stage:
    """Open the room full screen; `relay` alone does the same.

    relay screen --read-only
    """
    return Stage(room, me, read_only)
