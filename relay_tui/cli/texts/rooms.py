"""Texts of the actions on rooms."""

from __future__ import annotations

from relay_tui.base.text import counted, inert, shell_word
from relay_tui.cli.texts.layout import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.room.lobby import RoomInit, RoomList, RoomSummary


def init(done: RoomInit, now: int) -> Iterator[str]:
    yield f"Room {inert(done.room.room)} for {inert(done.room.root)}"
    if done.hides:
        yield f"This folder was in room {inert(done.hides)} until now; reach it with --room {shell_word(done.hides)}."
    yield f"Everything is in {inert(done.home)}. Next: relay join --as NAME, or relay for the screen."


def list_rooms(found: RoomList, now: int) -> Iterator[str]:
    yield from columns([_row(room) for room in found.rooms])
    if not found.rooms:
        yield f"No rooms in {inert(found.home)} yet. Make one with: relay init"


def _row(room: RoomSummary) -> list[str]:
    return [
        room.room, "here" if room.here else "", counted(room.agents, "agent"), f"{room.live} live",
        f"{room.unhandled:,} unhandled", room.root,
    ]  # fmt: skip
