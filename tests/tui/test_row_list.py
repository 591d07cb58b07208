from __future__ import annotations

import pytest
from textual.content import Content
from textual.strip import Strip

from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.glyphs import LETTERS
from relay_tui.tui.widgets.row_list import RowList
from relay_tui.tui.widgets.rows import Row, heading
from tests.tui.stages import COLUMNS, HOSTILE, ListStage, Stage, branch_rows, hostile_rows


def numbered(count: int, changed: int = -1) -> list[Row]:
    return [Row(str(n), ("", f"row {n}" + ("!" if n == changed else ""), "", "", "")) for n in range(count)]


def screen_text(app: Stage) -> str:
    row_list = app.query_one(RowList)
    return "\n".join(row_list.render_line(y).text for y in range(row_list.size.height))


class CountingList(RowList):
    def __init__(self) -> None:
        super().__init__([Column("name")])
        self.painted: list[int] = []

    def render_line(self, y: int) -> Strip:
        self.painted.append(y)
        return super().render_line(y)


class CountingStage(Stage):
    def compose(self):
        yield CountingList()


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("j", "1"),
        ("down down up", "1"),
        ("k", "0"),
        ("G", "99"),
        ("end k", "98"),
        ("G g", "0"),
        ("G home", "0"),
        ("ctrl+d", "11"),
        ("ctrl+d ctrl+d ctrl+u", "11"),
        ("pagedown", "23"),
        ("pagedown pagedown pageup", "23"),
    ],
)
async def test_keys_move_the_cursor(keys: str, expected: str):
    app = ListStage(numbered(100))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*keys.split())
        row_list = app.query_one(RowList)
        assert row_list.row and row_list.row.id == expected
        line = row_list.rows.index(row_list.row) - row_list.scroll_offset.y
        assert 0 <= line < row_list.size.height


async def test_the_cursor_stays_on_its_row_when_rows_come_go_and_change_places():
    app = ListStage(numbered(50))
    async with app.run_test() as pilot:
        row_list = app.query_one(RowList)
        assert row_list.move_to("7")
        row_list.replace([Row("new", ("",)), *reversed(numbered(50, changed=7))])
        await pilot.pause()
        assert row_list.row and row_list.row.id == "7"
        assert "▌  " in row_list.render_line(43 - row_list.scroll_offset.y).text
        assert "row 7!" in row_list.render_line(43 - row_list.scroll_offset.y).text
        assert app.seen == ["0", "7"]


async def test_where_its_row_is_gone_the_cursor_keeps_its_line():
    app = ListStage(numbered(5))
    async with app.run_test() as pilot:
        row_list = app.query_one(RowList)
        row_list.move_to("3")
        row_list.replace(row for row in numbered(5) if row.id != "3")
        assert row_list.row and row_list.row.id == "4"
        row_list.replace(numbered(2))
        assert row_list.row.id == "1"
        row_list.replace([])
        assert row_list.row is None
        await pilot.press("j", "enter", "space", "G")
        assert app.seen[-1] == "" and app.heard == []


async def test_moving_to_a_row_that_is_not_shown_is_refused():
    app = ListStage(numbered(3))
    async with app.run_test():
        assert app.query_one(RowList).move_to("9") is False


async def test_headings_take_no_cursor_and_are_scrolled_into_view():
    rows = [heading("one"), *numbered(40), heading("two"), Row("last", ("",))]
    app = ListStage(rows)
    async with app.run_test() as pilot:
        row_list = app.query_one(RowList)
        assert row_list.row and row_list.row.id == "0"
        await pilot.press("G", "k")
        assert row_list.row.id == "39"
        await pilot.press("g")
        assert row_list.scroll_offset.y == 0


async def test_enter_and_a_double_click_open_and_a_click_selects():
    app = ListStage(branch_rows())
    async with app.run_test() as pilot:
        await pilot.press("enter")
        await pilot.click(RowList, offset=(5, 2))
        assert app.query_one(RowList).row == branch_rows()[2]
        await pilot.click(RowList, offset=(5, 0))
        await pilot.click(RowList, offset=(5, 15))
        assert app.query_one(RowList).row == branch_rows()[2]
        await pilot.click(RowList, offset=(5, 3), times=2)
        assert app.heard == [("opened", "feat/shared-room"), ("opened", "feat/日本語の枝")]


