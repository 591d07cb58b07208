"""Takes the pictures in this folder: the demo's room, played at once, then every screen through Pilot.

python screenshots/take.py
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

os.environ["TEXTUAL_ANIMATIONS"] = "none"
os.environ.pop("NO_COLOR", None)

from relay_tui.actions.demo import Scene, make_repository
from relay_tui.actions.demo_play import play
from relay_tui.actions.screen import Stage
from relay_tui.room.ledger import Actor
from relay_tui.tui.app import RelayApp
from relay_tui.tui.modes import MODES

FOLDER = Path(__file__).parent
SIZE = (120, 36)
LOOKS = 20  # pauses of a tenth of a second in which git's answer arrives


def main() -> None:
    scene = Scene()
    try:
        make_repository(scene.folder, scene.repository)
        play(scene.run, scene.worktree, lambda: None)
        asyncio.run(take(Stage(scene.open_room(), Actor("operator", None, "tui", at_keyboard=True))))
    finally:
        scene.remove()


async def take(stage: Stage) -> None:
    app = RelayApp(stage, live=False)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        for mode in MODES:
            await pilot.press(mode.key)
            for _ in range(LOOKS):
                await pilot.pause(0.1)
            await pilot.press("g")
            for _ in range(LOOKS // 2):
                await pilot.pause(0.1)
            picture = app.export_screenshot(title=f"relay · {mode.title}")
            (FOLDER / f"{mode.name}.svg").write_text(picture, encoding="utf-8")
    stage.room.store.close()


if __name__ == "__main__":
    main()
