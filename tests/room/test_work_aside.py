"""What stands beside the work tree: removed items as they stood, and every open conflict."""

from __future__ import annotations

import pytest

from relay_tui.base.times import MINUTE
from relay_tui.room.work_aside import read_open_conflicts, read_removed
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House
from tests.tui.plans import ROADMAP, do, imported, make_house, write_plan


@pytest.fixture
def house(tmp_path, monkeypatch) -> House:
    isolate_git(monkeypatch)
    return imported(make_house(tmp_path))


def test_nothing_was_removed_and_nothing_is_in_conflict(house: House):
    assert read_removed(house.room).items == []
    assert read_open_conflicts(house.room) == {}


def test_removed_items_are_nested_as_they_stood_the_last_removal_first(house: House):
    do(house, "work remove", id="W8")
    first = house.clock.now
    house.clock.advance(MINUTE)
    do(house, "work remove", id="W5", recursive=True)
    found = read_removed(house.room)
    assert [item.id for item in found.items] == ["W5", "W8"]
    assert [item.id for item in found.items[0].children] == ["W6", "W7"]
    assert (found.items[0].source.file, found.items[0].parent) == ("ROADMAP.md", "W3")
    assert found.removed_at["W8"] == first < found.removed_at["W6"] == house.clock.now
    do(house, "work restore", id="W5")
    assert [item.id for item in read_removed(house.room).items] == ["W8"]


def test_conflicts_are_those_that_the_import_told_of_until_each_is_settled(house: House):
    do(house, "work set", id="W8", status="review")
    do(house, "work set", id="W4", owner="codex-3")
    write_plan(house.repository, ROADMAP.replace("[!] Reject", "[x] Reject").replace("@nimbus-2", "@vector-4"))
    told = do(house, "work import", file="ROADMAP.md").conflicts
    found = read_open_conflicts(house.room)
    assert {(item, one.field) for item, conflicts in found.items() for one in conflicts} == {
        (one.id, one.field) for one in told
    }
    assert found["W8"][0][1:] == ("status", "blocked", "done", "review")
    do(house, "work resolve", id="W8", field="status", side="room")
    assert list(read_open_conflicts(house.room)) == ["W4"]


def test_a_removed_item_is_in_no_conflict(house: House):
    do(house, "work set", id="W8", status="review")
    write_plan(house.repository, ROADMAP.replace("[!] Reject", "[x] Reject"))
    do(house, "work import", file="ROADMAP.md")
    do(house, "work remove", id="W8")
    assert read_open_conflicts(house.room) == {}
