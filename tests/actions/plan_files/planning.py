"""Plans for tests: written into a house's repository, imported, and looked at as a tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from relay_tui.room.work import Item, flatten
from tests.actions.acting import act
from tests.room_fixture import House


def make_house(folder: str) -> House:
    """A house whose repository has a room with nobody but the operator in it."""
    house = House(folder)
    act(house.room, "operator", "init")
    house.room = house.enter(house.repository)
    return house


def put(house: House, content: str | bytes, name: str = "PLAN.md") -> None:
    Path(house.repository, name).write_bytes(content.encode() if isinstance(content, str) else content)


def load(house: House, content: str | bytes, options: str = "") -> Any:
    put(house, content)
    return act(house.room, "operator", f"work import --file PLAN.md {options}")


def items(house: House) -> dict[str, Item]:
    """By title; of equal ones the last."""
    return {item.title: item for item in flatten(act(house.room, None, "work tree").items)}


def say(house: House, title: str, options: str) -> None:
    act(house.room, "operator", f"work set {items(house)[title].id} {options}")


def print_tree(tree: list[Item], depth: int = 0) -> list[str]:
    """As the `.tree` files of the cases are written."""
    lines = []
    for item in tree:
        words = [item.kind, item.status, item.title]
        words += [f"@{item.owner}"] if item.owner else []
        words += [f"#{label}" for label in item.labels]
        words += [f"!{item.priority}"] if item.priority else []
        words += [f"branch:{item.branch}"] if item.branch else []
        words += [f"due:{item.due}"] if item.due else []
        words += [f"({item.done}/{item.leaves})"] if item.children else []
        lines += ["  " * depth + " ".join(words), *print_tree(item.children, depth + 1)]
    return lines


def changes_nothing(done: Any) -> bool:
    return not any((done.added, done.updated, done.retitled, done.moved, done.reordered, done.removed))


def every_row(house: House) -> dict[str, list[tuple[Any, ...]]]:
    tables = [name for (name,) in house.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return {table: house.rows(f"SELECT * FROM {table}") for table in tables}
