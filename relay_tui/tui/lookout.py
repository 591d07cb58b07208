"""Reading that would keep the screen waiting (git, big files), done in a thread with a room of its own."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from textual.dom import DOMNode
from textual.message import Message

from relay_tui.base.errors import RelayError
from relay_tui.room.rooms import Room
from relay_tui.tui.desk import Desk


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
        self._node.run_worker(self._work(), group="lookout")

    async def _work(self) -> None:
        """Wait for a thread that nobody waits for on the way out: git may hang, and the screen still closes."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Looked] = loop.create_future()

        def tell(looked: Looked) -> None:
            if not done.cancelled():
                done.set_result(looked)

        def read() -> None:
            looked = self._look()
            with suppress(RuntimeError):  # the screen was closed meanwhile
                loop.call_soon_threadsafe(tell, looked)

        threading.Thread(target=read, name="relay-lookout", daemon=True).start()
        self._node.post_message(await done)

    def _look(self) -> Looked:
        try:
            with self._desk.borrowed() as room:
                return Looked(self, self._read(room), None)
        except RelayError as fault:
            return Looked(self, None, fault)
