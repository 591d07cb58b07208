"""A screen whose facts take git or long files to read: read in a thread, shown when they are there."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult

from relay_tui.tui.readings.lookout import Looked, Lookout
from relay_tui.tui.screens.room_screen import RoomScreen


class SlowScreen(RoomScreen):
    """`read` runs in a thread, with a room of its own; it may touch nothing of the screen but its view."""

    READING: ClassVar[str] = "Reading …"
    APART: ClassVar[float] = 1.0  # seconds between two readings

    _lookout: Lookout | None = None

    def compose(self) -> ComposeResult:
        self._lookout = Lookout(self, self.desk, self.read, self.APART if self.relay.is_live else 0.0)
        yield from super().compose()
        self.empty = self.READING

    @property
    def no_row(self) -> tuple[str, str]:
        if self.empty == self.READING:
            return "This is still being read.", "The rows come by themselves."
        return super().no_row

    def reload(self) -> None:
        if self._lookout is not None:  # there is nothing to show before the screen is made
            self._lookout.look()

    def on_looked(self, message: Looked) -> None:
        message.stop()
        message.lookout.ended()
        self.empty = self.EMPTY
        if message.fault is not None:
            self.show_fault(message.fault)
        else:
            self.show_facts(message.found)
