from __future__ import annotations

import pytest
from textual.widgets import Static

from relay_tui.tui.dialogs.confirm import ConfirmDialog, ForcedDialog
from relay_tui.tui.dialogs.diff import WIDEST, diff_line
from relay_tui.tui.widgets.inputs import PlainInput
from tests.tui.stages import HOSTILE, DialogStage

LONG = "/".join(["deep" * 5] * 15)


def drawn(app: DialogStage) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def confirm() -> ConfirmDialog:
    return ConfirmDialog("Import [/] roadmap.md", [*HOSTILE, "3 added"], "import")


def forced() -> ForcedDialog:
    return ForcedDialog("Release feat/[id] by force", HOSTILE, "feat/[id]")


@pytest.mark.parametrize(("key", "answer"), [("y", True), ("n", False), ("escape", False), ("q", False), ("x", None)])
async def test_confirm_takes_y_and_n(key: str, answer: bool | None):
    app = DialogStage(confirm())
    async with app.run_test() as pilot:
        await pilot.press(key)
        assert app.answers == ([] if answer is None else [answer])


async def test_confirm_needs_its_own_key_and_not_enter():
    app = DialogStage(confirm())
    async with app.run_test() as pilot:
        await pilot.press("enter", "space", "tab")
        assert app.answers == []


@pytest.mark.parametrize("dialog", [confirm, forced])
async def test_hostile_text_in_a_dialog_is_literal(dialog):
    app = DialogStage(dialog())
    async with app.run_test(size=(80, 40)) as pilot:
        text = "\n".join(str(widget.content) for widget in app.screen.query(Static))
        assert "[@click=app.quit]x[/]" in text and "\x1b" not in text and "\u202e" not in text
        for y in range(40):
            await pilot.click(offset=(10, y))
        assert app.is_running and app.answers == []


@pytest.mark.parametrize("typed", [LONG[-20:], LONG])
async def test_of_a_long_name_the_end_is_asked_for_and_both_fields_are_in_sight(typed: str):
    app = DialogStage(ForcedDialog("Release it by force", [LONG, "held by a"], LONG))
    async with app.run_test(size=(60, 15)) as pilot:
        box = app.screen.query_one(".box").region
        for part in ("#name", "#reason", ".keys"):
            assert box.contains_region(app.screen.query_one(part).region), part
        assert f"Type the end of it, {LONG[-20:]}, to go on" in drawn(app)
        await pilot.press(*LONG[-19:], "enter", *"why", "enter")
        assert app.answers == []
        app.screen.query_one("#name", PlainInput).value = typed
        await pilot.press("enter", "enter")
        assert app.answers == ["why"]


async def test_long_answers_scroll():
    app = DialogStage(ConfirmDialog("Import", [f"line {n}" for n in range(60)]))
    async with app.run_test() as pilot:
        await pilot.press("j", "j", "k")
        assert app.screen.query_one(".lines").scroll_offset.y == 1


async def test_forced_wants_the_exact_name_and_a_reason():
    app = DialogStage(forced())
    async with app.run_test() as pilot:
        await pilot.press(*"feat", "enter", *"gone", "enter")
        assert app.answers == []
        assert "not the name" in str(app.screen.query_one(".error", Static).content)
        assert app.focused and app.focused.id == "name"
        await pilot.press("end", *"/[id]", "enter", "enter")
        assert app.answers == ["gone"]


async def test_forced_wants_a_reason():
    app = DialogStage(forced())
    async with app.run_test() as pilot:
        await pilot.press(*"feat/[id]", "enter", "space", "enter")
        assert app.answers == []
        assert "reason is needed" in str(app.screen.query_one(".error", Static).content)


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (120, 36)])
async def test_the_fields_stay_in_sight_below_what_is_affected(size: tuple[int, int]):
    app = DialogStage(ForcedDialog("Release", [f"line {n}" for n in range(60)], "src"))
    async with app.run_test(size=size):
        box = app.screen.query_one(".box").region
        for part in (".lines", "#name", "#reason", ".keys"):
            assert app.screen.query_one(part).region.height and box.contains_region(app.screen.query_one(part).region)


async def test_forced_scrolls_while_its_fields_are_typed_in():
    app = DialogStage(ForcedDialog("Release", [f"line {n}" for n in range(60)], "src"))
    async with app.run_test() as pilot:
        await pilot.press("down", "down", "up")
        assert app.screen.query_one(".lines").scroll_offset.y == 1
        assert app.focused and app.focused.id == "name"


async def test_forced_is_left_with_esc():
    app = DialogStage(forced())
    async with app.run_test() as pilot:
        await pilot.press("escape")
        assert app.answers == [None]


def test_a_line_of_a_diff_is_worked_on_as_far_as_it_can_be_seen_and_says_that_it_goes_on():
    drawn = str(diff_line("+" + "\t\x1b" * 500_000))
    assert len(drawn) == WIDEST and drawn.endswith("…") and "\x1b" not in drawn
    assert str(diff_line("-" + "x" * (WIDEST - 1))).endswith("x")
