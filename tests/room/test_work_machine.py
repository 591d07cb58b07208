"""Everything that changes work, in any order, between imports of a plan that changes too.

After each step the ledger makes the very tables, the tree is a tree, and nothing waits for itself.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any, TypeAlias

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from relay_tui.base.errors import RelayError
from relay_tui.base.times import MINUTE
from relay_tui.room.work import flatten, read_tree, view_item
from tests.actions.acting import act
from tests.repo.git_fixture import commit, make_repository
from tests.room_fixture import House

# What a command may answer instead of doing it; anything else is a fault.
EXPECTED = frozenset(("refused", "invalid", "unknown_item"))
PLAN = "PLAN.md"
FIRST_BOX = 3  # the line that it stands in
Boxes: TypeAlias = list[tuple[int, str, str, str]]

picks = st.integers(0, 30)
AMONG_ALL = 24  # from here on a pick may be what was removed
sides = st.sampled_from(["file", "room", ""])  # or let it stay open
statuses = st.sampled_from(["todo", "in-progress", "blocked", "review", "done", "cancelled"])
boxes = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from("abcde"), st.sampled_from(" x/-"), st.sampled_from(["", " @ana"])),
    max_size=6,
)


class Planners(RuleBasedStateMachine):
    """A room whose items are pushed about by hand and by a file."""

    repository = ""

    @initialize(first=boxes.filter(lambda lines: len(lines) > 1))
    def open_house(self, first: Boxes) -> None:
        self.folder = tempfile.mkdtemp(prefix="relay-work-machine-")
        self.house = House(self.folder, repository=self.repository)
        self.house.join("ana")
        self.lines: Boxes = []
        self.import_file(first)

    def teardown(self) -> None:
        self.house.room.store.close()
        shutil.rmtree(self.folder)

    def attempt(self, line: str) -> Any:
        """The answer, or None where the room refused; a refusal leaves no event."""
        self.house.clock.advance(MINUTE)
        before = self.house.rows("SELECT count(*) FROM events")
        try:
            return act(self.house.room, "ana", f"work {line}")
        except RelayError as refused:
            assert refused.code in EXPECTED, refused
            assert self.house.rows("SELECT count(*) FROM events") == before
            return None

    def item(self, pick: int) -> str:
        """Mostly what is there, else any item that ever was; one that never was where there is none."""
        every = [item for (item,) in self.house.rows("SELECT id FROM items ORDER BY id")]
        found = every if pick >= AMONG_ALL else sorted(self.live()) or every
        return found[pick % len(found)] if found else "W99"

    def live(self) -> dict[str, str | None]:
        return dict(self.house.rows("SELECT id, parent FROM items WHERE removed_at IS NULL"))

    @rule(pick=picks, at_top=st.booleans(), blocks=st.booleans(), other=picks)
    def add(self, pick: int, at_top: bool, blocks: bool, other: int) -> None:
        below = "" if at_top else f" --parent {self.item(pick)}"
        self.attempt(f"add --title own{below}" + f" --blocks {self.item(other)}" * blocks)

    @rule(pick=picks, status=statuses, owner=st.sampled_from(["ana", "bob"]))
    def set(self, pick: int, status: str, owner: str) -> None:
        self.attempt(f"set {self.item(pick)} --status {status} --owner {owner}")

    @rule(pick=picks, other=picks, option=st.sampled_from(["--blocks", "--blocked-by"]))
    def make_wait(self, pick: int, other: int, option: str) -> None:
        self.attempt(f"set {self.item(pick)} {option} {self.item(other)}")

    @rule(pick=picks, parent=picks, sibling=picks, how=st.sampled_from(["parent", "root", "before", "after"]))
    def move(self, pick: int, parent: int, sibling: int, how: str) -> None:
        where = {
            "parent": f"--parent {self.item(parent)}", "root": "--root",
            "before": f"--before {self.item(sibling)}", "after": f"--after {self.item(sibling)}",
        }[how]  # fmt: skip
        done = self.attempt(f"move {self.item(pick)} {where}")
        if done is not None and how in ("before", "after"):
            order = self.siblings_of(done.item.id)
            assert abs(order.index(done.item.id) - order.index(self.item(sibling))) == 1

    def siblings_of(self, item: str) -> list[str]:
        sql = "SELECT id FROM items WHERE parent IS ? AND removed_at IS NULL ORDER BY place, id"
        return [one for (one,) in self.house.rows(sql, self.live()[item])]

    @rule(pick=picks, recursive=st.booleans())
    def remove(self, pick: int, recursive: bool) -> None:
        item = self.item(pick)
        before = self.house.rows("SELECT id, place, parent, title, blocked_by FROM items WHERE removed_at IS NULL")
        done = self.attempt(f"remove {item}" + " --recursive" * recursive)
        if done is not None:
            assert not set(done.removed) & self.live().keys()
            assert [self.attempt(f"restore {below}") for below in done.removed[1:]] == [None] * (len(done.removed) - 1)
            assert sorted(self.attempt(f"restore {item}").restored) == sorted(done.removed)
            after = self.house.rows("SELECT id, place, parent, title, blocked_by FROM items WHERE removed_at IS NULL")
            assert after == before
            self.attempt(f"remove {item}" + " --recursive" * recursive)

    @rule(pick=picks)
    def restore(self, pick: int) -> None:
        removed = self.house.rows("SELECT id FROM items WHERE removed_at IS NOT NULL ORDER BY id")
        self.attempt(f"restore {removed[pick % len(removed)][0] if removed else self.item(pick)}")

    @rule(lines=boxes, prefer=st.sampled_from(["", "", "--prefer file", "--prefer room", "--cancel-removed"]))
    def import_file(self, lines: Boxes, prefer: str = "") -> None:
        self.lines = lines
        depth, text = -1, "# Plan\n\n"
        for wanted, title, mark, owner in lines:
            depth = min(wanted, depth + 1)
            text += f"{'  ' * depth}- [{mark}] {title}{owner}\n"
        Path(self.repository, PLAN).write_text(text, encoding="utf-8")
        assert self.attempt(f"import --file {PLAN} {prefer}") is not None

    @rule(pick=picks, mark=st.sampled_from("x/"), status=st.sampled_from(["blocked", "review"]), side=sides)
    def let_file_and_room_disagree(self, pick: int, mark: str, status: str, side: str) -> None:
        if self.lines:
            at = pick % len(self.lines)
            for (item,) in self.house.rows("SELECT item FROM plan_items WHERE gone = 0 AND line = ?", at + FIRST_BOX):
                self.attempt(f"set {item} --status {status}")
            depth, title, _, owner = self.lines[at]
            self.import_file([*self.lines[:at], (depth, title, mark, owner), *self.lines[at + 1 :]])
            self.settle_one(pick, side)

    @rule(pick=picks, side=sides)
    def settle_one(self, pick: int, side: str) -> None:
        """What one import reported and was settled is in no later report."""
        reported = self.reported()
        if reported and side:
            item, field = reported[pick % len(reported)]
            if self.attempt(f"resolve {item} {field} {side}") is not None:
                assert (item, field) not in self.reported()

    def reported(self) -> list[tuple[str, str]]:
        return [(one.id, one.field) for one in self.attempt(f"import --file {PLAN}").conflicts]

    @rule()
    def what_is_shown_as_open_is_what_an_import_reports(self) -> None:
        reported = self.reported()
        shown = [
            (item, one.field) for item in self.live()
            for one in act(self.house.room, None, f"work show {item}").conflicts
        ]  # fmt: skip
        assert sorted(shown) == sorted(reported)

    @invariant()
    def the_ledger_holds_and_makes_the_tables(self) -> None:
        self.house.assert_whole()

    @invariant()
    def the_tree_is_a_tree_of_what_is_there(self) -> None:
        live = self.live()
        for item, parent in live.items():
            above = {item}
            while parent is not None:
                assert parent in live and parent not in above
                above.add(parent)
                parent = live[parent]

    @invariant()
    def one_item_is_what_it_is_in_the_tree(self) -> None:
        with self.house.room.reading() as db:
            for item in flatten(read_tree(self.house.room).items):
                assert view_item(db, self.house.room.row.key, item.id) == item._replace(children=[])

    @invariant()
    def nothing_waits_for_itself(self) -> None:
        sql = "SELECT i.id, b.value FROM items AS i, json_each(i.blocked_by) AS b WHERE i.removed_at IS NULL"
        left = {item: set[str]() for item in self.live()}
        for item, blocker in self.house.rows(sql):
            if blocker in left:
                left[item].add(blocker)
        while free := [item for item, blockers in left.items() if not blockers & left.keys()]:
            for item in free:
                del left[item]
        assert not left

    @invariant()
    def every_open_item_is_next_or_says_why_not(self) -> None:
        found = act(self.house.room, "ana", "work next --limit 1000")
        told = [item.id for item in found.items] + [one.id for one in found.excluded]
        assert len(told) == len(set(told))
        assert set(told) <= self.live().keys()
        assert all(one.reasons for one in found.excluded)


def test_work_changed_in_any_order(tmp_path_factory: Any) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    Planners.repository = make_repository(str(tmp_path_factory.mktemp("work-machine") / "repo"))
    commit(Planners.repository, "first", {"README.md": "a\n"})
    run_state_machine_as_test(
        Planners,
        settings=settings(
            max_examples=30, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
