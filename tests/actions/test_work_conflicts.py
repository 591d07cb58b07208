"""Conflicts that an import left open: shown with the item, settled one by one, and not reported again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from relay_tui.cli.texts import work as told
from tests.actions.acting import act, refused
from tests.actions.plan_files.planning import changes_nothing, items, load, make_house, say
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House

FIRST = "# Plan\n\n- [ ] a @ana\n- [ ] b\n"
TICKED = FIRST.replace("[ ] a", "[x] a")
MOVED = "# Plan\n\n- [ ] b\n  - [ ] a @ana\n"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    return make_house(str(tmp_path))


@pytest.fixture
def item(house: House) -> str:
    """The file says that `a` is done, the room that it is blocked."""
    load(house, FIRST)
    say(house, "a", "--status blocked")
    assert len(load(house, TICKED).conflicts) == 1
    return items(house)["a"].id


def show(house: House, item: str) -> Any:
    return act(house.room, None, f"work show {item}")


def resolve(house: House, line: str) -> Any:
    return act(house.room, "operator", f"work resolve {line}")


def test_an_open_conflict_is_shown_with_its_item_and_the_line_that_settles_it(house: House, item: str) -> None:
    assert [tuple(one) for one in show(house, item).conflicts] == [("PLAN.md", "status", "todo", "done", "blocked")]
    assert list(told.show(show(house, item), 0))[-1] == (
        "  conflict    status: PLAN.md says done, room says blocked (was todo); "
        f"relay work resolve {item} status file|room"
    )
    assert show(house, items(house)["b"].id).conflicts == []


def test_for_the_room_its_value_stays_and_the_file_is_heard(house: House, item: str) -> None:
    done = resolve(house, f"{item} status room")
    assert (done.item.status, done.changed, done.side, done.conflict.file) == ("blocked", [], "room", "done")
    assert list(told.resolve(done, 0)) == [f"{item} status: blocked, as the room says (not done)"]
    assert show(house, item).conflicts == []
    before = house.events()
    again = load(house, TICKED)
    assert (again.conflicts, changes_nothing(again)) == ([], True)
    assert house.events() == before
    house.assert_whole()


def test_for_the_file_its_value_is_applied(house: House, item: str) -> None:
    done = resolve(house, f"--id {item} status file")
    assert (done.item.status, done.changed) == ("done", ["status"])
    assert list(told.resolve(done, 0)) == [f"{item} status: done, as the file says (not blocked)"]
    again = load(house, TICKED)
    assert (again.conflicts, changes_nothing(again), items(house)["a"].status) == ([], True, "done")
    house.assert_whole()


def test_after_the_room_was_preferred_a_later_change_of_the_file_is_a_conflict_again(house: House, item: str) -> None:
    resolve(house, f"{item} status room")
    later = load(house, FIRST.replace("[ ] a", "[/] a"))
    assert [tuple(one) for one in later.conflicts] == [(item, "status", "done", "in-progress", "blocked")]
    assert [tuple(one)[1:] for one in show(house, item).conflicts] == [("status", "done", "in-progress", "blocked")]


def test_after_the_file_was_preferred_a_later_change_of_the_file_is_applied(house: House, item: str) -> None:
    resolve(house, f"{item} status file")
    later = load(house, FIRST.replace("[ ] a", "[/] a"))
    assert (later.conflicts, items(house)["a"].status) == ([], "in-progress")


def test_two_fields_are_settled_apart(house: House) -> None:
    load(house, FIRST)
    say(house, "a", "--status blocked --owner bob --label x")
    load(house, "# Plan\n\n- [x] a @kim #y\n- [ ] b\n")
    item = items(house)["a"].id
    assert [one.field for one in show(house, item).conflicts] == ["status", "owner", "labels"]
    resolve(house, f"{item} owner file")
    resolve(house, f"{item} label room")
    left = load(house, "# Plan\n\n- [x] a @kim #y\n- [ ] b\n")
    assert [one.field for one in left.conflicts] == ["status"]
    assert (items(house)["a"].owner, items(house)["a"].labels) == ("kim", ["x"])
    house.assert_whole()


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("{a} colour file", "usage", "not a field"), ("{a} owner room", "refused", "no open conflict in owner"),
        ("{b} status file", "refused", "no open conflict in status"), ("W99 status file", "unknown_item", "W99"),
    ],
)  # fmt: skip
def test_what_is_not_open_cannot_be_settled(house: House, item: str, line: str, code: str, said: str) -> None:
    before = house.events()
    fault = refused(house.room, "operator", f"work resolve {line.format(a=item, b=items(house)['b'].id)}")
    assert (fault.code, said in fault.message) == (code, True)
    assert "{a} owner" not in line or fault.details == {"open": ["status"]}
    assert house.events() == before


def test_what_the_room_took_back_is_no_conflict_any_more(house: House, item: str) -> None:
    """The next import applies the file's value, since the room says what both agreed on."""
    say(house, "a", "--status todo")
    assert show(house, item).conflicts == []
    assert refused(house.room, "operator", f"work resolve {item} status room").code == "refused"
    assert load(house, TICKED).conflicts == []
    assert items(house)["a"].status == "done"


