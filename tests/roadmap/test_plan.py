"""Which line is which item, and what a three-way import changes."""

from __future__ import annotations

import pytest

from relay_tui.roadmap.changes import Conflict, Moved, Retitled
from relay_tui.roadmap.matching import pair_by_words
from relay_tui.roadmap.ordering import longest_rising
from tests.roadmap.plan_room import PlanRoom


@pytest.fixture
def room():
    return PlanRoom()


def changed(plan):
    """The parts of a plan that are not empty."""
    parts = ("added", "updated", "retitled", "moved", "reordered", "removed", "conflicts")
    return {part: getattr(plan, part) for part in parts if getattr(plan, part)}


class TestIdentity:
    def test_the_same_file_again_changes_nothing(self, room):
        text = "# A\n## B\n- [ ] x\n  - [x] y\n- [ ] x\n"
        room.load(text)
        plan = room.load(text)
        assert (changed(plan), plan.unchanged) == ({}, 5)

    def test_a_line_that_moves_down_by_an_insertion_changes_nothing_else(self, room):
        room.load("# A\n- [ ] x\n")
        plan = room.load("# A\n\nprose\n\n- [ ] new\n- [ ] x\n", choices={})
        assert [new.fields.title for new in plan.added] == ["new"]
        assert set(changed(plan)) == {"added", "updated"}
        assert plan.updated == {room.id_of("A"): {"note": (None, "prose")}}
        assert plan.bases[room.id_of("x")].line == 6

    def test_the_only_old_and_only_new_under_one_parent_are_a_retitle(self, room):
        room.load("# A\n- [ ] parse\n- [ ] print\n")
        id_ = room.id_of("parse")
        assert changed(room.load("# A\n- [ ] read files\n- [ ] print\n")) == {
            "retitled": (Retitled(id_, "parse", "read files"),)
        }

    def test_several_are_retitled_by_most_shared_words(self, room):
        room.load("# A\n- [ ] write the parser\n- [ ] draw the screen\n")
        parser, screen = room.id_of("write the parser"), room.id_of("draw the screen")
        plan = room.load("# A\n- [ ] draw one screen\n- [ ] write a parser\n")
        assert set(plan.retitled) == {
            Retitled(parser, "write the parser", "write a parser"),
            Retitled(screen, "draw the screen", "draw one screen"),
        }
        assert (plan.added, plan.removed) == ((), ())

    def test_several_without_a_word_in_common_are_added_and_removed_and_said(self, room):
        room.load("# A\n- [ ] one\n- [ ] two\n")
        plan = room.load("# A\n- [ ] three\n- [ ] four\n")
        assert (len(plan.added), len(plan.removed), plan.retitled) == (2, 2, ())
        assert [warning.line for warning in plan.warnings] == [2]

    def test_what_shares_no_word_is_not_paired_by_being_left_over(self, room):
        room.load("# A\n- [ ] one\n- [ ] two\n")
        one, two = room.id_of("one"), room.id_of("two")
        plan = room.load("# A\n- [ ] three\n- [ ] two more\n")
        assert plan.retitled == (Retitled(two, "two", "two more"),)
        assert (plan.removed, [new.fields.title for new in plan.added]) == ((one,), ["three"])

    def test_a_retitled_parent_keeps_its_children(self, room):
        room.load("# A\n## One\n- [ ] x\n- [ ] tests\n## Two\n- [ ] tests\n")
        plan = room.load("# A\n## First\n- [ ] x\n- [ ] tests\n## Two\n- [ ] tests\n")
        assert set(changed(plan)) == {"retitled"}

    def test_the_same_title_elsewhere_is_a_move(self, room):
        room.load("# A\n## One\n- [ ] x\n- [ ] y\n## Two\n- [ ] z\n")
        plan = room.load("# A\n## One\n- [ ] y\n## Two\n- [ ] z\n- [ ] x\n")
        one, two = room.id_of("One"), room.id_of("Two")
        assert changed(plan) == {"moved": (Moved(room.id_of("x"), one, two),)}
        assert room.titles() == [("A", [("One", ["y"]), ("Two", ["z", "x"])])]

    def test_a_move_is_seen_before_a_retitle_in_the_place_it_left(self, room):
        room.load("# A\n## One\n- [ ] x\n## Two\n- [ ] z\n")
        id_ = room.id_of("x")
        plan = room.load("# A\n## One\n- [ ] new\n## Two\n- [ ] z\n## Three\n- [ ] x\n")
        assert [move.id for move in plan.moved] == [id_]
        assert [new.fields.title for new in plan.added] == ["new", "Three"]

    def test_a_move_is_seen_before_a_retitle_in_the_place_it_went_to(self, room):
        room.load("# A\n## P\n- [ ] x\n## R\n- [ ] y\n")
        x, y, old = room.id_of("x"), room.id_of("y"), room.id_of("R")
        plan = room.load("# A\n## P\n- [ ] y\n")
        assert [move.id for move in plan.moved] == [y]
        assert plan.removed == (x, old)

    def test_what_is_below_a_moved_heading_moves_along(self, room):
        room.load("# A\n## P\n### Y\n- [ ] c @ana\n### X\n- [ ] c @bob\n## Q\n- [ ] q\n")
        plan = room.load("# A\n## Q\n- [ ] q\n### X\n- [ ] c @bob\n")
        assert [move.id for move in plan.moved] == [room.id_of("X")]
        assert set(changed(plan)) == {"moved", "removed"}

    def test_a_heading_moves_with_all_that_is_below_it(self, room):
        room.load("# A\n## One\n### E\n- [ ] tests\n## Two\n### F\n- [ ] tests\n")
        plan = room.load("# A\n## One\n## Two\n### F\n- [ ] tests\n### E\n- [ ] tests\n")
        assert [move.id for move in plan.moved] == [room.id_of("E")]

    def test_the_last_file_counts_and_not_the_titles_and_places_of_the_room(self, room):
        text = "# A\n## One\n- [ ] x\n## Two\n- [ ] y\n"
        room.load(text)
        x, two = room.id_of("x"), room.id_of("Two")
        room.set(x, title="renamed here", parent=two)
        assert changed(room.load(text)) == {}
        assert room.items[x].title == "renamed here"

    def test_an_outdented_item_moves_and_becomes_a_task(self, room):
        room.load("# A\n- [ ] x\n  - [ ] y\n")
        y = room.id_of("y")
        plan = room.load("# A\n- [ ] x\n- [ ] y\n")
        assert [move.id for move in plan.moved] == [y]
        assert plan.updated == {y: {"kind": ("todo", "task")}}


