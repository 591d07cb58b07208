"""Pictures of screens in which nothing moves: the environment is set before Textual is imported."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["TEXTUAL_ANIMATIONS"] = "none"
os.environ["TZ"] = "UTC"
time.tzset()
for name in ("NO_COLOR", "TEXTUAL_THEME"):
    os.environ.pop(name, None)

import pytest  # noqa: E402
from textual.app import App  # noqa: E402
from textual.pilot import Pilot  # noqa: E402
from textual.widgets import Input, TextArea  # noqa: E402

from relay_tui.tui.themes import DARK, LIGHT  # noqa: E402
from tests.repo.git_fixture import commit, isolate_git, make_repository  # noqa: E402
from tests.room_fixture import House  # noqa: E402

SIZES = [(80, 24), (120, 36)]
at_both_sizes = pytest.mark.parametrize("size", SIZES)
in_both_themes = pytest.mark.parametrize("theme", [DARK.name, LIGHT.name])
# Where a view is one of many of a screen that is drawn in every way already.
in_either = pytest.mark.parametrize(("theme", "size"), [(DARK.name, SIZES[0]), (LIGHT.name, SIZES[1])])

Picture = Callable[..., None]


async def settle(pilot: Pilot[Any]) -> None:
    """Until what is read in threads has come: Textual takes a process for idle that waits for git."""
    quiet = 0
    while quiet < 2:
        await pilot.pause(0.005)
        quiet = 0 if len(pilot.app.workers) else quiet + 1
        await pilot.app.workers.wait_for_complete()


async def stop_blinking(pilot: Pilot[Any]) -> None:
    for field in [*pilot.app.screen.query(Input), *pilot.app.screen.query(TextArea)]:
        field.cursor_blink = False
    await pilot.pause()


@pytest.fixture
def picture(snap_compare: Callable[..., bool]) -> Picture:
    """`picture(app, "j", "space", size=(80, 24))` compares with the accepted picture."""

    def compare(app: App[Any], *keys: str, size: tuple[int, int] = SIZES[0], theme: str = DARK.name) -> None:
        async def press_each(pilot: Pilot[Any]) -> None:
            await settle(pilot)
            await stop_blinking(pilot)
            for key in keys:
                await pilot.press(key)
                await settle(pilot)

        app.theme = theme
        assert snap_compare(app, terminal_size=size, run_before=press_each)

    return compare


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A repository that tests only look at."""
    made = make_repository(str(tmp_path_factory.mktemp("shared") / "shop-api"))
    commit(made, "first", {"src/auth/login.py": "a\n", "README.md": "b\n"})
    return made


@pytest.fixture
def house(tmp_path: Path, repository: str, monkeypatch: pytest.MonkeyPatch) -> House:
    """A room with two agents; nobody has written or claimed anything."""
    isolate_git(monkeypatch)
    made = House(str(tmp_path), repository=repository)
    made.join("codex-3", runner="codex")
    made.join("claude-1", runner="claude")
    return made
