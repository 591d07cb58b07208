"""The app: seven screens as modes over one room, and the heartbeat that keeps the visible one current.

It holds what the screens share. What a screen shows and what its keys do stands in `screens`.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from relay_tui.base.errors import RelayError
from relay_tui.base.times import SECOND, age
from relay_tui.tui import modes
from relay_tui.tui.acts.leaving import WayOut, watch_terminal
from relay_tui.tui.desk import Desk
from relay_tui.tui.frame import LEAST_COLUMNS, LEAST_LINES, Headline, Status
from relay_tui.tui.key_order import KeyOrder
from relay_tui.tui.readings.pulse import Gate, Pulse, Rang
from relay_tui.tui.readings.tally import Survey, Tally, read_survey, read_tally
from relay_tui.tui.themes import DARK, LIGHT, STYLESHEET, use_theme
from relay_tui.tui.widgets.glyphs import UNICODE, Glyphs, glyphs_for

if TYPE_CHECKING:
    from relay_tui.actions.screen import Stage
    from relay_tui.tui.acts.carrying import Acts
    from relay_tui.tui.acts.writer import Performed
    from relay_tui.tui.beside import BesideFailed
    from relay_tui.tui.readings.git_pulse import GitPulse
    from relay_tui.tui.readings.lookout import Looked, Lookout
    from relay_tui.tui.readings.plan_pulse import PlanPulse
    from relay_tui.tui.screens.room_screen import RoomScreen

SURVEY_APART = 1.0  # seconds between two readings of git
AGES_APART = 5 * SECOND  # ages on the screen move on at least this often


def run_screen(stage: Stage) -> int:
    """Show a room full screen until the person leaves, or until the terminal is gone; returns the exit code."""
    glyphs = glyphs_for(sys.stdout.encoding, os.environ)
    if glyphs.letters:
        from relay_tui.tui.widgets.letters import write_ascii

        write_ascii(sys.__stderr__)  # where Textual draws
    app = RelayApp(stage, glyphs=glyphs)
    watch_terminal(sys.stdin.fileno(), app.way_out.put_away)
    app.run()
    return app.return_code or 0


class RelayApp(App[None]):
    """`live` false means no watcher and no timers, for pictures and tests of a room that stands still."""

    TITLE = "relay"
    CSS_PATH = STYLESHEET
    HORIZONTAL_BREAKPOINTS = [(0, "-cramped"), (LEAST_COLUMNS, "-stacked")]
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (LEAST_LINES, "-high")]
    MODES = {mode.name: modes.maker(mode) for mode in modes.MODES[1:]}
    DEFAULT_MODE = modes.FIRST.name
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(mode.key, f"go('{mode.name}')", mode.title, show=False, id=f"go.{mode.name}")
            for mode in modes.MODES
        ),
        Binding("at", "command_log", "Command log", show=False, id="app.log"),
        Binding("q", "quit", "Quit", show=False, id="app.quit"),
    ]

    def __init__(self, stage: Stage, *, live: bool = True, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.desk = Desk(stage)
        self.glyphs = glyphs
        self.tally: Tally | None = None
        self.survey: Survey | None = None
        self.survey_fault: RelayError | None = None  # why there is no newer one
        self.stage = stage
        self.is_live = live
        self._is_shown = False
        self.way_out = WayOut(self)
        self._key_order = KeyOrder(self)
        self._pulse = Pulse(self.desk.home, self.post_message)
        self._git_pulse: GitPulse | None = None
        self._plan_pulse: PlanPulse | None = None
        self._gate = Gate()
        self._is_due = False
        self._polling = False
        self._fault: RelayError | None = None
        self._version: tuple[int | None, int] | None = None
        self._read_at = 0
        settings = stage.room.settings
        use_theme(self)
        if settings.theme in self.available_themes:
            self.theme = settings.theme
        self.stylesheet.set_variables(self.get_css_variables())
        self._unknown_theme = settings.theme if settings.theme not in self.available_themes else ""
        self.set_keymap(dict(settings.keys))

    @cached_property
    def acts(self) -> Acts:
        """Made when first asked for, because dialogs and forms take a while to load."""
        from relay_tui.tui.acts.carrying import Acts

        return Acts(self)

    @cached_property
    def _surveyor(self) -> Lookout:
        from relay_tui.tui.readings.lookout import Lookout

        return Lookout(self, self.desk, read_survey, SURVEY_APART if self.is_live else 0.0)

    @property
    def status(self) -> Status:
        return self.acts.status if "acts" in self.__dict__ else Status()

    @property
    def room_screen(self) -> RoomScreen:
        """The screen of the mode that is shown, also while a dialog lies over it."""
        return self.screen_stack[0]  # type: ignore[return-value]

    @property
    def headline(self) -> Headline:
        wrong = self._fault or self.survey_fault
        missing = wrong is not None and wrong.code == "unknown_room"
        fault = wrong.message if wrong and not missing else ""
        old = "" if missing or not self._read_at else age(self._read_at, self.desk.now)
        updated = "now" if old in ("0s", "1s") else f"{old} ago" if old else ""
        return Headline(
            self.tally, updated, self._polling, self.desk.read_only, fault, missing, self.desk.folders_room or ""
        )

    def get_default_screen(self) -> Screen[Any]:
        """The first screen. Were it one of `MODES`, Textual would draw it twice before it is seen."""
        return modes.maker(modes.FIRST)()

    def on_load(self) -> None:
        self.stylesheet.apply(self)  # widgets inherit from the app's own style, and remember it

    def on_mount(self) -> None:
        self.add_mode(modes.FIRST.name, self.get_default_screen)
        if self._unknown_theme:
            words = f"There is no theme '{self._unknown_theme}'. In relay.toml, use {DARK.name} or {LIGHT.name}."
            self.notify(words, severity="warning", markup=False)

    def on_ready(self) -> None:
        self.screen.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """The first frame is out: what takes time may begin."""
        self._is_shown = True
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        self.refresh_room()
        if self.is_live:
            self._pulse.start()
            self._follow_files()
        if self.stage.play is not None:
            from relay_tui.tui.beside import start_beside

            start_beside(self.stage.play, self.post_message, "relay-play")

    def _follow_files(self) -> None:
        from relay_tui.tui.readings.git_pulse import GitPulse
        from relay_tui.tui.readings.plan_pulse import PlanPulse
        from relay_tui.tui.readings.wake_pulse import WakePulse

        self._git_pulse, self._plan_pulse = GitPulse(self.desk, self.post_message), PlanPulse(self)
        self._git_pulse.start()
        self._plan_pulse.look()
        WakePulse(self).start()

    def on_unmount(self) -> None:
        self._pulse.stop()
        for pulse in (self._git_pulse, self._plan_pulse):
            if pulse is not None:
                pulse.stop()
        self.close_acts(self.way_out.patience)

    def close_acts(self, patience: float | None) -> None:
        if "acts" in self.__dict__:
            self.acts.close(patience)

    def refresh_css(self, animate: bool = True) -> None:
        """Not before the first frame: Textual would read the stylesheet three times over, to no effect."""
        if self._is_shown:
            super().refresh_css(animate)

    # The heartbeat

    def on_rang(self, message: Rang) -> None:
        self._polling = message.polling
        if not self.screen_stack:
            return  # a ring may outlast the screens
        if self._has_changed() or self.desk.now - self._read_at >= AGES_APART:
            self.refresh_soon()
        else:
            self.room_screen.draw_age()

    def refresh_soon(self) -> None:
        """Read the room again, now or as soon as the gate opens."""
        delay = self._gate.delay(time.monotonic()) if self.is_live else 0.0
        if not delay:
            self.refresh_room()
        elif not self._is_due:
            self._is_due = True
            self.set_timer(delay, self.refresh_room)

    def show_room(self) -> None:
        """A screen has come up: read for it, but not before the first frame is out."""
        if self._is_shown:
            self.refresh_room()

    def refresh_room(self) -> None:
        """Read what the visible screen shows, and the numbers above it."""
        self._is_due = False
        began = time.monotonic()
        try:
            self._version = self.desk.read_version()
            self.tally = read_tally(self.desk.room, self.desk.me.name)
            self.desk.look_where()
            self._fault, self._read_at = None, self.desk.now
            self._surveyor.look()
            if self._plan_pulse is not None:
                self._plan_pulse.look()
        except RelayError as fault:
            self._fault = fault
        self.room_screen.reload()
        self.room_screen.draw_frame()
        self._gate.passed(began, time.monotonic())

    def reading_failed(self, fault: RelayError) -> None:
        """What a screen shows could not be read, though the numbers above it could."""
        self._fault = self._fault or fault

    def _has_changed(self) -> bool:
        """Whether anything was written since the room was last read."""
        try:
            return self.desk.read_version() != self._version
        except RelayError:
            return True  # the refresh says what is wrong

    def on_git_changed(self) -> None:
        self.room_screen.git_changed()
        self._surveyor.look()

    def on_looked(self, message: Looked) -> None:
        message.lookout.ended()
        self.survey_fault = message.fault
        self.survey = message.found or self.survey
        if self.screen_stack:  # a survey may outlast the screens
            self.room_screen.surveyed()
            self.room_screen.draw_frame()

    def on_beside_failed(self, message: BesideFailed) -> None:
        self.acts.tell_error(message.fault)

    # What was asked for

    def on_performed(self, message: Performed) -> None:
        self.acts.try_to(partial(self.acts.ended, message))
        self.way_out.heard(message.error)
        self.refresh_soon()

    async def action_quit(self) -> None:
        self.way_out.leave()

    def action_help_quit(self) -> None:
        self.way_out.tell()

    async def on_event(self, event: events.Event) -> None:
        if not self.way_out.swallows(event):
            await self._key_order.pass_on(event, super().on_event)

    def draw_status(self) -> None:
        self.room_screen.draw_frame()

    def action_go(self, mode: str) -> None:
        if mode != self.current_mode:
            self.switch_mode(mode)

    def action_command_palette(self) -> None:
        from relay_tui.tui.acts.palette import open_palette

        open_palette(self)

    def action_command_log(self) -> None:
        from relay_tui.tui.widgets.command_log import CommandLogScreen

        self.push_screen(CommandLogScreen(self.acts.log, self.glyphs))
