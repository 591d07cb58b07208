"""What goes on beside the screen, such as the demonstration, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from textual.message import Message

from relay_tui.base.errors import RelayError
from relay_tui.tui.door import attempt


class PlayFailed(Message):
    """It has stopped with an error."""

    def __init__(self, fault: RelayError) -> None:
        super().__init__()
        self.fault = fault


def start_play(play: Callable[[], None], post: Callable[[Message], object], name: str = "relay-play") -> None:
    """Play until it ends by itself; an error is posted as `PlayFailed`."""

    def run() -> None:
        _, fault = attempt(play)
        if fault is not None:
            post(PlayFailed(fault))

    threading.Thread(target=run, name=name, daemon=True).start()
