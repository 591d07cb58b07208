"""Actions on rooms: making one, and listing those of this home."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.ledger import Actor
    from relay_tui.room.lobby import RoomInit, RoomList
    from relay_tui.room.rooms import Room


def init(room: Room, me: Actor | None, *, room_: str | None = None, operator: str | None = None) -> RoomInit:
    """Make the room of this repository, or of this folder. A folder may have one of its own.

    relay init --room billing
    """
    from relay_tui.room.lobby import init_room

    return init_room(room, me, name=room_, operator=operator)


def list_rooms(room: Room) -> RoomList:
    """Every room of this home.

    relay rooms
    """
    from relay_tui.room.lobby import read_lobby

    return read_lobby(room)
