"""Work by hand: items, their tree, and progress that is counted and never kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relay_tui.cli.texts.work import show as told_item
from relay_tui.cli.texts.work import tree as told_tree
from relay_tui.room.work import flatten, percent
from tests.actions.acting import act, refused
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    house = House(str(tmp_path))
    house.join("ana")
    return house


def add(house: House, title: str, options: str = "") -> str:
    return str(act(house.room, "ana", f"work add {options} --title", title).item.id)


def titles(found: Any) -> list[Any]:
    """The tree as titles, and (title, children) for what has children."""
    return [(item.title, titles(item.children)) if item.children else item.title for item in
            getattr(found, "items", found)]  # fmt: skip


def test_an_item_says_what_it_was_told(house: House) -> None:
    parent = add(house, "Launch", "--kind roadmap")
    change = act(
        house.room, "ana", f"work add --parent {parent} --kind task --status review --owner Bob --priority high"
        " --label core --label safety --label core --branch feat/x --artifact notes.md --due 2026-12-24"
        f" --blocked-by {parent} --title", "Rotate tokens",
    )  # fmt: skip
    item = change.item
    assert change.changed == ["item"]
    assert (item.kind, item.title, item.status, item.owner, item.priority) == (
        "task", "Rotate tokens", "review", "Bob", "high",
    )  # fmt: skip
    assert (item.labels, item.artifacts, item.blocked_by) == (["core", "safety"], ["notes.md"], [parent])
    assert (item.branch, item.due, item.parent, item.revision, item.source) == (
        "feat/x", "2026-12-24", parent, 1, None,
    )  # fmt: skip
    assert act(house.room, None, f"work show {item.id.lower()}").item == item
    assert titles(act(house.room, None, "work tree")) == [("Launch", ["Rotate tokens"])]
    house.assert_whole()


def test_the_kind_follows_from_the_parents(house: House) -> None:
    ids = [add(house, "top", "--kind roadmap")]
    for _ in range(5):
        ids.append(add(house, "below", f"--parent {ids[-1]}"))
    kinds = [item.kind for item in flatten(act(house.room, None, "work tree").items)]
    assert kinds == ["roadmap", "phase", "epic", "task", "todo", "todo"]
    flat = act(house.room, None, f"work show {add(house, 'loose')}").item
    assert (flat.kind, flat.parent) == ("task", None)


def test_setting_changes_what_is_named_and_counts_a_revision(house: House) -> None:
    item = add(house, "x", "--owner ana --label a")
    change = act(house.room, "ana", f"work set {item} --status done --owner ana --title y")
    assert sorted(change.changed) == ["status", "title"]
    assert (change.item.title, change.item.status, change.item.labels, change.item.revision) == ("y", "done", ["a"], 2)
    assert house.events("work.changed")[-1].data == {"id": item, "set": {"status": "done", "title": "y"}}


def test_setting_what_it_says_already_is_no_change_and_no_event(house: House) -> None:
    item = add(house, "x", "--status done --label a")
    before = len(house.events())
    change = act(house.room, "ana", f"work set {item} --status done --label a --unset due")
    assert (change.changed, change.item.revision) == ([], 1)
    assert len(house.events()) == before


def test_fields_are_emptied_by_name_and_a_value_given_beside_wins(house: House) -> None:
    item = add(house, "x", "--owner ana --label a --due 2026-12-24 --priority 1 --branch b --artifact c")
    fields = "owner label due priority branch artifact blocked-by".split()
    line = f"work set {item} " + " ".join(f"--unset {field}" for field in fields)
    emptied = act(house.room, "ana", f"{line} --owner bob").item
    assert (emptied.owner, emptied.labels, emptied.due, emptied.priority) == ("bob", [], None, None)
    assert (emptied.branch, emptied.artifacts) == (None, [])
    assert refused(house.room, "ana", f"work set {item} --unset title").code == "usage"
    assert refused(house.room, "ana", f"work set {item}").code == "usage"
    house.assert_whole()


@pytest.mark.parametrize(
    "options",
    [["--title", ""], ["--title", "  "], ["--title", "x" * 501], ["--title", "x", "--due", "2026-02-30"],
     ["--title", "x", "--due", "20261224"], ["--title", "x", "--due", "soon"], ["--title", "x", "--due", ""],
     ["--title", "x", "--priority", "urgent"], ["--title", "x", "--owner", ""]],
)  # fmt: skip
def test_what_cannot_be_an_item_is_refused_and_nothing_is_written(house: House, options: list[str]) -> None:
    before = len(house.events())
    assert refused(house.room, "ana", "work add", *options).code == "invalid"
    item = add(house, "fine")
    if options[1] == "x":
        assert refused(house.room, "ana", f"work set {item}", *options[2:]).code == "invalid"
    assert len(house.events()) == before + 1


def test_only_who_joined_edits_work_and_anybody_reads_it(house: House) -> None:
    item = add(house, "x")
    assert refused(house.room, "stranger", "work add --title y").code == "unknown_agent"
    assert refused(house.room, "stranger", f"work set {item} --status done").code == "unknown_agent"
    assert refused(house.room, None, "work add --title y").code == "usage"
    assert titles(act(house.room, None, "work tree")) == ["x"]


def test_an_item_that_is_not_there_is_said_to_be_unknown(house: House) -> None:
    add(house, "x")
    for line in ("work show W9", "work tree W9", "work set W9 --status done", "work add --title y --parent W9",
                 "work add --title y --blocked-by W9", "work set W1 --blocked-by W9"):  # fmt: skip
        assert refused(house.room, "ana", line).code == "unknown_item", line


def test_waiting_in_a_circle_is_refused_with_its_path(house: House) -> None:
    first = add(house, "first")
    second = add(house, "second", f"--blocked-by {first}")
    third = add(house, "third", f"--blocked-by {second}")
    fault = refused(house.room, "ana", f"work set {first} --blocked-by {third}")
    assert (fault.code, fault.details) == ("refused", {"cycle": [first, third, second, first]})
    assert f"{first} → {third} → {second} → {first}" in fault.message
    assert refused(house.room, "ana", f"work set {first} --blocked-by {first}").details == {"cycle": [first, first]}
    assert act(house.room, "ana", f"work set {third} --blocked-by {first} --blocked-by {second}").item.blocked_by == [
        first, second,
    ]  # fmt: skip


class TestProgress:
    def test_leaves_are_pooled_over_all_that_stands_below(self, house: House) -> None:
        """Two phases: 9 leaves of which 4 are done, one epic 2 of 4; and 6 of which none is."""
        top = add(house, "top", "--kind roadmap")
        one, two = (add(house, title, f"--parent {top}") for title in ("one", "two"))
        epic = add(house, "epic", f"--parent {one}")
        for parent, done, leaves in ((epic, 2, 4), (one, 2, 5), (two, 0, 6)):
            for leaf in range(leaves):
                add(house, "leaf", f"--parent {parent} --status {'done' if leaf < done else 'todo'}")
        items = {item.title: item for item in flatten(act(house.room, None, "work tree").items)}
        progress = {title: (items[title].progress, items[title].done, items[title].leaves) for title in items}
        assert progress["top"] == (27, 4, 15)
        assert progress["one"] == (44, 4, 9)
        assert progress["epic"] == (50, 2, 4)
        assert progress["two"] == (0, 0, 6)

    @given(st.integers(0, 2000), st.integers(0, 2000))
    def test_to_the_nearest_percent_and_one_hundred_only_when_all_is_done(self, done: int, others: int) -> None:
        leaves = done + others
        counted = percent(done, leaves)
        if counted is None:
            assert leaves == 0
            return
        assert (counted == 100) == (done == leaves)
        assert abs(counted - 100 * done / leaves) <= (0.5 if counted < 99 else 1)

    def test_what_is_cancelled_does_not_count_and_where_all_is_there_is_no_progress(self, house: House) -> None:
        top = add(house, "top")
        done = add(house, "done", f"--parent {top} --status done")
        add(house, "dropped", f"--parent {top} --status cancelled")
        item = act(house.room, None, f"work show {top}").item
        assert (item.progress, item.done, item.leaves) == (100, 1, 1)
        act(house.room, "ana", f"work set {done} --status cancelled")
        item = act(house.room, None, f"work show {top}").item
        assert (item.progress, item.done, item.leaves) == (None, 0, 0)

    def test_a_parents_own_status_is_never_derived(self, house: House) -> None:
        top = add(house, "top")
        add(house, "leaf", f"--parent {top} --status done")
        assert act(house.room, None, f"work show {top}").item.status == "todo"


class TestTree:
    @pytest.fixture
    def planned(self, house: House) -> House:
        top = add(house, "top", "--kind roadmap")
        one = add(house, "one", f"--parent {top}")
        add(house, "a", f"--parent {one} --owner ana --label core")
        add(house, "b", f"--parent {one} --status done")
        two = add(house, "two", f"--parent {top} --owner ana --status blocked")
        add(house, "c", f"--parent {two}")
        add(house, "loose", "--label core --status blocked")
        return house

    @pytest.mark.parametrize(
        ("options", "shown"),
        [
            ("", [("top", [("one", ["a", "b"]), ("two", ["c"])]), "loose"]),
            ("--pretty", [("top", [("one", ["a", "b"]), ("two", ["c"])]), "loose"]),
            ("--status done", [("top", [("one", ["b"])])]),
            ("--status done --status blocked", [("top", [("one", ["b"]), "two"]), "loose"]),
            ("--owner ana", [("top", [("one", ["a"]), "two"])]),
            ("--owner ana --status blocked", [("top", ["two"])]),
            ("--label core", [("top", [("one", ["a"])]), "loose"]),
            ("--label none", []),
            ("--depth 1", ["top", "loose"]),
            ("--depth 2", [("top", ["one", "two"]), "loose"]),
            ("W2", [("one", ["a", "b"])]),
            ("W2 --depth 1", ["one"]),
            ("--flat", ["top", "one", "a", "b", "two", "c", "loose"]),
            ("--flat --owner ana", ["top", "one", "a", "two"]),
        ],
    )
    def test_filters_keep_what_leads_to_a_match(self, planned: House, options: str, shown: list[Any]) -> None:
        assert titles(act(planned.room, None, f"work tree {options}")) == shown

    def test_progress_is_that_of_the_whole_whatever_is_shown(self, planned: House) -> None:
        whole = act(planned.room, None, "work tree").items[0]
        assert (whole.done, whole.leaves) == (1, 3)
        for options in ("--status done", "--depth 1", "--owner ana", "--flat"):
            item = act(planned.room, None, f"work tree {options}").items[0]
            assert (item.done, item.leaves, item.progress) == (1, 3, 33), options

    def test_a_status_that_is_none_is_a_usage_error(self, planned: House) -> None:
        assert refused(planned.room, None, "work tree --status finished").code == "usage"

    def test_the_tree_as_people_read_it(self, planned: House) -> None:
        lines = list(told_tree(act(planned.room, None, "work tree"), 0))
        assert lines == [
            "☐ W1 top ███░░░░░░░ 33% 1/3",
            "  ☐ W2 one █████░░░░░ 50% 1/2",
            "    ☐ W3 a @ana",
            "    ☑ W4 b",
            "  ⊘ W5 two ░░░░░░░░░░ 0% 0/1 (blocked) @ana",
            "    ☐ W6 c",
            "⊘ W7 loose (blocked)",
        ]
        assert "  owner       ana" in list(told_item(act(planned.room, None, "work show W3"), 0))

    def test_titles_are_inert_for_people_and_whole_for_programs(self, house: House) -> None:
        item = add(house, "\x1b[31m[/] red")
        assert act(house.room, None, f"work show {item}").item.title == "\x1b[31m[/] red"
        assert all(line.isprintable() for line in told_tree(act(house.room, None, "work tree"), 0))


def test_a_dry_run_answers_and_writes_nothing(house: House) -> None:
    item = add(house, "x")
    before = house.events()
    trial = house.enter(house.repository, dry_run=True)
    assert act(trial, "ana", f"work set {item} --status done").item.status == "done"
    assert act(trial, "ana", "work add --title y").item.id == "W2"
    assert house.events() == before
    assert act(house.room, None, f"work show {item}").item.status == "todo"


def test_a_task_with_a_branch_by_its_full_ref_is_work_on_that_branch(house: House) -> None:
    act(house.room, "ana", "join --branch refs/heads/main")
    item = add(house, "x", "--branch refs/heads/main")
    (row,) = act(house.room, None, "branches").branches
    assert (row.branch, row.flag, [task.id for task in row.tasks]) == ("main", "unclaimed", [item])
    assert [agent.agent for agent in row.agents] == ["ana"]
    act(house.room, "ana", f"work set {item} --status done")
    assert act(house.room, None, "branches").branches[0].tasks == []
