"""What can be taken up next: pure functions of a tree, of how agents are, and of who asks."""

from __future__ import annotations

from typing import Any

import pytest

from relay_tui.room.work import Source, StoredItem, build_tree
from relay_tui.room.work_next import NextItems, choose_next

STATES = {"ana": "live", "bob": "live", "old": "quiet", "gone": "left"}


def stored(item_id: str, parent: str | None = None, kind: str = "task", **said: Any) -> StoredItem:
    fields: dict[str, Any] = {
        "id": item_id, "revision": 1, "kind": kind, "parent": parent, "place": 0, "title": f"title of {item_id}",
        "status": "todo", "owner": None, "priority": None, "labels": [], "branch": None, "artifacts": [],
        "due": None, "blocked_by": [], "note": None, **said,
    }  # fmt: skip
    return StoredItem(**fields)


def chosen(*items: StoredItem, me: str | None = "ana") -> NextItems:
    sources: dict[str, Source] = {}
    return choose_next(build_tree({item.id: item for item in items}, sources), STATES, me)


def ids(found: NextItems) -> list[str]:
    return [item.id for item in found.items]


def reasons(found: NextItems) -> dict[str, list[str]]:
    return {one.id: one.reasons for one in found.excluded}


def test_open_leaves_in_the_order_of_the_plan() -> None:
    found = chosen(
        stored("W1", kind="epic"), stored("W2", "W1"), stored("W3", "W1", status="in-progress"),
        stored("W4", "W1", status="done"), stored("W5", status="cancelled"), stored("W6"),
    )  # fmt: skip
    assert ids(found) == ["W2", "W3", "W6"]
    assert reasons(found) == {"W1": ["2 open items below"]}
    assert all(item.children == [] for item in found.items)


def test_priority_goes_before_due_and_due_before_place() -> None:
    found = chosen(
        stored("plain"), stored("4", priority="4"), stored("low", priority="low"), stored("3", priority="3"),
        stored("med", priority="med"), stored("2", priority="2"), stored("high", priority="high"),
        stored("1", priority="1"), stored("late", due="2026-12-24"), stored("soon", due="2026-12-01"),
        stored("high-due", priority="high", due="2027-01-01"),
    )  # fmt: skip
    assert ids(found) == ["high-due", "high", "1", "med", "2", "soon", "late", "plain", "low", "3", "4"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"status": "blocked"}, ["its status is blocked"]),
        ({"status": "review"}, ["it is in review"]),
        ({"owner": "bob"}, ["bob has it and is live"]),
        ({"blocked_by": ["open"]}, ["waits for open, which is todo"]),
        ({"blocked_by": ["open", "done"], "owner": "bob", "status": "blocked"},
         ["its status is blocked", "waits for open, which is todo", "bob has it and is live"]),
    ],
)  # fmt: skip
def test_what_stands_in_the_way_is_told_whole(said: dict[str, Any], told: list[str]) -> None:
    found = chosen(stored("open"), stored("done", status="done"), stored("it", **said))
    assert ids(found) == ["open"]
    assert reasons(found) == {"it": told}


@pytest.mark.parametrize(
    "said",
    [{"owner": "ana"}, {"owner": "old"}, {"owner": "gone"}, {"owner": "Nobody Here"}, {"blocked_by": ["done"]},
     {"blocked_by": ["removed"]}, {"blocked_by": ["dropped"]}, {"status": "in-progress", "owner": "ana"}],
)  # fmt: skip
def test_what_is_mine_or_nobodys_or_waits_for_nothing_open_is_next(said: dict[str, Any]) -> None:
    found = chosen(stored("done", status="done"), stored("dropped", status="cancelled"), stored("it", **said))
    assert (ids(found), reasons(found)) == (["it"], {})


def test_for_nobody_in_particular_every_live_owner_counts() -> None:
    items = (stored("hers", owner="ana"), stored("free"))
    assert ids(chosen(*items)) == ["hers", "free"]
    assert ids(chosen(*items, me=None)) == ["free"]
    assert ids(chosen(*items, me="bob")) == ["free"]


def test_a_heading_is_done_with_the_last_item_below_it_and_a_task_when_it_says_so() -> None:
    found = chosen(
        stored("phase", kind="phase"), stored("a", "phase", status="done"), stored("b", "phase", status="cancelled"),
        stored("after phase", blocked_by=["phase"]),
        stored("task"), stored("todo", "task", kind="todo", status="done"),
        stored("after task", blocked_by=["task"]),
        stored("empty", kind="epic"),
    )  # fmt: skip
    assert ids(found) == ["after phase", "task", "empty"]
    assert reasons(found) == {"after task": ["waits for task, which is todo"]}


def test_what_holds_up_a_whole_part_of_the_plan_holds_up_what_is_below_it() -> None:
    found = chosen(
        stored("P1", kind="phase"), stored("a", "P1"),
        stored("P2", kind="phase", blocked_by=["P1"]), stored("E", "P2", kind="epic", status="blocked"),
        stored("b", "E"), stored("P3", kind="phase", status="cancelled"), stored("c", "P3"),
    )  # fmt: skip
    assert ids(found) == ["a"]
    assert reasons(found) == {
        "b": ["E above is blocked", "P2 above waits for P1, which is todo"],
        "c": ["P3 above is cancelled"],
        "P1": ["1 open item below"],
        "P2": ["waits for P1, which is todo", "2 open items below"],
        "E": ["its status is blocked", "P2 above waits for P1, which is todo", "1 open item below"],
    }


def test_what_the_part_above_waits_for_is_not_held_up_by_itself() -> None:
    found = chosen(
        stored("E", kind="epic", blocked_by=["a"]), stored("a", "E"), stored("a1", "a", kind="todo"), stored("b", "E"),
    )  # fmt: skip
    assert ids(found) == ["a1"]
    assert reasons(found)["b"] == ["E above waits for a, which is todo"]


def test_of_what_is_left_out_the_parents_come_last() -> None:
    found = chosen(stored("P"), stored("a", "P"), stored("b", "P", status="review"), stored("c", status="blocked"))
    assert [one.id for one in found.excluded] == ["b", "c", "P"]


def test_a_plan_that_is_very_deep_is_no_trouble() -> None:
    deep = [stored("0"), *(stored(str(level), str(level - 1)) for level in range(1, 1000))]
    found = chosen(*deep)
    assert ids(found) == ["999"]
    assert reasons(found)["0"] == ["999 open items below"]
