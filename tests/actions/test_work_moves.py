"""Moving, removing and restoring items by hand, and what an import makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from relay_tui.base.times import MINUTE
from relay_tui.cli.texts import work as told
from relay_tui.room.work import flatten
from tests.actions.acting import act, refused
from tests.actions.plan_files.planning import changes_nothing, items, load, make_house
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    return make_house(str(tmp_path))


@pytest.fixture
def planned(house: House) -> House:
    """top W1 › one W2 › (a W3, b W4), two W5 › (c W6); loose W7."""
    for title, options in (
        ("top", "--kind roadmap"), ("one", "--parent W1"), ("a", "--parent W2"), ("b", "--parent W2"),
        ("two", "--parent W1"), ("c", "--parent W5"), ("loose", ""),
    ):  # fmt: skip
        act(house.room, "operator", f"work add --title {title} {options}")
    return house


def do(house: House, line: str) -> Any:
    house.clock.advance(MINUTE)
    return act(house.room, "operator", f"work {line}")


def shape(house: House) -> str:
    """The tree as `top(one(a b) two(c)) loose`."""

    def one(item: Any) -> str:
        return item.title + (f"({' '.join(map(one, item.children))})" if item.children else "")

    return " ".join(map(one, act(house.room, None, "work tree").items))


class TestMove:
    @pytest.mark.parametrize(
        ("line", "shown", "changed"),
        [
            ("W3 --parent W5", "top(one(b) two(c a)) loose", ["parent"]),
            ("w3 --parent w5 --before w6", "top(one(b) two(a c)) loose", ["parent", "place"]),
            ("W3 --before W6", "top(one(b) two(a c)) loose", ["parent", "place"]),
            ("W3 --after W4", "top(one(b a) two(c)) loose", ["place"]),
            ("W4 --before W3", "top(one(b a) two(c)) loose", ["place"]),
            ("W5 --before W2", "top(two(c) one(a b)) loose", ["place"]),
            ("W2 --root", "top(two(c)) loose one(a b)", ["parent"]),
            ("W2 --root --before W7", "top(two(c)) one(a b) loose", ["parent", "place"]),
            ("W2 --before W1", "one(a b) top(two(c)) loose", ["parent", "place"]),
            ("W7 --parent W3", "top(one(a(loose) b) two(c))", ["parent"]),
            ("W5 --parent W4", "top(one(a b(two(c)))) loose", ["parent"]),
            ("--id W4 --parent W2 --before W3", "top(one(b a) two(c)) loose", ["place"]),
        ],
    )
    def test_an_item_stands_where_it_is_told_to(
        self, planned: House, line: str, shown: str, changed: list[str]
    ) -> None:
        revision = {item.id: item.revision for item in flatten(act(planned.room, None, "work tree").items)}
        done = do(planned, f"move {line}")
        assert (shape(planned), done.changed) == (shown, changed)
        now = {item.id: item.revision for item in flatten(act(planned.room, None, "work tree").items)}
        assert now == revision | {done.item.id: 2}
        assert len(planned.events("work.moved")) == 1
        planned.assert_whole()

    @pytest.mark.parametrize(
        "line", ["W3 --parent W2", "W3 --before W4", "W4 --after W3", "W7 --root", "W4 --parent W2"]
    )
    def test_where_it_stands_already_nothing_is_written(self, planned: House, line: str) -> None:
        before = planned.events()
        done = do(planned, f"move {line}")
        assert done.changed == []
        assert list(told.move(done, 0)) == [f"{done.item.id} {done.item.title}: stands there already; nothing changed"]
        assert planned.events() == before

    @pytest.mark.parametrize(
        ("line", "path"),
        [("W1 --parent W1", ["W1", "W1"]), ("W1 --parent W3", ["W1", "W3", "W2", "W1"]),
         ("W2 --after W4", ["W2", "W2"]), ("W1 --before W6", ["W1", "W5", "W1"])],
    )  # fmt: skip
    def test_below_itself_is_refused_with_the_path(self, planned: House, line: str, path: list[str]) -> None:
        fault = refused(planned.room, "operator", f"work move {line}")
        assert (fault.code, fault.details) == ("refused", {"cycle": path})
        assert " → ".join(path) in fault.message
        assert shape(planned) == "top(one(a b) two(c)) loose"

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ("W3", "usage"), ("W3 --parent W5 --root", "usage"), ("W3 --before W4 --after W4", "usage"),
            ("W3 --parent W5 --before W4", "invalid"), ("W3 --root --after W4", "invalid"),
            ("W3 --before W3", "invalid"), ("W9 --root", "unknown_item"), ("W3 --parent W9", "unknown_item"),
            ("W3 --after W9", "unknown_item"), ("W --root", "unknown_item"),
        ],
    )  # fmt: skip
    def test_a_place_that_is_none_is_refused(self, planned: House, line: str, code: str) -> None:
        before = planned.events()
        assert refused(planned.room, "operator", f"work move {line}").code == code
        assert planned.events() == before

    def test_kinds_stay_so_that_moving_back_is_the_same_as_before(self, planned: House) -> None:
        before = act(planned.room, None, "work tree").items
        done = do(planned, "move W2 --parent W6")
        assert done.item.kind == "phase"
        assert done.doubts == (
            "W2 stays of kind phase, below one of kind epic. To change that: relay work set W2 --kind task",
        )
        do(planned, "move W2 --parent W1 --before W5")
        after = act(planned.room, None, "work tree").items
        assert [(one.id, one.kind, one.parent) for one in flatten(after)] == [
            (one.id, one.kind, one.parent) for one in flatten(before)
        ]
        assert do(planned, "set W2 --kind task").item.kind == "task"

    def test_progress_goes_along(self, planned: House) -> None:
        do(planned, "set W3 --status done")
        do(planned, "move W3 --parent W5")
        progress = {
            item.title: (item.done, item.leaves) for item in flatten(act(planned.room, None, "work tree").items)
        }
        assert (progress["one"], progress["two"], progress["top"]) == ((0, 1), (1, 2), (1, 3))

    def test_a_new_item_comes_behind_whatever_was_moved_or_removed(self, planned: House) -> None:
        """W10 would sort before W9, were both in the same place."""
        for title in ("n8", "n9"):
            do(planned, f"add --parent W2 --title {title}")
        do(planned, "move W3 --root")
        do(planned, "remove W4")
        do(planned, "add --parent W2 --title n10")
        assert shape(planned) == "top(one(n8 n9 n10) two(c)) loose a"

    def test_what_people_are_told(self, planned: House) -> None:
        assert list(told.move(do(planned, "move W3 --parent W5"), 0)) == ["W3 a: stands below W5 now"]
        assert list(told.move(do(planned, "move W3 --before W6"), 0)) == ["W3 a: has another place below W5 now"]
        assert list(told.move(do(planned, "move W3 --root"), 0)) == ["W3 a: stands at the top now"]

    def test_an_import_leaves_what_the_room_moved_where_it_is(self, house: House) -> None:
        plan = "# Plan\n\n## One\n\n- [ ] a\n- [ ] b\n\n## Two\n\n- [ ] c\n"
        load(house, plan)
        known = items(house)
        do(house, f"move {known['a'].id} --parent {known['Two'].id} --before {known['c'].id}")
        assert changes_nothing(load(house, plan))
        assert changes_nothing(load(house, f"\n\n{plan}"))
        assert shape(house) == "Plan(One(b) Two(a c))"
        load(house, plan.replace("[ ] a", "[x] a"))
        assert (items(house)["a"].status, items(house)["a"].parent) == ("done", known["Two"].id)
        house.assert_whole()


class TestRemove:
    def test_a_leaf_goes_and_comes_back_as_it_was(self, planned: House) -> None:
        do(planned, "set W3 --owner ana --status review --label x")
        gone = do(planned, "remove W3")
        assert (gone.item.title, gone.changed, gone.removed) == ("a", ["removed"], ["W3"])
        assert shape(planned) == "top(one(b) two(c)) loose"
        back = do(planned, "restore w3")
        assert (back.changed, back.restored) == (["removed"], ["W3"])
        assert back.item == gone.item._replace(revision=gone.item.revision + 2)
        assert shape(planned) == "top(one(a b) two(c)) loose"
        assert [event.data for event in planned.events("work")[-2:]] == [{"id": "W3", "items": ["W3"]}] * 2
        planned.assert_whole()

    def test_what_has_items_below_it_goes_only_with_them(self, planned: House) -> None:
        before = planned.events()
        fault = refused(planned.room, "operator", "work remove W1")
        assert (fault.code, fault.details) == ("refused", {"items": ["W2", "W3", "W4", "W5", "W6"]})
        assert "--recursive" in fault.hint
        assert planned.events() == before
        gone = do(planned, "remove W1 --recursive")
        assert gone.removed == ["W1", "W2", "W3", "W4", "W5", "W6"]
        assert shape(planned) == "loose"
        assert list(told.remove(gone, 0)) == ["W1 removed: top, with 5 items below it", "Back: relay work restore W1"]
        assert list(told.restore(do(planned, "restore W1"), 0)) == ["W1 top: is back, with 5 items below it"]
        assert shape(planned) == "top(one(a b) two(c)) loose"
        planned.assert_whole()

    def test_restoring_brings_back_that_removal_and_no_other(self, planned: House) -> None:
        do(planned, "remove W3")
        assert do(planned, "remove W2 --recursive").removed == ["W2", "W4"]
        assert do(planned, "restore W2").restored == ["W2", "W4"]
        assert shape(planned) == "top(one(b) two(c)) loose"
        do(planned, "restore W3")
        assert shape(planned) == "top(one(a b) two(c)) loose"

    def test_below_what_is_removed_nothing_comes_back_and_the_way_out_is_named(self, planned: House) -> None:
        do(planned, "remove W3")
        do(planned, "remove W2 --recursive")
        do(planned, "remove W1 --recursive")
        before = planned.events()
        fault = refused(planned.room, "operator", "work restore W3")
        assert (fault.code, fault.details, fault.hint) == ("refused", {"removed": "W1"}, "Run: relay work restore W1")
        assert planned.events() == before
        for item in ("W1", "W2", "W3"):
            do(planned, f"restore {item}")
        assert shape(planned) == "top(one(a b) two(c)) loose"
        planned.assert_whole()

    def test_restoring_what_is_there_changes_nothing(self, planned: House) -> None:
        before = planned.events()
        done = do(planned, "restore W3")
        assert (done.changed, done.restored) == ([], [])
        assert list(told.restore(done, 0)) == ["W3 a: was not removed; nothing changed"]
        assert planned.events() == before
        assert refused(planned.room, "operator", "work restore W99").code == "unknown_item"

    def test_a_removed_item_is_unknown_and_the_way_back_is_named(self, planned: House) -> None:
        do(planned, "remove W3")
        for line in ("show W3", "set w3 --status done", "tree W3", "remove W3", "move W3 --root",
                     "add --title x --parent W3", "set W4 --blocked-by W3", "set W4 --blocks W3",
                     "resolve W3 status file", "move W4 --after W3"):  # fmt: skip
            fault = refused(planned.room, "operator", f"work {line}")
            assert (fault.code, fault.hint) == ("unknown_item", "Run: relay work restore W3"), line

    def test_what_was_removed_is_nobodys_concern(self, planned: House) -> None:
        planned.join("ana")
        do(planned, "set W3 --status blocked --owner ana --branch refs/heads/main")
        do(planned, "set W4 --blocked-by W3")
        branches = {row.branch: row for row in act(planned.room, None, "branches").branches}
        assert [task.id for task in branches["main"].tasks] == ["W3"]
        assert [one.id for one in act(planned.room, "operator", "attention").items if one.kind == "blocked"] == [
            "blocked:W3"
        ]
        do(planned, "remove W3")
        assert [task.id for row in act(planned.room, None, "branches --all").branches for task in row.tasks] == []
        assert [one for one in act(planned.room, "operator", "attention").items if one.kind == "blocked"] == []
        assert [one.id for one in act(planned.room, None, "work next").items] == ["W4", "W6", "W7"]
        assert act(planned.room, None, "work show W4").waits_for == []
        do(planned, "restore W3")
        assert [one.id for one in act(planned.room, None, "work show W4").waits_for] == ["W3"]

    def test_what_would_wait_for_itself_comes_back_only_once_that_is_settled(self, planned: House) -> None:
        do(planned, "set W3 --blocked-by W4")
        do(planned, "set W4 --blocked-by W6")
        do(planned, "remove W4")
        do(planned, "set W6 --blocked-by W3")
        fault = refused(planned.room, "operator", "work restore W4")
        assert (fault.code, fault.details) == ("refused", {"cycle": ["W4", "W6", "W3", "W4"]})
        assert fault.hint == "Run: relay work set W6 --unset blocked-by"
        do(planned, "set W6 --unset blocked-by")
        assert do(planned, "restore W4").restored == ["W4"]
        planned.assert_whole()

    def test_a_dry_run_of_each_answers_and_writes_nothing(self, planned: House) -> None:
        do(planned, "remove W7")
        before = planned.events()
        trial = planned.enter(planned.repository, dry_run=True)
        assert act(trial, "operator", "work remove W2 --recursive").removed == ["W2", "W3", "W4"]
        assert act(trial, "operator", "work restore W7").restored == ["W7"]
        assert act(trial, "operator", "work move W3 --parent W5").item.parent == "W5"
        assert act(trial, "operator", "work set W3 --blocks W4").changed == ["blocks"]
        assert planned.events() == before

    def test_an_id_is_never_given_twice(self, planned: House) -> None:
        do(planned, "remove W7")
        assert do(planned, "add --title new").item.id == "W8"


class TestRemovedAndStillInTheFile:
    PLAN = "# Plan\n\n## One\n\n- [ ] a\n- [ ] b\n\n## Two\n\n- [ ] c\n"

    def test_it_stays_removed_and_importing_the_same_writes_nothing(self, house: House) -> None:
        load(house, self.PLAN)
        do(house, f"remove {items(house)['b'].id}")
        before = house.events()
        again = load(house, self.PLAN)
        assert (changes_nothing(again), again.conflicts) == (True, [])
        assert house.events() == before
        assert shape(house) == "Plan(One(a) Two(c))"

    def test_a_change_of_the_file_is_said_and_applied_once_it_is_restored(self, house: House) -> None:
        load(house, self.PLAN)
        b = items(house)["b"].id
        do(house, f"remove {b}")
        ticked = self.PLAN.replace("[ ] b", "[x] b")
        told_of = load(house, ticked)
        assert changes_nothing(told_of)
        assert [f"relay work restore {b}" in one.text for one in told_of.warnings] == [True]
        do(house, f"restore {b}")
        assert [update.changes for update in load(house, ticked).updated] == [{"status": ["todo", "done"]}]
        assert shape(house) == "Plan(One(a b) Two(c))"
        house.assert_whole()

    def test_what_the_file_adds_below_it_hangs_under_what_is_left(self, house: House) -> None:
        load(house, self.PLAN)
        do(house, f"remove {items(house)['Two'].id} --recursive")
        grown = f"{self.PLAN}- [ ] d\n"
        assert [item.title for item in load(house, grown).added] == ["d"]
        assert shape(house) == "Plan(One(a b) d)"
        assert changes_nothing(load(house, grown))
        house.assert_whole()

    def test_it_may_leave_the_file_and_return_without_a_word(self, house: House) -> None:
        load(house, self.PLAN)
        b = items(house)["b"].id
        do(house, f"remove {b}")
        assert load(house, self.PLAN.replace("- [ ] b\n", ""), "--cancel-removed").removed == []
        back = load(house, self.PLAN)
        assert changes_nothing(back)
        assert shape(house) == "Plan(One(a) Two(c))"
        restored = do(house, f"restore {b}").item
        assert (restored.status, restored.source.line) == ("todo", 6)
        assert shape(house) == "Plan(One(a b) Two(c))"
        house.assert_whole()

    def test_reordering_around_it_is_the_files(self, house: House) -> None:
        load(house, "# Plan\n- [ ] a\n- [ ] b\n- [ ] c\n")
        do(house, f"remove {items(house)['b'].id}")
        load(house, "# Plan\n- [ ] c\n- [ ] b\n- [ ] a\n- [ ] d\n")
        assert shape(house) == "Plan(c a d)"
        house.assert_whole()
