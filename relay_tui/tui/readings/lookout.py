"""Reading that would keep the screen waiting (git, big files), done in a thread with a room of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from textual.dom import DOMNode
from textual.message import Message

from relay_tui.base.errors import RelayError
from relay_tui.tui.aside import aside
from relay_tui.tui.desk import Desk
from relay_tui.tui.door import attempt


class Looked(Message):
    """A reading has ended; `found` is None where it failed. `asked` is what it was asked about."""

    def __init__(self, lookout: Lookout, asked: tuple[Any, ...], found: Any, fault: RelayError | None) -> None:
        super().__init__()
        self.lookout = lookout
        self.asked = asked
        self.found = found
        self.fault = fault


class Lookout:
    """Reads for one node of the screen: never twice at once, and again where it was asked for meanwhile.

    `apart` is the seconds between two readings; the node hears `Looked` and calls `ended`. What `ask` answers when a
    reading starts, on the screen's thread, `read` is handed behind the room.
    """

    def __init__(
        self,
        node: DOMNode,
        desk: Desk,
        read: Callable[..., Any],
        apart: float = 0.0,
        ask: Callable[[], tuple[Any, ...]] = tuple,
    ) -> None:
        self._node = node
        self._desk = desk
        self._read = read
        self._apart = apart
        self._ask = ask
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
            self.look()

    def _start(self) -> None:
        self._started = time.monotonic()
        self._again = False  # whoever asked until now is answered by this reading
        self._node.run_worker(partial(self._work, self._ask()), group="lookout")  # type: ignore[arg-type]  # of no result

    async def _work(self, asked: tuple[Any, ...]) -> None:
        found = await aside(partial(attempt, partial(self._read_apart, asked)), "relay-lookout")
        self._node.post_message(Looked(self, asked, *found))

    def _read_apart(self, asked: tuple[Any, ...]) -> Any:
        with self._desk.borrowed() as room:
            return self._read(room, *asked)
