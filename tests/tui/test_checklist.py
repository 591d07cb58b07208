from __future__ import annotations

import pytest
from textual.widgets import Static

from relay_tui.tui.dialogs.checklist import Checklist
from relay_tui.tui.widgets.glyphs import LETTERS
from tests.tui.stages import HOSTILE, DialogStage

WORDS = {"a": "src/auth", "b": "branch:feat/検索", "c": "machine:native"}


@pytest.mark.parametrize(("keys", "answer"), [
    (["enter"], ["a", "b", "c"]),
    (["space", "enter"], ["b", "c"]),
    (["j", "space", "enter"], ["a", "c"]),
    (["a", "j", "space", "enter"], ["b"]),
    (["space", "a", "enter"], ["a", "b", "c"]),
    (["space", "k", "space", "enter"], ["a", "b", "c"]),
    (["escape"], None),
    (["q"], None),
])  # fmt: skip
async def test_what_is_ticked_is_the_answer(keys: list[str], answer: list[str] | None):
    app = DialogStage(Checklist("Take", WORDS))
    async with app.run_test() as pilot:
        await pilot.press(*keys)
        assert app.answers == [answer]


async def test_nothing_ticked_is_no_answer_and_the_last_line_says_so():
    app = DialogStage(Checklist("Take", WORDS, "take"))
    async with app.run_test() as pilot:
        keys = app.screen.query_one(".keys", Static)
        assert "enter take 3 of 3" in str(keys.visual)
        await pilot.press("space")
        assert "enter take 2 of 3" in str(keys.visual)
        await pilot.press("a", "a", "enter")
        assert app.answers == [] and "nothing is ticked" in str(keys.visual)


async def test_boxes_are_drawn_in_letters_where_there_are_no_glyphs():
    app = DialogStage(Checklist("Take", WORDS, glyphs=LETTERS))
    async with app.run_test() as pilot:
        await pilot.press("space")
        assert [row.cells[0] for row in app.screen.boxes.rows] == ["[ ]", "[x]", "[x]"]


async def test_many_words_scroll_and_stay_inside_a_small_terminal():
    app = DialogStage(Checklist("Take", {str(place): f"src/{place}" for place in range(60)}))
    async with app.run_test(size=(60, 15)) as pilot:
        await pilot.press("G", "space")
        assert "59" not in app.screen.boxes.ticked
        keys = app.screen.query_one(".keys").region
        assert keys.height and keys.bottom <= 15


async def test_hostile_words_are_literal():
    app = DialogStage(Checklist("Take [/]", {str(place): text for place, text in enumerate(HOSTILE)}))
    async with app.run_test(size=(80, 24)) as pilot:
        for y in range(24):
            await pilot.click(offset=(12, y))
        shown = "".join(strip.text for strip in app.screen._compositor.render_strips())
        assert "[@click=app.quit]x[/]" in shown and not set(shown) & set("\x1b\u202e\x9b\x07")
        assert app.is_running and app.answers == []
