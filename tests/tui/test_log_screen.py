from __future__ import annotations

from relay_tui.room.ledger import Actor
from relay_tui.tui.screens import log
from tests.room_fixture import House
from tests.tui.visits import visit

CODEX = Actor("codex-3")


async def test_the_newest_event_is_on_top_and_followed(house: House):
    async with visit(house, "log") as here:
        assert here.ids == ["3", "2", "1"]
        house.send(CODEX, "claude-1", "ready")
        await here.press("r")
        assert (here.ids[0], here.here) == ("4", "4")
        assert "following the newest" in here.banner


async def test_after_much_more_than_a_page_the_newest_is_still_on_top(house: House, monkeypatch):
    monkeypatch.setattr(log, "PAGE", 2)
    async with visit(house, "log") as here:
        for _ in range(5):
            house.send(CODEX, "claude-1", "ready")
        await here.press("r")
        assert here.ids == [str(number) for number in range(8, 0, -1)]
        assert here.here == "8" and "following the newest" in here.banner


async def test_away_from_the_newest_the_cursor_stays_on_its_event(house: House):
    async with visit(house, "log") as here:
        await here.press("j")
        house.send(CODEX, "claude-1", "ready")
        await here.press("r")
        assert (here.ids[0], here.here) == ("4", "2")
        assert "g follows the newest" in here.banner


async def test_views_are_kinds(house: House):
    house.send(CODEX, "claude-1", "ready")
    house.claim(CODEX, "src")
    async with visit(house, "log") as here:
        await here.press("f")
        assert here.ids == ["4"]
        await here.press("f")
        assert here.ids == ["5"]
        await here.press("escape")
        assert here.ids == ["5", "4", "3", "2", "1"]


async def test_the_data_of_an_event_is_shown_whole_and_inert(house: House):
    house.send(CODEX, "claude-1", "evil \x1b[31m [/] \u202e [@click=app.quit]x[/]")
    async with visit(house, "log") as here:
        assert '"body": "evil \\u001b[31m [/] \\u202e [@click=app.quit]x[/]"' in here.detail
        assert house.events()[-1].hash[:20] in here.detail
        await here.press("Y")
        assert here.app.clipboard == "relay log --since c3 --limit 1 --as operator"
