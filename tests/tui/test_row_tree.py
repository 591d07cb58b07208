"""The tree by itself: folds, cursor and marks belong to ids, and nodes are made only where they are seen."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from textual.app import ComposeResult

from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.row_list import RowList
from relay_tui.tui.widgets.row_tree import RowTree
from relay_tui.tui.widgets.rows import Row
from tests.tui.stages import HOSTILE, Stage

COLUMNS = (Column("title", "title", minimum=10), Column("note", "note", width=6, drop=1))


class Leaf(NamedTuple):
    id: str
    children: tuple[Leaf, ...] = ()
    title: str = ""
    note: str = ""


def grove(*names: str) -> list[Leaf]:
    """`a`, or `a(b c)` one level deep."""
    found = []
    for name in names:
        above, _, below = name.rstrip(")").partition("(")
        found.append(Leaf(above, tuple(Leaf(one) for one in below.split())))
    return found


class TreeStage(Stage):
    def __init__(self, things: list[Leaf]) -> None:
        super().__init__()
        self._things = things
        self.drawn: list[str] = []
        self.seen: list[str] = []
        self.opened: list[str] = []

    def compose(self) -> ComposeResult:
        yield RowTree(COLUMNS, self._row, lambda thing: thing.id.isupper(), empty="Nothing.\nn adds one.")

    def _row(self, thing: Leaf) -> Row:
        self.drawn.append(thing.id)
        return Row(thing.id, (thing.title or thing.id, "long tail", "tail", "", thing.note))

    def on_mount(self) -> None:
        self.query_one(RowTree).replace(self._things)
        self.query_one(RowTree).focus()

    def on_row_list_highlighted(self, event: RowList.Highlighted) -> None:
        self.seen.append(event.row.id if event.row else "")

    def on_row_list_opened(self, event: RowList.Opened) -> None:
        self.opened.append(event.row.id)


def shown(tree: RowTree) -> str:
    """The ids of the lines, from the top."""
    nodes = (tree.get_node_at_line(line) for line in range(tree.last_line + 1))
    return " ".join(node.data.id for node in nodes if node is not None)


def line(tree: RowTree, y: int) -> str:
    return tree.render_line(y).text.rstrip()


async def test_some_things_start_unfolded_and_h_and_l_fold_and_walk():
    app = TreeStage(grove("A(b c)", "d(e f)", "g"))
    async with app.run_test() as pilot:
        tree = app.query_one(RowTree)
        assert shown(tree) == "A b c d g"
        await pilot.press("h")
        assert shown(tree) == "A d g" and tree.row.id == "A"
        await pilot.press("l", "l")
        assert shown(tree) == "A b c d g" and tree.row.id == "b"
        await pilot.press("l", "h")
        assert tree.row.id == "A"
        await pilot.press("G", "h", "k", "right")
        assert shown(tree) == "A b c d e f g" and tree.row.id == "d"


async def test_the_usual_keys_move_the_cursor_and_every_new_row_is_announced():
    app = TreeStage(grove(*(f"n{place}" for place in range(60))))
    async with app.run_test(size=(60, 20)) as pilot:
        tree = app.query_one(RowTree)
        await pilot.press("j", "j", "k", "G")
        assert tree.row.id == "n59" and tree.scroll_offset.y == 40
        await pilot.press("ctrl+u")
        assert tree.row.id == "n49"
        await pilot.press("g", "ctrl+d", "pageup", "k")
        assert tree.row.id == "n0" and tree.scroll_offset.y == 0
        assert app.seen[:1] == ["n0"] and app.seen[-1] == "n0"
        assert all(one != other for one, other in zip(app.seen, app.seen[1:], strict=False))


async def test_enter_and_a_double_click_open_and_a_click_on_the_mark_folds():
    app = TreeStage(grove("A(b c)", "d"))
    async with app.run_test() as pilot:
        tree = app.query_one(RowTree)
        await pilot.press("enter")
        await pilot.click(tree, offset=(8, 1), times=2)
        assert app.opened == ["A", "b"]
        await pilot.click(tree, offset=(2, 0))
        assert shown(tree) == "A d" and tree.row.id == "A"


async def test_folds_cursor_and_marks_stay_with_their_ids():
    app = TreeStage(grove("A(b c)", "B(d e)"))
    async with app.run_test() as pilot:
        tree = app.query_one(RowTree)
        await pilot.press("h", "j", "j", "space")  # A is folded, d is marked, the cursor on e
        assert (shown(tree), tree.row.id, [row.id for row in tree.chosen]) == ("A B d e", "e", ["d"])
        tree.replace(grove("X(y)", "B(e d z)", "A(b c new)"))
        await pilot.pause()
        assert (shown(tree), tree.row.id, [row.id for row in tree.chosen]) == ("X y B e d z A", "e", ["d"])
        tree.replace(grove("B(d)", "A(b)"))
        assert shown(tree) == "B d A" and tree.row.id == "A"  # its line, for its row is gone
        assert tree.clear_marks() and not tree.clear_marks()


async def test_a_tree_of_the_same_shape_keeps_its_nodes():
    app = TreeStage(grove("A(b c)"))
    async with app.run_test() as pilot:
        tree = app.query_one(RowTree)
        before = tree.get_node_at_line(1)
        tree.replace([Leaf("A", (Leaf("b", (), "changed"), Leaf("c")))])
        await pilot.pause()
        assert tree.get_node_at_line(1) is before
        assert "changed" in line(tree, 1)
        tree.replace([Leaf("A", (Leaf("b", (Leaf("deep"),)), Leaf("c")))])
        assert tree.get_node_at_line(1) is not before and "▸ b" in line(tree, 1)


async def test_a_filter_unfolds_for_now_and_gives_the_persons_folds_back():
    app = TreeStage(grove("A(b c)", "d(e f)"))
    async with app.run_test() as pilot:
        tree = app.query_one(RowTree)
        await pilot.press("h")
        tree.open_for_now({"d"})
        tree.replace(grove("A(b)", "d(e)"))
        assert shown(tree) == "A d e"
        await pilot.press("l", "j", "j", "h")  # folds of now are not remembered
        assert shown(tree) == "A b d"
        tree.open_for_now(None)
        tree.replace(grove("A(b c)", "d(e f)"))
        assert shown(tree) == "A d"


async def test_revealing_unfolds_what_lies_above():
    app = TreeStage(grove("A(b)", "d(e f)"))
    async with app.run_test():
        tree = app.query_one(RowTree)
        assert not tree.move_to("f")
        assert tree.reveal(["d"], "f") and tree.row.id == "f"
        assert not tree.reveal([], "nowhere") and tree.row.id == "f"


async def test_nodes_are_made_only_for_what_is_unfolded_and_rows_only_for_what_is_seen():
    leaves = iter(range(10_000))
    things = [Leaf(f"R{n}", tuple(Leaf(f"t{next(leaves)}", tuple(Leaf(f"x{n}-{m}-{k}") for k in range(99)))
                                  for m in range(10))) for n in range(10)]  # fmt: skip
    app = TreeStage(things)
    async with app.run_test(size=(80, 24)) as pilot:
        tree = app.query_one(RowTree)
        assert len(tree._tree_nodes) == 1 + 10 + 100
        assert len(set(app.drawn)) <= 24
        await pilot.press("j", "l")
        assert len(tree._tree_nodes) == 1 + 10 + 100 + 99
        await pilot.press("h", "l")
        assert len(tree._tree_nodes) == 1 + 10 + 100 + 99


async def test_an_empty_tree_says_what_to_do_and_takes_every_key():
    app = TreeStage([])
    async with app.run_test() as pilot:
        tree = app.query_one(RowTree)
        await pilot.press(*"jkgGhl", "ctrl+d", "space", "enter")
        assert [line(tree, y) for y in range(3)] == ["", "  Nothing.", "  n adds one."]
        assert tree.row is None and tree.chosen == [] and app.opened == []
        tree.set_empty("Other words.")
        assert line(tree, 1) == "  Other words."
        tree.replace(grove("a"))
        assert tree.row.id == "a"
        tree.replace([])
        assert tree.row is None
        await pilot.pause()
        assert app.seen[-1] == ""


@pytest.mark.parametrize(("width", "tail"), [(40, "  long tail"), (26, "  tail"), (23, "")])
async def test_the_longest_tail_is_drawn_that_leaves_the_title_whole(width: int, tail: str):
    app = TreeStage([Leaf("a", (), "a title", "note")])
    async with app.run_test(size=(width, 5)):
        drawn = line(app.query_one(RowTree), 0)
        assert drawn.startswith(f"▌   a title{tail} ") and drawn.endswith("note")


async def test_a_long_title_is_cut_for_its_tail():
    app = TreeStage([Leaf("A", (Leaf("b", (), "日本語の長い題名" * 9),))])
    async with app.run_test(size=(40, 5)):
        tree = app.query_one(RowTree)
        assert tree.render_line(1).cell_length == tree.scrollable_content_region.width
        assert "…" in line(tree, 1)


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_titles_are_drawn_and_obeyed_by_nobody(text: str):
    app = TreeStage([Leaf("a", (), text, text)])
    async with app.run_test() as pilot:
        tree = app.query_one(RowTree)
        assert tree.render_line(0).text.isprintable()
        await pilot.click(tree, offset=(6, 0))
        assert app.is_running
        assert not any(segment.style and segment.style.meta for segment in tree.render_line(0))


async def test_what_is_chosen_stands_in_sight_in_the_order_of_the_lines():
    app = TreeStage(grove("A(b c)", "d(e)", "f"))
    async with app.run_test() as pilot:
        tree = app.query_one(RowTree)
        await pilot.press("G", "space", "k", "l", "l", "space", "g", "j", "space")
        assert [row.id for row in tree.chosen] == ["b", "e", "f"]
        await pilot.press("g", "h")
        assert [row.id for row in tree.chosen] == ["e", "f"], "what is folded away is not acted on"
        await pilot.press("l")
        assert [row.id for row in tree.chosen] == ["e", "f"]
