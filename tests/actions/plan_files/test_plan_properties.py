"""What holds for every plan file at the level of the commands: bytes kept, nothing lost, never half an import."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from relay_tui.base.errors import RelayError
from relay_tui.roadmap.model import Choices
from relay_tui.roadmap.reader import read_roadmap
from relay_tui.room.work import STATUSES
from tests.actions.acting import act
from tests.actions.plan_files.planning import changes_nothing, every_row, make_house, put
from tests.repo.git_fixture import isolate_git
from tests.roadmap.test_properties import texts
from tests.room_fixture import House

CHECKED = settings(
    deadline=None, max_examples=60, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture]
)
numbers = count(1)
statuses = st.lists(st.sampled_from(STATUSES), max_size=8)
lines = st.lists(
    st.sampled_from(
        [
            *("# Plan", "## One", "### deep ###", "- [ ] a", "- [x] b", "* [~] c  ", "  - [/] d", "    - [!] e"),
            *("1. [?] f @ana #core due:2026-12-24", "- [-] g", "- [X] ~~h~~", "- [ ] same", "- [ ] same", "- prose"),
            *("text", "", "```", "- [ ] ✅ i", "| Task | Status |", "|-|-|", "| j | done |", "\t- [ ] k", "> - [ ] l"),
        ]
    ),
    max_size=14,
)
endings = st.sampled_from(("\n", "\r\n", "\r"))
plans = st.builds(
    lambda bom, parts, end, tail: (bom + end.join(parts) + tail).encode(),
    st.sampled_from(("", "\ufeff")), lines, endings, st.sampled_from(("", "\n", "\r\n")),
)  # fmt: skip


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    return make_house(str(tmp_path))


def bring_in(house: House, name: str, options: str = "") -> Any:
    return act(house.room, "operator", f"work import --file {name} {options}")


@CHECKED
@given(plans, st.sampled_from(("", "--bullets", "--tables", "--sections")))
def test_an_export_after_an_import_is_the_identity_on_bytes(house: House, text: bytes, options: str) -> None:
    name = f"P{next(numbers)}.md"
    put(house, text, name)
    bring_in(house, name, options)
    before = every_row(house)
    assert act(house.room, "operator", f"work export --file {name}").changed_lines == []
    assert Path(house.repository, name).read_bytes() == text
    assert every_row(house) == before


@CHECKED
@given(plans, statuses)
def test_after_an_export_file_and_room_agree_and_only_marks_in_boxes_differ(
    house: House, text: bytes, said: list[str]
) -> None:
    name = f"P{next(numbers)}.md"
    put(house, text, name)
    ids = [item.id for item in bring_in(house, name).added]
    for item, status in zip(ids, said, strict=False):
        act(house.room, "operator", f"work set {item} --status {status}")
    done = act(house.room, "operator", f"work export --file {name}")
    written = Path(house.repository, name).read_bytes().decode()
    assert len(written) == len(text.decode())
    old, new = (read_roadmap(one, name=name, choices=Choices()).walk() for one in (text, written.encode()))
    boxes = {(node.box.line, node.box.column) for node in old if node.box}
    differing = {
        (number, column)
        for number, (before, after) in enumerate(zip(split(text.decode()), split(written), strict=True), 1)
        for column, (one, other) in enumerate(zip(before, after, strict=True))
        if one != other
    }
    assert differing <= boxes
    assert sorted({line for line, _ in differing}) == done.changed_lines
    room = {row[0]: row[1] for row in house.rows("SELECT id, status FROM items")}
    assert all(room[item] == node.status for item, node in zip(ids, new, strict=True) if node.box and not node.struck)
    events = len(house.events())
    again = bring_in(house, name)
    assert (changes_nothing(again), again.conflicts, len(house.events())) == (True, [], events)


def split(text: str) -> list[str]:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


@CHECKED
@given(st.one_of(st.binary(max_size=120), texts, plans), st.sampled_from(("", "--mark", "--bullets --mark")))
def test_any_bytes_are_imported_whole_or_refused_without_a_trace(house: House, text: bytes, options: str) -> None:
    name = f"P{next(numbers)}.md"
    put(house, text, name)
    before = every_row(house)
    try:
        done = bring_in(house, name, options)
    except RelayError as fault:
        assert fault.code == "invalid"
        assert every_row(house) == before
        assert Path(house.repository, name).read_bytes() == text
        return
    rows = house.rows("SELECT count(*) FROM plan_items WHERE path = ?", name)
    assert rows == [(len(done.added),)]
    events = len(house.events())
    again = bring_in(house, name, options)
    assert (changes_nothing(again), again.conflicts, again.marked_lines) == (True, [], ())
    assert (again.unchanged, len(house.events())) == (len(done.added), events)


@CHECKED
@given(plans, plans, st.integers(0, 9))
def test_what_is_known_of_the_same_bytes_is_what_reading_them_again_says(
    house: House, first: bytes, second: bytes, removed: int
) -> None:
    """The answer without reading, against the one of `--mark`, which always reads."""
    name = f"P{next(numbers)}.md"
    for text in (first, second):
        put(house, text, name)
        ids = [item.id for item in bring_in(house, name).added]
    if removed < len(ids):
        act(house.room, "operator", f"work remove {ids[removed]} --recursive")
    room = house.enter(house.repository, dry_run=True)
    known = act(room, "operator", f"work import --file {name}")
    assert known == act(room, "operator", f"work import --file {name} --mark")._replace(marked_lines=())


def test_the_ledger_makes_the_same_tables(house: House) -> None:
    put(house, "# Plan\n\n- [ ] a\n- [ ] b\n")
    bring_in(house, "PLAN.md", "--mark")
    act(house.room, "operator", "work set W2 --status done")
    act(house.room, "operator", "work export")
    act(house.room, "operator", "work follow --file PLAN.md")
    house.assert_whole()
