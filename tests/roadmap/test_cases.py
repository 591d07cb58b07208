"""Every case file: `NAME.md` with its tree or its error, and the two imports of `again`."""

from __future__ import annotations

from pathlib import Path

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.roadmap.changes import Conflict
from tests.roadmap.plan_room import PlanRoom, print_tree, read

CASES = Path(__file__).parent / "cases"


def flags_of(name):
    path = CASES / f"{name}.flags"
    words = path.read_text().split() if path.exists() else []
    return {word.removeprefix("--"): True for word in words}


@pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("*.tree")))
def test_a_plan_is_read_as_the_tree_that_is_right(name):
    reading = read((CASES / f"{name}.md").read_bytes(), f"{name}.md", **flags_of(name))
    assert print_tree(reading.nodes) == (CASES / f"{name}.tree").read_text().splitlines()


@pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("*.error")))
def test_a_faulty_plan_is_refused_naming_its_lines(name):
    code, *lines = (CASES / f"{name}.error").read_text().split()
    with pytest.raises(RelayError) as refused:
        read((CASES / f"{name}.md").read_bytes())
    assert refused.value.code == code
    assert all(f"line {line}" in refused.value.message for line in lines)
    assert refused.value.details == {"lines": [int(line) for line in lines]}


@pytest.fixture
def room():
    """The room of `again`: the first file, then what was done in the room."""
    room = PlanRoom()
    room.load((CASES / "again.1.md").read_bytes())
    room.set(room.id_of("write the parser"), status="in-progress", owner="codex-3")
    room.set(room.id_of("write the docs"), status="done")
    room.set(room.id_of("take photographs"), status="blocked")
    return room


def test_the_second_import_reports_what_the_file_changed(room):
    parser, tests = room.id_of("write the parser"), room.id_of("write the tests")
    second, photographs = room.id_of("same name", 1), room.id_of("take photographs")
    plan = room.load((CASES / "again.2.md").read_bytes())
    assert [new.fields.title for new in plan.added] == ["write the docs again"]
    assert plan.retitled == ((tests, "write the tests", "write the tests, all of them"),)
    assert plan.reordered == (parser,)
    assert plan.updated == {second: {"status": ("todo", "done")}}
    assert plan.conflicts == (Conflict(photographs, "status", "todo", "done", "blocked"),)
    assert (plan.moved, plan.removed) == ((), ())


def test_the_second_import_keeps_what_the_room_changed(room):
    room.load((CASES / "again.2.md").read_bytes())
    assert room.get("write the parser")[3:5] == ("in-progress", "codex-3")
    assert room.get("write the docs").status == "done"
    assert room.get("take photographs").status == "blocked"
    one = room.id_of("One")
    order = [room.items[id_].title for id_ in room.children[one]]
    assert order == ["write the tests, all of them", "write the parser", "same name", "same name"]


def test_the_third_import_leaves_only_the_conflict_open(room):
    second = room.load((CASES / "again.2.md").read_bytes())
    third = room.load((CASES / "again.2.md").read_bytes())
    assert third.is_empty
    assert third.conflicts == second.conflicts
