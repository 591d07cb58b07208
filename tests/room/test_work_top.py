"""The top of a tree, held against the whole."""

from __future__ import annotations

import pytest

from relay_tui.room.ledger import Actor
from relay_tui.room.work import Item, read_tree
from relay_tui.room.work_edit import add_item, set_item
from relay_tui.room.work_top import STAND_IN, count_items, read_top
from tests.room_fixture import House

KINDS = ("epic", "phase", "roadmap")


@pytest.fixture
def house(tmp_path) -> House:
    made = House(str(tmp_path))
    me = made.join("codex-3")
    for title, parent, status in (
        ("launch", None, "todo"), ("phase", "W1", "todo"), ("epic", "W2", "done"), ("task", "W3", "todo"),
        ("todo", "W4", "done"), ("todo", "W4", "cancelled"), ("todo", "W4", "blocked"), ("deeper", "W7", "done"),
        ("beside", "W3", "cancelled"), ("flat", None, "done"),
    ):  # fmt: skip
        kind = "roadmap" if title == "launch" else None
        add_item(made.room, me, {"title": title, "parent": parent, "status": status, "kind": kind})
    return made


def without_rest(items: list[Item], kinds: tuple[str, ...]) -> list[Item]:
    """The whole tree cut where the top is cut: below whatever is of no such kind."""
    return [
        item._replace(children=without_rest(item.children, kinds) if item.kind in kinds else item.children[:0])
        for item in items
    ]


def without_stand_ins(items: list[Item]) -> list[Item]:
    return [
        item._replace(children=without_stand_ins(item.children)) for item in items if not item.id.endswith(STAND_IN)
    ]


@pytest.mark.parametrize("kinds", [KINDS, KINDS[1:], KINDS[2:], ("task", *KINDS)])
def test_the_top_says_what_the_whole_tree_says(house: House, kinds: tuple[str, ...]):
    assert without_stand_ins(read_top(house.room, kinds)) == without_rest(read_tree(house.room).items, kinds)


def test_what_is_left_out_has_one_stand_in_for_each_parent(house: House):
    epic = read_top(house.room, KINDS)[0].children[0].children[0]
    assert [[child.title for child in task.children] for task in epic.children] == [[STAND_IN], []]
    assert (epic.leaves, epic.done, epic.progress) == (2, 2, 100)


def test_items_and_lines_are_counted(house: House):
    assert count_items(house.room) == (10, 6)


def test_a_change_moves_the_progress_of_everything_above(house: House):
    set_item(house.room, Actor("codex-3"), "W8", {"status": "todo"})
    assert [item.progress for item in read_top(house.room, KINDS)] == [50, 100]
