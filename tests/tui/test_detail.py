from __future__ import annotations

from textual.content import Content

from relay_tui.tui.widgets.detail import DetailPane
from tests.tui.stages import HOSTILE, Stage

LONG = "\n".join(f"line {n}" for n in range(100))


class DetailStage(Stage):
    def compose(self):
        yield DetailPane()

    def on_mount(self) -> None:
        self.query_one(DetailPane).focus()


async def test_keys_scroll_by_lines_and_pages():
    app = DetailStage()
    async with app.run_test(size=(60, 20)) as pilot:
        pane = app.query_one(DetailPane)
        pane.show(LONG, "a")
        await pilot.pause()
        await pilot.press("J", "j", "K")
        assert pane.scroll_offset.y == 1
        await pilot.press("ctrl+d")
        assert pane.scroll_offset.y == 11
        await pilot.press("G")
        assert pane.scroll_offset.y == pane.max_scroll_y > 0
        await pilot.press("g")
        assert pane.scroll_offset.y == 0


async def test_the_same_subject_keeps_its_place_and_another_starts_at_the_top():
    app = DetailStage()
    async with app.run_test(size=(60, 20)) as pilot:
        pane = app.query_one(DetailPane)
        pane.show(LONG, "a")
        await pilot.pause()
        pane.action_scroll_lines(30)
        pane.show(LONG + "\nmore", "a")
        await pilot.pause()
        assert pane.scroll_offset.y == 30
        pane.show(LONG, "b")
        await pilot.pause()
        assert pane.scroll_offset.y == 0


async def test_hostile_text_is_literal():
    app = DetailStage()
    async with app.run_test(size=(60, 20)) as pilot:
        pane = app.query_one(DetailPane)
        pane.show("\n".join(HOSTILE), "a")
        await pilot.pause()
        shown = pane.text.content
        assert isinstance(shown, Content)
        assert "[@click=app.quit]x[/]" in shown.plain and "\x1b" not in shown.plain
        for line in range(len(HOSTILE)):
            await pilot.click(DetailPane, offset=(3, line))
        assert app.is_running
