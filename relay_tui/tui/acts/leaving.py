"""How the screen is left: by its key once nothing is being written any more, and at once where the terminal is gone.

Textual's own way out restores the terminal; without one it waits for a thread that can write no more. So then what
was asked for is finished, what the screen had opened is put away, and the process ends.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import events

from relay_tui.base.children import end_children
from relay_tui.base.text import inert
from relay_tui.tui.frame import LEAST_COLUMNS, LEAST_LINES

if TYPE_CHECKING:
    from relay_tui.base.errors import RelayError
    from relay_tui.tui.app import RelayApp

EXIT_CODE = 128 + signal.SIGHUP
PATIENCE = 20.0  # seconds that a write may take once the terminal is gone; longer than writers wait for each other
_GONE = select.POLLHUP | select.POLLERR


class WayOut:
    """What the keys that close relay do, and what is closed with it."""

    def __init__(self, app: RelayApp) -> None:
        self._app = app
        self._is_leaving = False
        self.keys = dict(app.desk.room.settings.keys).get("app.quit", "q").split(",")

    def leave(self) -> None:
        """Close, once what was asked for has ended; asked again, at once."""
        line = self._app.status.running
        if not line or self._is_leaving:
            self._app.exit()
            return
        self._is_leaving = True
        again = f"relay closes when that has ended. {self.keys[0]} again closes now, and it may stay undone."
        self._app.notify(f"Still running: {inert(line)}\n{again}", timeout=30, markup=False)

    def heard(self, error: RelayError | None) -> None:
        """Something that was asked for has ended; the person who left reads why it failed."""
        self._is_leaving = self._is_leaving and error is None
        if self._is_leaving and not self._app.status.running:
            self._app.exit()

    def tell(self) -> None:
        """For ctrl+c, which people try first."""
        first = "esc leaves this; then " if len(self._app.screen_stack) > 1 else ""
        self._app.notify(f"{first}{self.keys[0]} closes relay.", markup=False)

    def swallows(self, event: events.Event) -> bool:
        """Where nothing can be seen no key may act but the one that closes."""
        if not (self._is_cramped and isinstance(event, events.InputEvent | events.Paste)):
            self._focus_again(event)
            return False
        if isinstance(event, events.Key) and event.key in self.keys:
            self.leave()
        return True

    def _focus_again(self, event: events.Event) -> None:
        """What was hidden meanwhile had lost the focus; a key is for what is seen first."""
        if isinstance(event, events.Key) and self._app.screen.focused is None:
            self._app.screen.focus_next()

    @property
    def _is_cramped(self) -> bool:
        width, height = self._app.size
        return width < LEAST_COLUMNS or height < LEAST_LINES

    @property
    def patience(self) -> float | None:
        """Seconds to wait for what still runs: as long as it takes, but not for somebody who left twice."""
        return 0.0 if self._is_leaving else None

    def put_away(self) -> None:
        """For a thread that ends the process: finish what was asked for, and close what the stage had opened."""
        self._app.close_acts(PATIENCE)
        end_children()
        if self._app.stage.close is not None:
            self._app.stage.close()


def watch_terminal(file: int, put_away: Callable[[], None]) -> None:
    """In a thread of its own: once nobody is behind the terminal `file`, put all away and end the process."""

    def wait() -> None:
        if _waits_for_the_end(file):
            try:
                put_away()
            finally:
                os._exit(EXIT_CODE)

    threading.Thread(target=wait, name="relay-hangup", daemon=True).start()


def _waits_for_the_end(file: int) -> bool:
    """Blocks until the terminal is gone; False where the system cannot tell. No key wakes it."""
    poll = select.poll()
    poll.register(file, 0)
    return any(happened & _GONE for _, happened in poll.poll())
