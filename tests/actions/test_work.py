"""Work by hand: items, their tree, and progress that is counted and never kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relay_tui.base.times import DAY
from relay_tui.cli.texts.work import choose_next as told_next
from relay_tui.cli.texts.work import show as told_item
from relay_tui.cli.texts.work import tree as told_tree
from relay_tui.room.ledger import Actor
from relay_tui.room.work import flatten, percent
from relay_tui.room.work_circles import PART
from relay_tui.room.work_fold import FIELDS
from tests.actions.acting import act, refused
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    house = House(str(tmp_path))
    house.join("ana")
    return house


BLANK = {**dict.fromkeys(FIELDS), "kind": "task", "title": "t", "status": "todo", "labels": [], "artifacts": [],
         "blocked_by": []}  # fmt: skip


def add(house: House, title: str, options: str = "") -> str:
    return str(act(house.room, "ana", f"work add {options} --title", title).item.id)


def titles(found: Any) -> list[Any]:
    """The tree as titles, and (title, children) for what has children."""
    return [(item.title, titles(item.children)) if item.children else item.title for item in
            getattr(found, "items", found)]  # fmt: skip


def test_an_item_says_what_it_was_told(house: House) -> None:
    parent, first = add(house, "Launch", "--kind roadmap"), add(house, "Draw keys")
    change = act(
        house.room, "ana", f"work add --parent {parent} --kind task --status review --owner Bob --priority high"
        " --label core --label safety --label core --branch feat/x --artifact notes.md --due 2026-12-24"
        f" --blocked-by {first} --title", "Rotate tokens",
    )  # fmt: skip
    item = change.item
    assert change.changed == ["item"]
    assert (item.kind, item.title, item.status, item.owner, item.priority) == (
        "task", "Rotate tokens", "review", "Bob", "high",
    )  # fmt: skip
    assert (item.labels, item.artifacts, item.blocked_by) == (["core", "safety"], ["notes.md"], [first])
    assert (item.branch, item.due, item.parent, item.revision, item.source) == (
        "feat/x", "2026-12-24", parent, 1, None,
    )  # fmt: skip
    assert act(house.room, None, f"work show {item.id.lower()}").item == item
    assert titles(act(house.room, None, "work tree")) == [("Launch", ["Rotate tokens"]), "Draw keys"]
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


class TestBlocks:
    def test_a_new_item_may_be_waited_for_from_the_start_in_one_event(self, house: House) -> None:
        first, second = add(house, "first"), add(house, "second", "--status review")
        before = len(house.events())
        new = add(house, "new", f"--blocks {first} --blocks {second.lower()} --blocks {first}")
        assert len(house.events()) == before + 1
        assert house.events("work.added")[-1].data["waiting"] == {first: [new], second: [new]}
        for waiting in (first, second):
            item = act(house.room, None, f"work show {waiting}").item
            assert (item.blocked_by, item.revision) == ([new], 2)
        assert [one.id for one in act(house.room, None, f"work show {new}").blocks] == [first, second]
        house.assert_whole()

    def test_an_item_is_put_before_others_beside_its_own_changes(self, house: House) -> None:
        first, second = add(house, "first"), add(house, "second")
        third = add(house, "third", f"--blocked-by {first}")
        change = act(house.room, "ana", f"work set {second} --status review --blocks {third}")
        assert change.changed == ["status", "blocks"]
        assert house.events("work.changed")[-1].data == {
            "id": second, "set": {"status": "review"}, "waiting": {third: [first, second]},
        }  # fmt: skip
        assert act(house.room, None, f"work show {third}").item.blocked_by == [first, second]
        again = act(house.room, "ana", f"work set {second} --blocks {third}")
        assert (again.changed, len(house.events("work.changed"))) == ([], 1)
        house.assert_whole()

    @pytest.mark.parametrize(
        ("line", "path"),
        [
            ("set W1 --blocks W1", ["W1", "W1"]),
            ("set W3 --blocks W1", ["W1", "W3", "W2", "W1"]),
            ("set W1 --blocked-by W3", ["W1", "W3", "W2", "W1"]),
            ("set W4 --blocks W1 --blocked-by W3", ["W4", "W3", "W2", "W1", "W4"]),
            ("set W4 --blocks W5 --blocked-by W5", ["W4", "W5", "W4"]),
            ("add --title x --blocks W1 --blocked-by W3", ["W6", "W3", "W2", "W1", "W6"]),
        ],
    )
    def test_a_circle_is_refused_with_its_path_and_nothing_is_written(
        self, house: House, line: str, path: list[str]
    ) -> None:
        for options in ("", "--blocked-by W1", "--blocked-by W2", "", ""):
            add(house, "x", options)
        before = house.events()
        fault = refused(house.room, "ana", f"work {line}")
        assert (fault.code, fault.details) == ("refused", {"cycle": path})
        assert " → ".join(path) in fault.message
        assert house.events() == before

    @pytest.mark.parametrize(
        ("line", "path", "hint"),
        [
            ("set W1 --blocked-by W3", "W1 W3 W2 W1", PART),
            ("set W1 --blocks W3", "W3 W1 W2 W3", PART),
            ("add --title x --parent W2 --blocked-by W1", "W6 W1 W2 W6", PART),
            ("set W5 --blocked-by W1", "W5 W1 W2 W4 W5", "Run: relay work set W4 --unset blocked-by"),
            ("set W1 --blocked-by W5", "W1 W5 W3 W2 W1", "Run: relay work set W5 --unset blocked-by"),
            ("move W5 --parent W3", "W3 W5 W3", "Run: relay work set W5 --unset blocked-by"),
        ],
    )
    def test_a_circle_through_the_tree_is_refused_where_it_would_be_closed(
        self, house: House, line: str, path: str, hint: str
    ) -> None:
        """W1 above W2 above W3 and W4; W4 waits for W5, and that for W3."""
        for options in ("", "--parent W1", "--parent W2", "--parent W2", "--blocked-by W3 --blocks W4"):
            add(house, "x", options)
        fault = refused(house.room, "ana", f"work {line}")
        assert (fault.code, fault.details, fault.hint) == ("refused", {"cycle": path.split()}, hint)
        assert act(house.room, "ana", "work set W5 --unset blocked-by").changed
        assert act(house.room, "ana", "work move W5 --parent W1").changed

    def test_waiting_for_one_thing_on_many_ways_is_no_circle_and_is_found_out_at_once(self, house: House) -> None:
        """Forty levels of two items, each waiting for both below: 2⁴⁰ ways down."""
        below: list[str] = []
        for _ in range(40):
            below = [add(house, "x", " ".join(f"--blocked-by {one}" for one in below)) for _ in range(2)]
        assert act(house.room, "ana", f"work set {below[0]} --status review --blocked-by {below[1]}").changed
        assert refused(house.room, "ana", f"work set W1 --blocked-by {below[0]}").code == "refused"


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
            ("--under W2", [("one", ["a", "b"])]),
            ("--id w2", [("one", ["a", "b"])]),
            ("W2 --under W2 --depth 1", ["one"]),
            ("--under W1 --owner ana --depth 2", [("top", ["one", "two"])]),
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

    def test_two_beginnings_of_a_tree_are_a_usage_error(self, planned: House) -> None:
        assert refused(planned.room, None, "work tree W1 --under W2").code == "usage"
        assert refused(planned.room, None, "work tree --under W9").code == "unknown_item"

    def test_an_id_is_whole_because_one_is_the_beginning_of_another(self, planned: House) -> None:
        assert refused(planned.room, None, "work show W").code == "unknown_item"
        assert act(planned.room, None, "work show w1").item.title == "top"

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
        assert "  owner       ana (live)" in list(told_item(act(planned.room, None, "work show W3"), 0))

    def test_titles_are_inert_for_people_and_whole_for_programs(self, house: House) -> None:
        item = add(house, "\x1b[31m[/] red")
        assert act(house.room, None, f"work show {item}").item.title == "\x1b[31m[/] red"
        assert all(line.isprintable() for line in told_tree(act(house.room, None, "work tree"), 0))


def test_an_item_in_full_says_what_it_waits_for_and_what_waits_for_it(house: House) -> None:
    first, second = add(house, "first", "--status done"), add(house, "second", "--owner Kim")
    item = add(house, "it", f"--owner ana --blocked-by {first} --blocked-by {second}")
    later = add(house, "later", f"--blocked-by {item}")
    shown = act(house.room, None, f"work show {item}")
    assert [tuple(one) for one in shown.waits_for] == [
        (first, "first", "done", False), (second, "second", "todo", True),
    ]  # fmt: skip
    assert [one.id for one in shown.blocks] == [later]
    assert (shown.owner_state, shown.conflicts, shown.changed) == ("live", [], [])
    assert act(house.room, None, f"work show {second}").owner_state is None
    assert list(told_item(shown, 0))[-3:] == [
        "  waits for   ☑ W1 first (settled)", "  waits for   ☐ W2 second", "  blocks      ☐ W4 later",
    ]  # fmt: skip


class TestNext:
    @pytest.fixture
    def planned(self, house: House) -> House:
        house.join("bob")
        add(house, "phase", "--kind phase")
        add(house, "free", "--parent W1")
        add(house, "bobs", "--parent W1 --owner bob")
        add(house, "urgent", "--parent W1 --priority high --blocked-by W2")
        add(house, "mine", "--parent W1 --owner ana --due 2026-12-01")
        return house

    def test_what_can_be_taken_up_comes_first_and_the_rest_says_why_not(self, planned: House) -> None:
        found = act(planned.room, "ana", "work next")
        assert [item.title for item in found.items] == ["mine", "free"]
        assert [(one.id, one.reasons) for one in found.excluded] == [
            ("W3", ["bob has it and is live"]), ("W4", ["waits for W2, which is todo"]), ("W1", ["4 open items below"]),
        ]  # fmt: skip
        assert list(told_next(found, 0)) == [
            "☐ W5 mine @ana due:2026-12-01", "☐ W2 free", "Left out:", "  W3 bobs: bob has it and is live",
            "  W4 urgent: waits for W2, which is todo", "  W1 phase: 4 open items below",
        ]  # fmt: skip
        act(planned.room, "ana", "work set W2 --status done")
        found = act(planned.room, "ana", "work next")
        assert [item.title for item in found.items] == ["urgent", "mine"]
        assert next(told_next(found, 0)) == "☐ W4 urgent !high"

    def test_an_owner_who_went_quiet_leaves_it_to_others(self, planned: House) -> None:
        planned.clock.advance(DAY)
        act(planned.room, "ana", "status working")
        assert "bobs" in [item.title for item in act(planned.room, "ana", "work next").items]

    def test_only_so_many_are_shown_and_the_rest_is_counted(self, planned: House) -> None:
        found = act(planned.room, "ana", "work next --limit 1")
        assert ([item.title for item in found.items], found.more, len(found.excluded)) == (["mine"], 1, 3)
        assert list(told_next(found, 0))[1] == "and 1 more; see them with --limit 2"
        assert refused(planned.room, "ana", "work next --limit 0").code == "usage"

    def test_asking_writes_nothing_and_nobody_need_be_named(self, planned: House) -> None:
        before = planned.events()
        assert [item.title for item in act(planned.room, None, "work next").items] == ["free"]
        assert planned.events() == before

    def test_where_nothing_is_open_that_is_said(self, house: House) -> None:
        assert list(told_next(act(house.room, None, "work next"), 0)) == ["No open work."]
        add(house, "x", "--status blocked")
        told = list(told_next(act(house.room, None, "work next"), 0))
        assert told == ["Nothing can be taken up now.", "Left out:", "  W1 x: its status is blocked"]

    def test_of_a_long_list_of_what_is_left_out_the_first_are_told(self, house: House) -> None:
        for number in range(12):
            add(house, f"x{number}", "--status review")
        told = list(told_next(act(house.room, None, "work next"), 0))
        assert (len(told), told[-1]) == (13, "  and 2 more; see them with --json")


def test_a_dry_run_answers_and_writes_nothing(house: House) -> None:
    item = add(house, "x")
    before = house.events()
    trial = house.enter(house.repository, dry_run=True)
    assert act(trial, "ana", f"work set {item} --status done").item.status == "done"
    assert act(trial, "ana", "work add --title y").item.id == "W2"
    assert house.events() == before
    assert act(house.room, None, f"work show {item}").item.status == "todo"


def test_a_change_costs_the_same_in_a_large_tree(house: House) -> None:
    def steps(item: str) -> int:
        """Of SQLite's machine, and rows that Python gets are among them."""
        counted: list[int] = []
        house.room = house.enter(house.repository, keep_open=True)
        with house.room.store.writing() as db:
            db.set_progress_handler(lambda: counted.append(1), 10)
        act(house.room, "ana", f"work set {item} --status done")
        house.room.store.close()
        return len(counted)

    with house.room.writing(Actor("ana")) as tx:
        tx.append("work.added", {"items": [{**BLANK, "id": f"W{n}", "place": n} for n in range(3)]})
    few = steps("W1")
    with house.room.writing(Actor("ana")) as tx:
        tx.append("work.added", {"items": [{**BLANK, "id": f"W{n}", "place": n} for n in range(3, 1000)]})
    assert steps("W2") < 2 * few


def test_a_task_with_a_branch_by_its_full_ref_is_work_on_that_branch(house: House) -> None:
    act(house.room, "ana", "join --branch refs/heads/main")
    item = add(house, "x", "--branch refs/heads/main")
    (row,) = act(house.room, None, "branches").branches
    assert (row.branch, row.flag, [task.id for task in row.tasks]) == ("main", "unclaimed", [item])
    assert [agent.agent for agent in row.agents] == ["ana"]
    act(house.room, "ana", f"work set {item} --status done")
    assert act(house.room, None, "branches").branches[0].tasks == []
