"""Waking idle agents that have mail while the screen is open: those that relay.toml allows alone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from relay_tui.actions.perform import perform
from relay_tui.room.wakes import due_agents
from relay_tui.tui.answers import answer_lines
from relay_tui.tui.beside import BesideFailed, start_beside
from relay_tui.tui.door import attempt

if TYPE_CHECKING:
    from relay_tui.tui.app import RelayApp

LOOK_EVERY = 1.0  # seconds


class WakePulse:
    """Looks in a thread of its own, which ends with the app. Nobody is woken where nothing may be changed."""

    def __init__(self, app: RelayApp) -> None:
        self._app = app

    def start(self) -> None:
        if not self._app.desk.read_only:
            start_beside(self._run, self._app.post_message, "relay-wake-pulse")

    def _run(self) -> None:
        """What refuses to be read or written every other reading says; a fault of relay's own is told once."""
        told = ""
        while self._app.is_running:
            _, fault = attempt(self.look)
            if fault is not None and fault.code == "internal" and fault.message != told:
                told = fault.message
                self._app.post_message(BesideFailed(fault))
            time.sleep(LOOK_EVERY)

    def look(self) -> None:
        """Wake whoever is due, and tell the person of each attempt. Raises `RelayError`."""
        desk = self._app.desk
        with desk.borrowed() as room:
            if not due_agents(room):
                return
            woken = perform(desk.compose("wake"), room, desk.me._replace(unattended=True))
        if woken.attempts:
            self._app.notify("\n".join(answer_lines("wake", woken._replace(skipped=[]), desk.now)), markup=False)