def test_what_the_room_came_round_to_is_no_conflict_any_more(house: House, item: str) -> None:
    say(house, "a", "--status done")
    assert show(house, item).conflicts == []
    assert load(house, TICKED).conflicts == []


def test_a_dry_run_settles_nothing(house: House, item: str) -> None:
    before = house.events()
    trial = house.enter(house.repository, dry_run=True)
    assert act(trial, "operator", f"work resolve {item} status file").item.status == "done"
    assert house.events() == before
    assert len(show(house, item).conflicts) == 1


class TestPlaces:
    """The file moved `a` below `b`; the room put it somewhere else."""

    @pytest.fixture
    def moved(self, house: House) -> House:
        load(house, FIRST)
        act(house.room, "operator", "work add --title other")
        act(house.room, "operator", f"work move {items(house)['a'].id} --parent {items(house)['other'].id}")
        assert [one.field for one in load(house, MOVED).conflicts] == ["parent"]
        return house

    @pytest.mark.parametrize(("side", "parent"), [("file", "b"), ("room", "other")])
    def test_either_is_settled(self, moved: House, side: str, parent: str) -> None:
        known = items(moved)
        resolve(moved, f"{known['a'].id} parent {side}")
        assert items(moved)["a"].parent == known[parent].id
        assert changes_nothing(load(moved, MOVED))
        assert load(moved, MOVED).conflicts == []
        moved.assert_whole()

    def test_a_place_below_what_is_removed_waits_for_it(self, moved: House) -> None:
        known = items(moved)
        act(moved.room, "operator", f"work remove {known['b'].id}")
        fault = refused(moved.room, "operator", f"work resolve {known['a'].id} parent file")
        assert (fault.code, fault.hint) == ("refused", f"Run: relay work restore {known['b'].id}")
        act(moved.room, "operator", f"work restore {known['b'].id}")
        assert resolve(moved, f"{known['a'].id} parent file").item.parent == known["b"].id

    def test_a_place_below_itself_is_refused_with_the_path(self, moved: House) -> None:
        known = items(moved)
        a, b = known["a"].id, known["b"].id
        act(moved.room, "operator", f"work move {b} --parent {a}")
        assert refused(moved.room, "operator", f"work resolve {a} parent file").details == {"cycle": [a, b, a]}

    def test_a_move_that_had_nowhere_to_go_stays_open_until_it_is_settled(self, house: House) -> None:
        load(house, FIRST)
        known = items(house)
        act(house.room, "operator", f"work remove {known['b'].id}")
        assert [one.field for one in load(house, MOVED).conflicts] == ["parent"]
        assert [one.field for one in show(house, known["a"].id).conflicts] == ["parent"]
        resolve(house, f"{known['a'].id} parent room")
        assert load(house, MOVED).conflicts == []
        house.assert_whole()