async def test_space_marks_and_actions_are_for_the_marked_rows():
    app = ListStage(numbered(5))
    async with app.run_test() as pilot:
        row_list = app.query_one(RowList)
        assert [row.id for row in row_list.chosen] == ["0"]
        await pilot.press("space", "j", "space")
        assert [row.id for row in row_list.chosen] == ["0", "2"]
        assert "◆" in row_list.render_line(0).text
        row_list.replace(numbered(2))
        row_list.replace(numbered(5))
        assert [row.id for row in row_list.marked] == ["0"]
        assert row_list.clear_marks() and not row_list.clear_marks()
        assert row_list.marked == []


async def test_only_the_lines_that_changed_are_painted():
    app = CountingStage()
    async with app.run_test() as pilot:
        row_list = app.query_one(CountingList)
        rows = [Row(str(n), (Content(f"row {n}"),)) for n in range(200)]
        row_list.replace(rows)
        await pilot.pause()
        row_list.painted.clear()
        row_list.replace([Row(row.id, (Content(row.cells[0].plain),)) for row in rows])
        await pilot.pause()
        assert row_list.painted == []
        rows[3] = Row("3", (Content.styled("row 3", "bold"),))
        rows[150] = Row("150", ("below the fold",))
        row_list.replace(rows)
        await pilot.pause()
        assert row_list.painted == [3]
        row_list.painted.clear()
        row_list.focus()
        await pilot.pause()
        row_list.painted.clear()
        await pilot.press("j")
        assert sorted(set(row_list.painted)) == [0, 1]


async def test_hostile_text_is_shown_and_does_nothing():
    app = ListStage(hostile_rows())
    async with app.run_test(size=(120, 24)) as pilot:
        text = screen_text(app)
        assert "[@click=app.quit]x[/]" in text
        assert "\x1b" not in text and "\u202e" not in text and "\x9b" not in text
        for line in range(len(HOSTILE)):
            await pilot.click(RowList, offset=(20, line))
        assert app.is_running
        assert app.query_one(RowList).row == hostile_rows()[-1]


async def test_every_line_fills_the_width_whatever_its_letters_measure():
    app = ListStage(branch_rows())
    async with app.run_test(size=(80, 24)):
        row_list = app.query_one(RowList)
        width = row_list.scrollable_content_region.width
        for y in range(len(branch_rows()) + 1):
            assert row_list.render_line(y).cell_length == width


async def test_narrow_lists_drop_columns_and_titles_together():
    app = ListStage(branch_rows())
    async with app.run_test(size=(46, 15)) as pilot:
        assert "12m" not in screen_text(app) and "contested" in screen_text(app)
        assert "age" not in app.query_one("ColumnTitles").render_line(0).text
        await pilot.resize_terminal(120, 24)
        assert "12m" in screen_text(app)
        assert "age" in app.query_one("ColumnTitles").render_line(0).text


async def test_an_empty_list_says_what_to_type():
    app = ListStage()
    async with app.run_test(size=(80, 24)):
        assert "Type :branch claim NAME" in screen_text(app)
        app.query_one(RowList).set_empty("Nothing fits [/] the filter.")
        assert "Nothing fits [/] the filter." in screen_text(app)


async def test_the_cursor_is_visible_without_colour_and_without_glyphs():
    app = ListStage(numbered(3), glyphs=LETTERS)
    async with app.run_test() as pilot:
        await pilot.press("space")
        row_list = app.query_one(RowList)
        assert row_list.render_line(1).text.startswith("> ")
        assert row_list.render_line(0).text.startswith(" *")


async def test_no_color_reverses_the_cursor_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "1")
    app = ListStage(numbered(3))
    async with app.run_test():
        styles = [segment.style for segment in app.query_one(RowList).render_line(0)]
        assert all(style and style.reverse for style in styles)


async def test_another_view_brings_its_own_columns():
    app = ListStage(numbered(3))
    async with app.run_test():
        row_list = app.query_one(RowList)
        row_list.set_columns([Column("only"), *COLUMNS])
        row_list.set_columns([Column("only")])
        row_list.replace([Row("x", ("a whole line of its own",))])
        assert "a whole line of its own" in screen_text(app)
