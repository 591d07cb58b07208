"""The app: seven screens as modes over one room, and the heartbeat that keeps the visible one current.

It holds what the screens share. What a screen shows and what its keys do stands in `screens`.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.message import Message

from relay_tui.base.errors import RelayError
from relay_tui.base.times import SECOND, age
from relay_tui.tui import modes
from relay_tui.tui.acts import Acts
from relay_tui.tui.command_log import CommandLogScreen
from relay_tui.tui.desk import Desk
from relay_tui.tui.frame import Headline
from relay_tui.tui.glyphs import UNICODE, Glyphs, glyphs_for
from relay_tui.tui.lookout import Looked, Lookout
from relay_tui.tui.pulse import Gate, Pulse, Rang
from relay_tui.tui.tally import Survey, Tally, read_survey, read_tally
from relay_tui.tui.themes import DARK, STYLESHEET, use_theme
from relay_tui.tui.writer import Performed

if TYPE_CHECKING:
    from textual.command import Provider

    from relay_tui.actions.screen import Stage
    from relay_tui.tui.screens.room_screen import RoomScreen

SURVEY_APART = 2.0  # seconds between two readings of git
AGES_APART = 5 * SECOND  # ages on the screen move on at least this often


class PlayFailed(Message):
    """What runs beside the screen has stopped with an error."""

    def __init__(self, fault: RelayError) -> None:
        super().__init__()
        self.fault = fault


def run_screen(stage: Stage) -> int:
    """Show a room full screen until the person leaves; returns the exit code."""
    app = RelayApp(stage, glyphs=glyphs_for(sys.stdout.encoding, os.environ.get("TERM", "")))
    app.run()
    return app.return_code or 0


def _action_provider() -> type[Provider]:
    from relay_tui.tui.palette import ActionProvider

    return ActionProvider


class RelayApp(App[None]):
    """`live` false means no watcher and no timers, for pictures and tests of a room that stands still."""

    TITLE = "relay"
    CSS_PATH = STYLESHEET
    MODES = {mode.name: modes.maker(mode) for mode in modes.MODES}
    DEFAULT_MODE = modes.MODES[0].name
    COMMANDS = {_action_provider}
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(mode.key, f"go('{mode.name}')", mode.title, show=False, id=f"go.{mode.name}")
            for mode in modes.MODES
        ),
        Binding("w", "next_waiting", "Next thing that waits for you", show=False, id="app.next"),
        Binding("at", "command_log", "Command log", show=False, id="app.log"),
        Binding("q", "quit", "Quit", show=False, id="app.quit"),
    ]

    def __init__(self, stage: Stage, *, live: bool = True, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.desk = Desk(stage)
        self.glyphs = glyphs
        self.tally: Tally | None = None
        self.survey: Survey | None = None
        self.acts = Acts(self)
        self._stage = stage
        self.is_live = live
        self._pulse = Pulse(self.desk.home, self.post_message)
        self._gate = Gate()
        self._is_due = False
        self._polling = False
        self._fault: RelayError | None = None
        self._version: int | None = None
        self._read_at = 0
        self._surveyor = Lookout(self, self.desk, read_survey, SURVEY_APART if live else 0.0)
        settings = stage.room.settings
        use_theme(self)
        if settings.theme in self.available_themes:
            self.theme = settings.theme
        self._unknown_theme = settings.theme if settings.theme not in self.available_themes else ""
        self.set_keymap(dict(settings.keys))

    @property
    def room_screen(self) -> RoomScreen:
        """The screen of the mode that is shown, also while a dialog lies over it."""
        return self.screen_stack[0]  # type: ignore[return-value]

    @property
    def headline(self) -> Headline:
        said = age(self._read_at, self.desk.now)
        missing = self._fault is not None and self._fault.code == "unknown_room"
        fault = self._fault.message if self._fault and not missing else ""
        return Headline(
            self.tally, "now" if said in ("0s", "1s") else f"{said} ago", self._polling, self.desk.read_only, fault
        )

    def on_mount(self) -> None:
        if self._unknown_theme:
            words = f"There is no theme '{self._unknown_theme}'. In relay.toml, take {DARK.name} or relay-light."
            self.notify(words, severity="warning", markup=False)
        if self.is_live:
            self._pulse.start()
        if self._stage.play is not None:
            threading.Thread(target=self._play, name="relay-play", daemon=True).start()

    def on_unmount(self) -> None:
        self._pulse.stop()
        self.acts.close()

    # The heartbeat

    def on_rang(self, message: Rang) -> None:
        self._polling = message.polling
        if self._has_changed() or self.desk.now - self._read_at >= AGES_APART:
            self.refresh_soon()
        else:
            self.room_screen.draw_frame()

    def refresh_soon(self) -> None:
        """Read the room again, now or as soon as the gate opens."""
        delay = self._gate.delay(time.monotonic()) if self.is_live else 0.0
        if not delay:
            self.refresh_room()
        elif not self._is_due:
            self._is_due = True
            self.set_timer(delay, self.refresh_room)

    def refresh_room(self) -> None:
        """Read what the visible screen shows, and the numbers above it."""
        self._is_due = False
        self._gate.passed(time.monotonic())
        try:
            self.tally = read_tally(self.desk.room, self.desk.me.name)
            self._fault, self._read_at = None, self.desk.now
            self._surveyor.look()
        except RelayError as fault:
            self._fault = fault
        self.room_screen.reload()
        self.room_screen.draw_frame()

    def _has_changed(self) -> bool:
        room = self.desk.room
        if not room.exists:
            return False
        try:
            with room.reading() as db:
                version = int(db.execute("PRAGMA data_version").fetchone()[0])
        except RelayError:
            return True  # the refresh says what is wrong
        changed, self._version = version != self._version, version
        return changed

    def on_looked(self, message: Looked) -> None:
        message.lookout.ended()
        if message.found is not None:
            self.survey = message.found
            self.room_screen.surveyed()
            self.room_screen.draw_frame()

    def _play(self) -> None:
        assert self._stage.play is not None
        try:
            self._stage.play()
        except RelayError as fault:
            self.post_message(PlayFailed(fault))

    def on_play_failed(self, message: PlayFailed) -> None:
        self.acts.tell_error(message.fault)

    # What was asked for

    def on_performed(self, message: Performed) -> None:
        self.acts.ended(message)
        self.refresh_soon()

    def draw_status(self) -> None:
        self.room_screen.draw_frame()

    def action_go(self, mode: str) -> None:
        if mode != self.current_mode:
            self.switch_mode(mode)

    def action_next_waiting(self) -> None:
        """Go to the next thing on the list of what needs the person."""
        if self.current_mode == "attention":
            self.room_screen.row_list.action_move(1)
        else:
            self.switch_mode("attention")

    def action_command_log(self) -> None:
        self.push_screen(CommandLogScreen(self.acts.log, self.glyphs))