class TestMarkers:
    def test_a_marker_wins_over_title_and_place(self, room):
        room.load("# A\n- [ ] x\n- [ ] y\n")
        x, y = room.id_of("x"), room.id_of("y")
        plan = room.load(f"# A\n- [ ] y <!-- relay:{x} -->\n- [ ] x <!-- relay:{y} -->\n")
        assert plan.retitled == (Retitled(x, "x", "y"), Retitled(y, "y", "x"))

    def test_writing_markers_changes_nothing(self, room):
        room.load("# A\n- [ ] x\n- [ ] x\n")
        first, second = room.id_of("x"), room.id_of("x", 1)
        text = f"# A\n- [ ] x <!-- relay:{first} -->\n- [ ] x <!-- relay:{second} -->\n"
        assert changed(room.load(text)) == {}

    def test_an_unknown_marker_makes_a_new_item_under_that_id(self, room):
        plan = room.load("# A\n- [ ] x <!-- relay:W70 -->\n")
        assert [new.id for new in plan.added] == ["W1", "W70"]
        assert room.load("# A\n- [ ] z <!-- relay:W70 -->\n").retitled == (Retitled("W70", "x", "z"),)

    def test_a_marker_whose_id_is_taken_is_said_and_not_used(self, room):
        text = "# A\n- [ ] x <!-- relay:W70 -->\n"
        plan = room.load(text, is_free=lambda id_: False)
        assert [new.id for new in plan.added] == ["W1", "W2"]
        assert [warning.line for warning in plan.warnings] == [2]
        assert changed(room.load(text, is_free=lambda id_: False)) == {}


