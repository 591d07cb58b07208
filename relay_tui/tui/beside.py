"""What goes on beside the screen in a thread of its own: the demonstration, the watch on git, the waker."""

from __future__ import annotations

import threading
from collections.abc import Callable

from textual.message import Message

from relay_tui.base.errors import RelayError
from relay_tui.tui.door import attempt


class BesideFailed(Message):
    """It has stopped with an error."""

    def __init__(self, fault: RelayError) -> None:
        super().__init__()
        self.fault = fault


def start_beside(work: Callable[[], None], post: Callable[[Message], object], name: str) -> None:
    """Work until it ends by itself; an error is posted as `BesideFailed`."""

    def run() -> None:
        _, fault = attempt(work)
        if fault is not None:
            post(BesideFailed(fault))

    threading.Thread(target=run, name=name, daemon=True).start()
