"""Reading that would keep the screen waiting (git, big files), done in a thread with a room of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from textual.dom import DOMNode
from textual.message import Message

from relay_tui.base.errors import RelayError
from relay_tui.room.rooms import Room
from relay_tui.tui.aside import aside
from relay_tui.tui.desk import Desk
from relay_tui.tui.door import attempt


class Looked(Message):
    """A reading has ended; `found` is None where it failed."""

    def __init__(self, lookout: Lookout, found: Any, fault: RelayError | None) -> None:
        super().__init__()
        self.lookout = lookout
        self.found = found
        self.fault = fault


class Lookout:
    """Reads for one node of the screen: never twice at once, and again where it was asked for meanwhile.

    `apart` is the seconds between two readings; the node hears `Looked` and calls `ended`.
    """

    def __init__(self, node: DOMNode, desk: Desk, read: Callable[[Room], Any], apart: float = 0.0) -> None:
        self._node = node
        self._desk = desk
        self._read = read
        self._apart = apart
        self._started = float("-inf")
        self._busy = False
        self._again = False

    def look(self) -> None:
        if self._busy:
            self._again = True
            return
        self._busy = True
        wait = self._started + self._apart - time.monotonic()
        if wait > 0:
            self._node.set_timer(wait, self._start)
        else:
            self._start()

    def ended(self) -> None:
        """The node has heard what was found."""
        self._busy = False
        if self._again:
            self._again = False
            self.look()

    def _start(self) -> None:
        self._started = time.monotonic()
        self._node.run_worker(self._work, group="lookout")  # type: ignore[arg-type]  # of no result

    async def _work(self) -> None:
        self._node.post_message(await aside(self._look, "relay-lookout"))

    def _look(self) -> Looked:
        return Looked(self, *attempt(self._read_apart))

    def _read_apart(self) -> Any:
        with self._desk.borrowed() as room:
            return self._read(room)
