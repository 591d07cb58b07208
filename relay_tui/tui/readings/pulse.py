"""What tells the screen to look: the bell in a thread of its own, and the gate that keeps refreshes apart."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from textual.message import Message

LOOK_EVERY = 1.0  # seconds at the most between two looks when nothing rings
APART = 0.1  # seconds at the least between two refreshes


class Rang(Message):
    """Somebody may have written; `PRAGMA data_version` decides. A burst of them is one."""

    def __init__(self, polling: bool) -> None:
        super().__init__()
        self.polling = polling

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, Rang)


class Pulse:
    """Posts `Rang` for every write in the home, and at least once a second."""

    def __init__(self, home: str, post: Callable[[Message], object]) -> None:
        self._home = home
        self._post = post
        self._stopped = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._listen, name="relay-pulse", daemon=True).start()

    def stop(self) -> None:
        """The thread ends by itself within a second; nothing waits for it."""
        self._stopped.set()

    def _listen(self) -> None:
        from relay_tui.room.bell import POLL_EVERY, Bell

        while not os.path.isdir(self._home):  # nothing can be watched before the first write made it
            self._post(Rang(polling=True))
            if self._stopped.wait(POLL_EVERY):
                return
        with Bell(self._home) as bell:
            while not self._stopped.is_set():
                self._post(Rang(bell.polling))
                bell.wait(LOOK_EVERY)


class Gate:
    """At most one refresh in `APART` seconds, and half of the time for keys, by a clock that only runs forward."""

    def __init__(self) -> None:
        self._opens = float("-inf")

    def delay(self, now: float) -> float:
        """Seconds until the next refresh may be; 0 where it may be now."""
        return max(self._opens - now, 0.0)

    def passed(self, began: float, ended: float) -> None:
        self._opens = max(began + APART, ended + (ended - began))
