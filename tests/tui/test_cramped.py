from __future__ import annotations

import pytest
from textual.events import Paste

from tests.room_fixture import House
from tests.tui.visits import visit

TOO_SMALL = [(59, 24), (80, 14)]


@pytest.mark.parametrize("size", TOO_SMALL)
async def test_where_nothing_can_be_seen_no_key_acts_but_the_one_that_leaves(house: House, size: tuple[int, int]):
    house.send(house.join("codex-9"), "operator", "ready")
    async with visit(house, "inbox") as here:
        await here.pilot.resize_terminal(*size)
        assert "q leaves." in here.drawn
        await here.press("a", "4", "ctrl+p", "colon", "m", "at")
        here.app.post_message(Paste("a"))
        await here.settle()
        assert here.app.current_mode == "inbox" and len(here.app.screen_stack) == 1
        assert here.lines == []
        await here.pilot.resize_terminal(120, 36)
        await here.press("K")
        assert here.app.focused is here.row_list
        await here.pilot.resize_terminal(*size)
        await here.press("q")
        assert not here.app.is_running
    assert house.poll(house.operator).messages[0].handled_at is None


@pytest.mark.parametrize("size", TOO_SMALL)
@pytest.mark.parametrize("key", ["m", "question_mark", "at"])
async def test_what_lies_over_the_screen_is_hidden_and_untouched(house: House, key: str, size: tuple[int, int]):
    async with visit(house, "agents") as here:
        await here.press(key)
        above = here.app.screen
        await here.pilot.resize_terminal(*size)
        assert "q leaves." in here.drawn and "codex-3" not in here.drawn
        await here.press("x", "escape", "y")
        assert here.app.screen is above
        await here.pilot.resize_terminal(120, 36)
        assert "q leaves." not in here.drawn
        if key == "m":
            await here.press("x")
            assert here.app.focused.value == "claude-1x"
        await here.press("escape")
        assert here.app.screen is not above
