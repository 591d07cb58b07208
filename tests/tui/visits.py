"""Visiting a real room: the app over a `House`, opened on one screen, with nothing that moves by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot

from relay_tui.actions.screen import Stage
from relay_tui.room.ledger import Actor
from relay_tui.tui.app import RelayApp
from relay_tui.tui.modes import MODES
from relay_tui.tui.widgets.detail import DetailPane
from relay_tui.tui.widgets.glyphs import UNICODE, Glyphs
from relay_tui.tui.widgets.row_list import RowList
from tests.room_fixture import House

WIDE = (120, 36)
KEY_OF = {mode.name: mode.key for mode in MODES}


def make_app(
    house: House, me: Actor | None = None, *, live: bool = False, read_only: bool = False, glyphs: Glyphs = UNICODE
) -> RelayApp:
    stage = Stage(house.enter(house.repository), me or house.operator, read_only)
    return RelayApp(stage, live=live, glyphs=glyphs)


class Visit:
    """What a test sees and presses."""

    def __init__(self, app: RelayApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, and wait for everything that they set off."""
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        await self.pilot.press(*("space" if char == " " else char for char in text))

    async def fill(self, text: str) -> None:
        """Type into a form, and send it."""
        await self.type(text)
        await self.press("ctrl+s")

    async def type_out(self, name: str, reason: str) -> None:
        """Answer the question before a forced act."""
        await self.type(name)
        await self.press("enter")
        await self.type(reason)
        await self.press("enter")

    async def command(self, line: str) -> None:
        """A line in the command bar, as if pasted, and enter."""
        await self.pilot.press("colon")
        self.app.room_screen.bar.input.value = line
        await self.press("enter")

    async def go_to(self, row: str) -> None:
        """Put the cursor on a row."""
        assert self.row_list.move_to(row), self.ids
        await self.settle()

    async def settle(self) -> None:
        quiet = 0
        for _ in range(400):
            await self.pilot.pause(0.005)
            await self.app.workers.wait_for_complete()
            quiet = 0 if self.app.status.running else quiet + 1
            if quiet == 2:  # a dialog that closes hands on what it was told in a message of its own
                break
        await self.pilot.pause()

    @property
    def row_list(self) -> RowList:
        return self.app.room_screen.row_list

    @property
    def ids(self) -> list[str]:
        """The rows that are shown, headings left out."""
        return [row.id for row in self.row_list.rows if not row.heading]

    @property
    def here(self) -> str:
        """The row under the cursor."""
        row = self.row_list.row
        return row.id if row else ""

    @property
    def banner(self) -> str:
        """The line above the list."""
        return str(self.app.screen.query_one(".banner").visual)

    @property
    def drawn(self) -> str:
        """Every character that the terminal gets."""
        return "".join(strip.text for strip in self.app.screen._compositor.render_strips())

    @property
    def detail(self) -> str:
        return str(self.app.room_screen.query_one(DetailPane).text.visual)

    @property
    def toasts(self) -> str:
        """What every toast on the screen says."""
        return "\n".join(str(toast.render()) for toast in self.app.screen.query("Toast"))

    @property
    def dialog(self) -> str:
        """All words of the dialog that lies on top."""
        assert len(self.app.screen_stack) > 1, "no dialog is open"
        return "\n".join(str(static.visual) for static in self.app.screen.query("Static"))

    @property
    def lines(self) -> list[str]:
        """The commands that were carried out, oldest first."""
        return [entry.line for entry in self.app.acts.log.entries]


@asynccontextmanager
async def visit(house: House, mode: str, *, size: tuple[int, int] = WIDE, **options: Any) -> AsyncIterator[Visit]:
    app = make_app(house, **options)
    async with app.run_test(size=size, notifications=True) as pilot:
        visited = Visit(app, pilot)
        await visited.settle()
        await visited.press(KEY_OF[mode])
        yield visited
