from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.tui.widgets.command_log import CommandLog, CommandLogScreen
from relay_tui.tui.widgets.detail import DetailPane
from relay_tui.tui.widgets.row_list import RowList
from tests.tui.stages import DialogStage


def filled() -> CommandLog:
    log = CommandLog()
    log.add(("relay", "send", "--to", "nimbus-2", "--message", "hi [/] there"), "09:54:07", 12)
    refused = RelayError("claim_conflict", "nimbus-2 holds src/[id].tsx.", "Ask: relay handoff ask.")
    log.add(("relay", "claim", "src/[id].tsx"), "09:54:09", 120, refused)
    return log


def test_the_log_keeps_the_newest_and_numbers_go_on():
    log = CommandLog(kept=2)
    for name in "abc":
        log.add(("relay", name), "09:00:00", 1)
    assert [(entry.number, entry.line) for entry in log.entries] == [(2, "relay b"), (3, "relay c")]
    assert log.last is log.entries[-1]
    assert CommandLog().last is None


async def test_the_screen_shows_the_newest_first_with_error_and_hint():
    app = DialogStage(CommandLogScreen(filled()))
    async with app.run_test() as pilot:
        rows = app.screen.query_one(RowList).rows
        assert [row.id for row in rows] == ["2", "1"]
        detail = app.screen.query_one(DetailPane).text
        assert "nimbus-2 holds src/[id].tsx." in str(detail.content)
        assert "Ask: relay handoff ask." in str(detail.content)
        await pilot.press("j")
        assert "error" not in str(detail.content)
        await pilot.press("y")
        assert app.clipboard == "relay send --to nimbus-2 --message 'hi [/] there'"
        await pilot.press("escape")
        assert app.answers == [None]


async def test_the_same_key_that_opens_it_closes_it():
    app = DialogStage(CommandLogScreen(CommandLog()))
    async with app.run_test() as pilot:
        await pilot.press("y", "@")
        assert app.answers == [None]