class TestThreeWay:
    BEFORE = "# A\n- [ ] x @ana #ui !low due:2026-12-24\n"

    def test_what_only_the_file_changed_is_applied(self, room):
        room.load(self.BEFORE)
        x = room.id_of("x")
        plan = room.load("# A\n- [x] x @bob branch:b\n")
        assert plan.updated == {
            x: {
                "status": ("todo", "done"),
                "owner": ("ana", "bob"),
                "labels": (("ui",), ()),
                "priority": ("low", None),
                "branch": (None, "b"),
                "due": ("2026-12-24", None),
            }
        }
        assert room.items[x].owner == "bob"

    def test_what_only_the_room_changed_is_kept(self, room):
        room.load(self.BEFORE)
        room.set(room.id_of("x"), status="review", owner="bob", title="y")
        assert changed(room.load(self.BEFORE)) == {}

    def test_what_both_changed_alike_is_agreed(self, room):
        room.load("- [ ] x\n")
        room.set(room.id_of("x"), status="done")
        assert changed(room.load("- [x] x\n")) == {}
        assert set(changed(room.load("- [ ] x\n"))) == {"updated"}

    @pytest.fixture
    def torn(self, room):
        """File and room both gave `x` a new title, owner and status."""
        room.load("# A\n- [ ] x\n- [ ] z\n")
        room.set(room.id_of("x"), status="blocked", owner="bob", title="room's x")
        return room

    TORN = "# A\n- [x] file's x @ana\n- [ ] z\n"

    def test_a_conflict_keeps_both_and_stays_open_on_the_same_bytes(self, torn):
        id_ = torn.id_of("room's x")
        first = torn.load(self.TORN)
        assert changed(first) == {
            "conflicts": (
                Conflict(id_, "title", "x", "file's x", "room's x"),
                Conflict(id_, "status", "todo", "done", "blocked"),
                Conflict(id_, "owner", None, "ana", "bob"),
            )
        }
        assert changed(torn.load(self.TORN)) == {"conflicts": first.conflicts}

    @pytest.mark.parametrize(
        ("prefer", "result"),
        [("file", ("file's x", "done", "ana")), ("room", ("room's x", "blocked", "bob"))],
    )
    def test_prefer_settles_conflicts_for_good(self, torn, prefer, result):
        id_ = torn.id_of("room's x")
        torn.load(self.TORN)
        torn.load(self.TORN, prefer=prefer)
        assert torn.items[id_][2:5] == result
        assert changed(torn.load(self.TORN)) == {}

    def test_a_file_that_takes_its_change_back_closes_the_conflict(self, torn):
        torn.load(self.TORN)
        assert changed(torn.load("# A\n- [ ] x\n- [ ] z\n")) == {}
        assert torn.get("room's x").status == "blocked"

    def test_conflicting_titles_of_several_items_are_matched_again(self, room):
        room.load("# A\n- [ ] a\n- [ ] b\n")
        text = "# A\n- [ ] a one\n- [ ] b two\n"
        room.set(room.id_of("a"), title="p")
        room.set(room.id_of("b"), title="q")
        assert set(changed(room.load(text))) == {"conflicts"}
        assert set(changed(room.load(text))) == {"conflicts"}

    def test_places_that_both_changed_are_a_conflict(self, room):
        room.load("# A\n## B\n- [ ] x\n## C\n- [ ] y\n## D\n- [ ] z\n")
        x, b, c, d = (room.id_of(title) for title in "xBCD")
        room.set(x, parent=d)
        text = "# A\n## B\n## C\n- [ ] y\n- [ ] x\n## D\n- [ ] z\n"
        for _ in range(2):
            assert room.load(text, choices={"sections": True}).conflicts == (Conflict(x, "parent", b, c, d),)
        room.load(text, choices={"sections": True}, prefer="file")
        assert room.items[x].parent == c


