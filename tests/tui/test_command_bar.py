from __future__ import annotations

from textual.events import Paste

from relay_tui.tui.widgets.command_bar import CommandBar
from relay_tui.tui.widgets.row_list import RowList
from tests.tui.stages import ListStage, branch_rows

LINES = ["agents", "branch claim", "branches", "evil\x1b[31m", "evil\u202e"]


def complete(text: str) -> list[str]:
    return [line for line in LINES if line.startswith(text)]


def finished(app: ListStage) -> list[object]:
    return [heard for heard in app.heard if heard[0] != "edited"]


async def test_enter_submits_and_gives_the_focus_back():
    app = ListStage(branch_rows())
    async with app.run_test() as pilot:
        bar = app.query_one(CommandBar)
        bar.open(":")
        await pilot.press(*"who", "enter")
        assert finished(app) == [(":", "who")]
        assert not bar.is_open and not bar.display
        assert app.focused is app.query_one(RowList)


async def test_esc_closes_with_the_line_it_had_opened_with():
    app = ListStage(branch_rows())
    async with app.run_test() as pilot:
        app.query_one(CommandBar).open("/", "old")
        await pilot.press("x", "escape")
        assert app.heard[-2:] == [("edited", "oldx"), ("cancelled", "old")]
        assert app.focused is app.query_one(RowList)


async def test_tab_goes_through_the_suggestions_and_typing_narrows_them():
    app = ListStage()
    async with app.run_test() as pilot:
        bar = app.query_one(CommandBar)
        bar.open(":", "", complete)
        await pilot.press("b")
        assert bar.suggestions == ["branch claim", "branches"]
        await pilot.press("tab")
        assert bar.input.value == "branch claim"
        assert bar.suggestions == ["branch claim", "branches"]
        await pilot.press("tab")
        assert bar.input.value == "branches"
        await pilot.press("shift+tab", "enter")
        assert finished(app) == [(":", "branch claim")]


async def test_a_completion_that_a_terminal_would_obey_is_not_offered():
    app = ListStage()
    async with app.run_test() as pilot:
        bar = app.query_one(CommandBar)
        bar.open(":", "", complete)
        await pilot.press(*"evil")
        assert bar.suggestions == []
        assert not bar.suggestion_lines.display


async def test_each_prompt_has_its_own_history_without_doubles():
    app = ListStage()
    async with app.run_test() as pilot:
        bar = app.query_one(CommandBar)
        for prompt, line in [(":", "a"), (":", "b"), ("/", "f"), (":", "a")]:
            bar.open(prompt)
            await pilot.press(line, "enter")
        bar.open(":")
        await pilot.press("up")
        assert bar.input.value == "a"
        await pilot.press("up", "up")
        assert bar.input.value == "b"
        await pilot.press("down", "down")
        assert bar.input.value == ""
        bar.open("/")
        await pilot.press("up")
        assert bar.input.value == "f"


async def test_pasted_controls_become_visible_and_lines_become_one():
    app = ListStage()
    async with app.run_test() as pilot:
        bar = app.query_one(CommandBar)
        bar.open(":")
        app.post_message(Paste("a\x1b[31m\nb\u202e"))
        await pilot.pause()
        assert bar.input.value == "a\\x1b[31m b\\u202e"
