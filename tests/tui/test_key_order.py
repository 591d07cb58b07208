"""Keys that come in one burst, as over a slow line, act in the order in which they were typed."""

from __future__ import annotations

import asyncio

from textual.events import Key

from relay_tui.tui.widgets.inputs import PlainInput
from tests.room_fixture import House
from tests.tui.visits import Visit, visit

BACKSPACE = ["backspace"]


async def burst(here: Visit, *keys: str) -> None:
    for key in keys:
        here.app.post_message(Key({" ": "space", ":": "colon"}.get(key, key), key if len(key) == 1 else None))
    handed_on = asyncio.Event()
    here.app.call_later(handed_on.set)
    await handed_on.wait()
    await here.settle()


async def test_letters_do_not_overtake_a_backspace(house: House):
    async with visit(house, "claims") as here:
        await here.press("c")
        await burst(here, *"abcdefghij", *BACKSPACE * 5, *"12345", *BACKSPACE * 2, *"XYZ")
        assert here.app.screen.query(PlainInput).first().value == "abcde123XYZ"


async def test_letters_behind_a_tab_stand_in_the_next_field(house: House):
    async with visit(house, "claims") as here:
        await here.press("c")
        await burst(here, *"src", "tab", *"why", "ctrl+s")
        assert here.lines == ["relay claim src --note why --as operator"]


async def test_a_form_gets_the_letters_behind_the_key_that_opens_it(house: House):
    async with visit(house, "claims") as here:
        await burst(here, *"csrc", "enter")
        assert here.lines == ["relay claim src --as operator"]


async def test_the_command_bar_gets_the_line_behind_its_colon(house: House):
    async with visit(house, "claims") as here:
        await burst(here, *":claim src", "enter", "colon", *"release src", "enter")
        assert here.lines == ["relay claim src", "relay release src"]
