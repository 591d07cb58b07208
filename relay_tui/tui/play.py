"""What plays beside the screen, such as the demonstration, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from textual.message import Message

from relay_tui.base.errors import RelayError


class PlayFailed(Message):
    """It has stopped with an error."""

    def __init__(self, fault: RelayError) -> None:
        super().__init__()
        self.fault = fault


def start_play(play: Callable[[], None], post: Callable[[Message], object]) -> None:
    """Play until it ends by itself; an error is posted as `PlayFailed`."""

    def run() -> None:
        try:
            play()
        except RelayError as fault:
            post(PlayFailed(fault))

    threading.Thread(target=run, name="relay-play", daemon=True).start()