class TestOrder:
    def test_siblings_in_another_order_are_reordered(self, room):
        room.load("# A\n- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d\n")
        plan = room.load("# A\n- [ ] d\n- [ ] a\n- [ ] b\n- [ ] c\n")
        assert changed(plan) == {"reordered": (room.id_of("d"),)}
        assert room.titles() == [("A", ["d", "a", "b", "c"])]

    def test_new_items_stand_behind_their_neighbour(self, room):
        room.load("# A\n- [ ] a\n- [ ] b\n")
        room.load("# A\n- [ ] zero\n- [ ] a\n- [ ] half\n- [ ] b\n")
        assert room.titles() == [("A", ["zero", "a", "half", "b"])]

    @pytest.mark.parametrize(
        ("places", "kept"),
        [
            ([], set()),
            ([1, 0, 2], {0, 2}),
            ([3, 0, 1, 2], {1, 2, 3}),
            ([2, 1, 0], {0}),
            ([0, 5, 1, 6], {0, 1, 3}),
        ],
    )
    def test_as_few_as_possible_move(self, places, kept):
        assert longest_rising(places) == kept


class TestLeavingTheFile:
    def test_what_left_the_file_is_reported_once_and_kept(self, room):
        room.load("# A\n- [ ] x\n- [ ] y\n")
        x = room.id_of("x")
        assert changed(room.load("# A\n- [ ] y\n")) == {"removed": (x,)}
        assert changed(room.load("# A\n- [ ] y\n")) == {}
        assert room.items[x].status == "todo"

    def test_what_returns_is_the_same_item(self, room):
        room.load("# A\n- [ ] x\n- [ ] y\n")
        room.load("# A\n- [ ] y\n")
        assert changed(room.load("# A\n- [x] x\n- [ ] y\n")) == {
            "updated": {room.id_of("x"): {"status": ("todo", "done")}}
        }

    def test_what_left_long_ago_is_not_taken_for_a_retitle(self, room):
        room.load("# A\n- [ ] x\n- [ ] y\n")
        room.load("# A\n- [ ] y\n")
        assert set(changed(room.load("# A\n- [ ] y\n- [ ] new\n"))) == {"added"}

    def test_cancel_removed_cancels_what_is_not_done_and_a_return_revives_it(self, room):
        room.load("# A\n- [ ] x\n- [x] y\n- [ ] z\n")
        x, y = room.id_of("x"), room.id_of("y")
        plan = room.load("# A\n- [ ] z\n", cancel_removed=True)
        assert changed(plan) == {"removed": (x, y), "updated": {x: {"status": ("todo", "cancelled")}}}
        assert changed(room.load("# A\n- [ ] z\n", cancel_removed=True)) == {}
        room.load("# A\n- [ ] x\n- [ ] z\n")
        assert room.items[x].status == "todo"

    def test_what_left_does_not_take_the_place_of_its_namesake(self, room):
        room.load("# A\n- [ ] x @ana\n- [ ] x @bob\n")
        room.load("# A\n- [ ] x @ana\n")
        text = "# A\n- [ ] z\n- [ ] w\n- [ ] x @ana\n"
        room.load(text)
        assert changed(room.load(text)) == {}

    def test_what_the_room_takes_up_again_is_not_cancelled_twice(self, room):
        room.load("# A\n- [ ] x\n- [ ] z\n")
        room.load("# A\n- [ ] z\n", cancel_removed=True)
        room.set(room.id_of("x"), status="in-progress")
        assert changed(room.load("# A\n- [ ] z\n", cancel_removed=True)) == {}

    def test_cancel_removed_reaches_what_left_with_an_earlier_import(self, room):
        room.load("# A\n- [ ] x\n- [ ] z\n")
        room.load("# A\n- [ ] z\n")
        room.load("# A\n- [ ] z\n", cancel_removed=True)
        assert room.get("x").status == "cancelled"


