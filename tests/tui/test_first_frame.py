"""The screen stands before it reads: what is loaded and styled for the first frame. A count, never a clock."""

from __future__ import annotations

import subprocess
import sys

from tests.room_fixture import House
from tests.tui.visits import make_app

LOADED = "import sys, relay_tui.tui.app, relay_tui.tui.screens.attention; print(*sys.modules)"
# What reads, what is asked about, and what is done; all of it comes with the first reading or the first key.
LATER = (
    "attention attention_items bell branches held mail mailbox messages overlap registry standing waiting work".split()
)


def test_what_reads_the_room_is_loaded_behind_the_first_frame():
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "relay_tui.room.rooms" in loaded, "the report must see what is loaded"
    assert not loaded & {f"relay_tui.room.{name}" for name in LATER}
    above = [name for name in loaded if name.startswith(("relay_tui.tui.acts.", "relay_tui.tui.dialogs."))]
    assert above == ["relay_tui.tui.acts.leaving"]


async def test_a_screen_fits_its_terminal_before_it_is_laid_out(house: House):
    for size, fitting in (((120, 36), "-wide -high"), ((80, 24), "-stacked -high"), ((59, 14), "-cramped -flat")):
        app = make_app(house)
        async with app.run_test(size=size) as pilot:
            born = app.get_default_screen().classes
            await pilot.pause()
            assert born == set(fitting.split()) <= app.screen.classes