class TestRemovedInTheRoom:
    def test_it_stays_removed_while_the_file_still_holds_it(self, room):
        text = "# A\n- [ ] x\n- [ ] y\n"
        room.load(text)
        room.removed.add(room.id_of("x"))
        plan = room.load(text)
        assert (changed(plan), plan.unchanged, plan.warnings) == ({}, 2, ())

    def test_a_change_of_the_file_is_said_and_applied_once_it_is_restored(self, room):
        room.load("# A\n- [ ] x\n- [ ] y\n")
        x = room.id_of("x")
        room.removed.add(x)
        plan = room.load("# A\n- [x] x\n- [ ] y\n")
        assert changed(plan) == {}
        assert x in plan.warnings[0].text
        room.removed.clear()
        assert room.load("# A\n- [x] x\n- [ ] y\n").updated == {x: {"status": ("todo", "done")}}

    def test_new_items_below_it_hang_under_the_nearest_parent_that_is_left(self, room):
        room.load("# A\n## B\n- [ ] x\n")
        room.removed |= {room.id_of("B"), room.id_of("x")}
        text = "# A\n## B\n- [ ] x\n- [ ] y\n"
        room.load(text)
        assert room.get("y").parent == room.id_of("A")
        assert changed(room.load(text)) == {}

    def test_they_stand_where_it_stood(self, room):
        room.load("# A\n## B\n- [ ] x\n## C\n- [ ] y\n## D\n- [ ] z\n")
        a, b, c = (room.id_of(title) for title in ("A", "B", "C"))
        room.removed |= {c, room.id_of("y")}
        plan = room.load("# A\n## B\n- [ ] x\n## C\n- [ ] y\n- [ ] new\n- [ ] more\n## E\n- [ ] e\n## D\n- [ ] z\n")
        new, more, e = (room.id_of(title) for title in ("new", "more", "E"))
        assert [room.get(title).parent for title in ("new", "more", "E")] == [a, a, a]
        assert (plan.after[new], plan.after[more], plan.after[e]) == (b, new, more)

    def test_a_move_below_it_is_a_conflict(self, room):
        room.load("# A\n- [ ] x\n## B\n- [ ] y\n")
        a, b = room.id_of("A"), room.id_of("B")
        room.removed |= {b, room.id_of("y")}
        plan = room.load("# A\n## B\n- [ ] y\n- [ ] x\n")
        assert plan.conflicts == (Conflict(room.id_of("x"), "parent", a, b, a),)


class TestCircles:
    def test_moves_of_file_and_room_that_close_a_circle_are_a_conflict(self, room):
        room.load("# A\n- [ ] x\n- [ ] y\n")
        a, x, y = room.id_of("A"), room.id_of("x"), room.id_of("y")
        room.set(y, parent=x)
        plan = room.load("# A\n- [ ] y\n  - [ ] x\n")
        assert plan.conflicts == (Conflict(x, "parent", a, y, a),)
        assert room.roots_of(y) == [y, x, a]

    def test_a_circle_through_an_item_of_the_room_alone_is_seen(self, room):
        room.load("# A\n- [ ] x\n- [ ] y\n")
        a, x, y = room.id_of("A"), room.id_of("x"), room.id_of("y")
        room.set(y, parent="W90")
        parents = {"W90": x}
        plan = room.load("# A\n- [ ] y\n  - [ ] x\n", room_parents=parents)
        assert plan.conflicts == (Conflict(x, "parent", a, y, a),)

    def test_a_file_may_turn_parent_and_child_around(self, room):
        room.load("# A\n- [ ] x\n  - [ ] y\n")
        room.load("# A\n- [ ] y\n  - [ ] x\n")
        assert room.titles() == [("A", [("y", ["x"])])]


def test_titles_are_paired_by_the_words_they_share():
    olds = ["write the parser", "write the docs", "paint"]
    news = ["write all the docs", "the parser", "sing"]
    assert pair_by_words(olds, news) == [(1, 0), (0, 1)]
