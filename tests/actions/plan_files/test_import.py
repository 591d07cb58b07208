"""`work import` into a real room: what is written and what is not, three values, bad files, many at once."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from relay_tui.cli.output import to_json
from relay_tui.cli.texts.plans import import_plan as told_import
from relay_tui.roadmap.changes import Fields
from relay_tui.roadmap.model import Choices
from relay_tui.roadmap.reader import read_roadmap
from relay_tui.room import plans_fold
from relay_tui.room.work import flatten
from tests.actions.acting import act, refused
from tests.actions.plan_files.planning import changes_nothing, every_row, items, load, make_house, put, say
from tests.cli.conftest import PROJECT
from tests.repo.git_fixture import add_worktree, isolate_git
from tests.room_fixture import House

PLAN = "# Plan\n\n## One\n\n- [ ] a\n- [ ] b\n  - [ ] b1\n- [ ] c\n"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    return make_house(str(tmp_path))


class TestWhatIsWritten:
    def test_the_same_bytes_write_no_event_at_all(self, house: House) -> None:
        load(house, PLAN)
        before = every_row(house)
        assert changes_nothing(load(house, PLAN))
        assert every_row(house) == before

    def test_one_changed_box_writes_one_item(self, house: House) -> None:
        load(house, PLAN)
        before = dict(house.rows("SELECT id, revision FROM items"))
        done = load(house, PLAN.replace("[ ] b1", "[x] b1"))
        after = dict(house.rows("SELECT id, revision FROM items"))
        changed = [item for item in after if after[item] != before[item]]
        assert changed == [items(house)["b1"].id] == [update.id for update in done.updated]
        assert after[changed[0]] == 2
        data = house.events("work.imported")[-1].data
        assert data["changed"] == {changed[0]: {"status": "done"}}
        assert (data["added"], data["places"], list(data["remembered"]), data["lines"]) == ([], {}, changed, {})

    def test_what_the_file_says_of_an_item_is_written_once(self, house: House) -> None:
        load(house, PLAN)
        new = house.events("work.imported")[-1].data
        assert {item["id"] for item in new["added"]} == set(new["remembered"])
        assert {member for kept in new["remembered"].values() for member in kept} == {"place", "line", "gone"}
        load(house, PLAN.replace("[ ] b1", "[x] b1"))
        (kept,) = house.events("work.imported")[-1].data["remembered"].values()
        assert kept["seen"]["status"] == "done"
        assert "base" not in kept
        house.assert_whole()

    def test_the_room_and_the_plan_name_the_same_fields(self) -> None:
        assert Fields._fields == plans_fold.FIELDS

    def test_a_line_put_on_top_changes_no_item_and_moves_every_source(self, house: House) -> None:
        load(house, PLAN)
        before = house.rows("SELECT * FROM items ORDER BY id")
        assert items(house)["b1"].source == ("PLAN.md", 7)
        assert changes_nothing(load(house, f"\n\n{PLAN}"))
        assert house.rows("SELECT * FROM items ORDER BY id") == before
        assert items(house)["b1"].source == ("PLAN.md", 9)
        house.assert_whole()

    def test_an_import_is_one_event(self, house: House) -> None:
        load(house, PLAN)
        kinds = [event.kind for event in house.events("work")]
        assert kinds == ["work.imported"]

    def test_a_dry_run_tells_the_same_plan_and_writes_nothing(self, house: House) -> None:
        load(house, PLAN)
        changed = PLAN.replace("- [ ] a", "- [x] a2").replace("- [ ] c\n", "- [ ] new\n- [ ] c @bob\n")
        put(house, changed)
        before = every_row(house)
        trial = act(house.enter(house.repository, dry_run=True), "operator", "work import --file PLAN.md")
        assert trial.dry_run
        assert not changes_nothing(trial)
        assert every_row(house) == before
        assert load(house, changed) == trial._replace(dry_run=False)

    def test_a_dry_run_makes_no_room(self, tmp_path: Path) -> None:
        house = House(str(tmp_path / "fresh"))
        put(house, PLAN)
        trial = act(house.enter(house.repository, dry_run=True), "operator", "work import --file PLAN.md")
        assert [item.title for item in trial.added] == ["Plan", "One", "a", "b", "b1", "c"]
        assert not os.path.exists(house.home)

    def test_the_first_write_of_a_repository_may_be_an_import(self, tmp_path: Path) -> None:
        house = House(str(tmp_path / "fresh"))
        assert len(load(house, PLAN).added) == 6
        house.assert_whole()


class TestThreeWays:
    def test_what_the_room_made_is_never_moved(self, house: House) -> None:
        act(house.room, "operator", "work add --title loose")
        load(house, PLAN)
        one = items(house)["One"].id
        act(house.room, "operator", f"work add --parent {one} --title 'from the room'")
        load(house, PLAN.replace("- [ ] a\n", "- [ ] first\n- [ ] a\n"))
        tree = act(house.room, None, "work tree").items
        assert [item.title for item in tree] == ["loose", "Plan"]
        assert [item.title for item in tree[1].children[0].children] == ["first", "a", "b", "c", "from the room"]
        assert items(house)["from the room"].source is None
        house.assert_whole()

    def test_a_new_plan_comes_behind_what_is_there(self, house: House) -> None:
        load(house, "# Last plan\n\n- [ ] a\n")
        act(house.room, "operator", "work add --title loose")
        before = house.rows("SELECT id, place, revision FROM items ORDER BY id")
        put(house, PLAN, "NEXT.md")
        act(house.room, "operator", "work import --file NEXT.md")
        assert [item.title for item in act(house.room, None, "work tree").items] == ["Last plan", "loose", "Plan"]
        assert house.rows("SELECT id, place, revision FROM items ORDER BY id")[: len(before)] == before

    def test_what_left_the_file_is_reported_once_and_kept(self, house: House) -> None:
        load(house, PLAN)
        gone = items(house)["c"].id
        shorter = PLAN.replace("- [ ] c\n", "")
        assert load(house, shorter).removed == [gone]
        assert items(house)["c"].status == "todo"
        assert items(house)["c"].source is None
        assert load(house, shorter).removed == []
        assert load(house, PLAN).added == []  # it came back as what it was
        house.assert_whole()

    def test_what_left_the_file_is_cancelled_where_that_is_asked_for(self, house: House) -> None:
        load(house, PLAN)
        done = load(house, PLAN.replace("- [ ] c\n", ""), "--cancel-removed")
        assert done.removed == [items(house)["c"].id]
        assert items(house)["c"].status == "cancelled"

    def test_a_box_moved_under_another_heading_is_a_move(self, house: House) -> None:
        load(house, "# Plan\n\n## One\n\n- [ ] a\n- [ ] b\n\n## Two\n\n- [ ] c\n")
        known = items(house)
        say(house, "a", "--owner ana")
        done = load(house, "# Plan\n\n## One\n\n- [ ] b\n\n## Two\n\n- [ ] c\n- [ ] a\n")
        assert [tuple(move) for move in done.moved] == [(known["a"].id, known["One"].id, known["Two"].id)]
        assert (items(house)["a"].id, items(house)["a"].owner) == (known["a"].id, "ana")
        assert [item.title for item in act(house.room, None, f"work tree {known['Two'].id}").items[0].children] == [
            "c", "a",
        ]  # fmt: skip
        assert to_json(done)["moved"] == [{"id": known["a"].id, "from": known["One"].id, "to": known["Two"].id}]
        house.assert_whole()

    def test_choices_are_remembered_for_the_file(self, house: House) -> None:
        plan = "# Plan\n\n- [ ] box\n\n## More\n\n- bullet\n"
        first = load(house, plan)
        assert [(aside.kind, aside.lines) for aside in first.left_aside] == [("bullets", [7]), ("section", [5])]
        assert "bullet" in [item.title for item in load(house, plan, "--bullets").added]
        again = load(house, plan)
        assert (changes_nothing(again), again.removed) == (True, [])

    def test_two_files_are_two_plans(self, house: House) -> None:
        load(house, PLAN)
        put(house, PLAN, "OTHER.md")
        assert len(act(house.room, "operator", "work import --file OTHER.md").added) == 6
        assert changes_nothing(load(house, PLAN))
        assert {item.source.file for item in flatten(act(house.room, None, "work tree").items)} == {
            "PLAN.md", "OTHER.md",
        }  # fmt: skip

    def test_a_file_is_known_by_its_path_from_the_top_wherever_it_is_typed(self, house: House) -> None:
        load(house, PLAN)
        os.mkdir(f"{house.repository}/src")
        done = act(house.enter(f"{house.repository}/src"), "operator", "work import --file ../PLAN.md")
        assert (done.file, changes_nothing(done)) == ("PLAN.md", True)
        side = add_worktree(house.repository, f"{house.folder}/side", "feat/side")
        Path(side, "PLAN.md").write_text(PLAN.replace("[ ] a", "[x] a"))
        done = act(house.enter(side), "operator", "work import --file PLAN.md --switch")
        assert [update.changes for update in done.updated] == [{"status": ["todo", "done"]}]

    @pytest.mark.parametrize("options", ["", "--mark"])
    def test_a_plan_whose_file_was_moved_goes_on_only_where_it_is_told_to(self, house: House, options: str) -> None:
        load(house, PLAN, options)
        say(house, "b", "--owner ana")
        before, known = every_row(house), items(house)
        os.mkdir(f"{house.repository}/docs")
        moved = Path(house.repository, "PLAN.md").rename(Path(house.repository, "docs", "ROADMAP.md"))
        moved.write_text(moved.read_text().replace("[ ] a", "[x] a").replace("] c", "] c, retitled"))
        fault = refused(house.room, "operator", "work import --file docs/ROADMAP.md")
        assert (fault.code, fault.details["file"], every_row(house)) == ("refused", "PLAN.md", before)
        assert "--switch" in fault.hint and f"work remove {known['Plan'].id} --recursive" in fault.hint
        done = act(house.room, "operator", "work import --file docs/ROADMAP.md --switch")
        assert (done.added, done.removed, done.moved_from) == ([], [], "PLAN.md")
        found = items(house)
        assert (found["a"].status, found["b"].owner, found["c, retitled"].id) == ("done", "ana", known["c"].id)
        assert {item.source.file for item in found.values() if item.source} == {"docs/ROADMAP.md"}
        assert changes_nothing(act(house.room, "operator", "work import --file docs/ROADMAP.md"))
        say(house, "b", "--status done")
        assert act(house.room, "operator", "work export").changed_lines == [6]
        house.assert_whole()

    def test_of_a_plan_whose_file_is_gone_a_file_with_other_items_or_of_removed_ones_is_another(
        self, house: House
    ) -> None:
        load(house, PLAN)
        os.rename(f"{house.repository}/PLAN.md", f"{house.repository}/NEXT.md")
        put(house, "# Plan\n\n- [ ] x\n- [ ] y\n", "OTHER.md")
        assert len(act(house.room, "operator", "work import --file OTHER.md").added) == 3
        act(house.room, "operator", f"work remove {items(house)['b'].parent} --recursive")
        act(house.room, "operator", "work remove W1")
        assert len(act(house.room, "operator", "work import --file NEXT.md").added) == 6

    def test_a_moved_plan_of_another_worktree_is_not_taken_for_a_new_one(self, house: House) -> None:
        load(house, PLAN)
        side = add_worktree(house.repository, f"{house.folder}/side", "feat/side")
        Path(side, "ROADMAP.md").write_text(PLAN)
        assert refused(house.enter(side), "operator", "work import --file ROADMAP.md").code == "refused"

    def test_a_marker_of_an_id_that_is_taken_by_nobody_makes_that_item(self, house: House) -> None:
        done = load(house, "# Plan\n\n- [ ] a <!-- relay:W40 -->\n- [ ] b\n")
        assert items(house)["a"].id == "W40"
        assert len({item.id for item in done.added}) == 3
        assert act(house.room, "operator", "work add --title next").item.id == "W41"
        house.assert_whole()


class TestFilesThatAreNoPlan:
    @pytest.mark.parametrize(
        ("content", "code"),
        [(None, "no_file"), (b"\0\x01\x02" * 99, "invalid"), (b"- [ ] \xff\xfe\n", "invalid"), (20 << 20, "too_large")],
        ids=["missing", "binary", "not UTF-8", "20 MB"],
    )
    def test_is_refused_and_nothing_is_lost(self, house: House, content: Any, code: str) -> None:
        load(house, PLAN)
        before = every_row(house)
        path = f"{house.repository}/PLAN.md"
        if content is None:
            os.remove(path)
        elif isinstance(content, int):
            os.truncate(path, content)
        else:
            put(house, content)
        fault = refused(house.room, "operator", "work import --file PLAN.md")
        assert fault.code == code
        assert "PLAN.md" in fault.message
        assert fault.hint
        assert every_row(house) == before

    def test_a_folder_is_no_file(self, house: House) -> None:
        os.mkdir(f"{house.repository}/docs")
        fault = refused(house.room, "operator", "work import --file docs")
        assert (fault.code, fault.message) == ("no_file", "docs cannot be read (it is no plain file).")

    @pytest.mark.parametrize("content", [b"", b"Prose.\n\n- bullet\n"])
    def test_of_a_file_without_items_it_says_so(self, house: House, content: bytes) -> None:
        done = load(house, content)
        assert (done.added, done.unchanged) == ([], 0)
        assert next(iter(told_import(done, 0))) == "PLAN.md: no heading and no checkbox stands in it."
        assert next(iter(told_import(load(house, content), 0))) == "PLAN.md: nothing changed."

    def test_emptying_a_plan_keeps_what_it_made(self, house: House) -> None:
        load(house, PLAN)
        assert len(load(house, b"").removed) == 6
        assert len(items(house)) == 6

    def test_a_stranger_cannot_import(self, house: House) -> None:
        put(house, PLAN)
        assert refused(house.room, "stranger", "work import --file PLAN.md").code == "unknown_agent"
        assert items(house) == {}


WORDS = ("build", "parser", "tests", "same", "same")
plans = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(WORDS), st.sampled_from(" x")), max_size=7)
acts = st.lists(st.tuples(st.sampled_from(("add", "done", "blocked")), st.integers(0, 9)), max_size=3)


def print_plan(boxes: list[tuple[int, str, str]]) -> str:
    """A plan of boxes, none more than one level below the box before."""
    lines, before = ["# Plan", ""], -1
    for depth, title, mark in boxes:
        before = min(depth, before + 1)
        lines.append(f"{'  ' * before}- [{mark}] {title}")
    return "\n".join(lines) + "\n"


def nested(items: Any, is_shown: Callable[[Any], bool] = lambda item: True) -> list[Any]:
    return [(item.title, nested(item.children, is_shown)) for item in items if is_shown(item)]


def test_however_file_and_room_change_the_order_is_the_files_and_nothing_of_the_rooms_is_lost(house: House) -> None:
    numbers = count()

    @settings(deadline=None, max_examples=12, phases=[Phase.generate])
    @given(st.lists(st.tuples(plans, acts), min_size=2, max_size=4))
    def check(script: list[tuple[list[tuple[int, str, str]], list[tuple[str, int]]]]) -> None:
        name = f"PLAN-{next(numbers)}.md"
        made: set[str] = set()
        blocked: set[str] = set()  # no box of these plans says so, so no import may take it away
        for boxes, done_in_room in script:
            text = print_plan(boxes)
            put(house, text, name)
            act(house.room, "operator", f"work import --file {name}")
            tree = act(house.room, None, "work tree").items
            from_file = nested(tree, lambda item: item.source is not None and item.source.file == name)
            assert from_file == nested(read_roadmap(text.encode(), name=name, choices=Choices()).nodes)
            room = {item.id: item for item in flatten(tree)}
            assert made <= set(room)
            assert {room[item].status for item in blocked} <= {"blocked"}
            events = len(house.events("work"))
            assert changes_nothing(act(house.room, "operator", f"work import --file {name}"))
            assert len(house.events("work")) == events
            mine = [item.id for item in room.values() if item.source and item.source.file == name]
            for verb, at in done_in_room if mine else ():
                target = mine[at % len(mine)]
                if verb == "add":
                    made.add(act(house.room, "operator", f"work add --title own --parent {target}").item.id)
                else:
                    act(house.room, "operator", f"work set {target} --status {verb}")
                    blocked = blocked | {target} if verb == "blocked" else blocked - {target}

    check()
    house.assert_whole()


def start(house: House, line: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "RELAY_HOME": house.home, "PYTHONPATH": PROJECT}
    return subprocess.Popen(
        [sys.executable, "-m", "relay_tui", *shlex.split(line), "--as", "operator"],
        cwd=house.repository, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip


def test_twenty_at_once_during_an_import_lose_nothing(house: House) -> None:
    titles = [f"task {number:02}" for number in range(20)]
    load(house, "# Plan\n\n" + "".join(f"- [ ] {title}\n" for title in titles))
    ids = {title: item.id for title, item in items(house).items()}
    put(house, "# Plan\n\n" + "".join(f"- [ ] {title} @ana\n" for title in titles) + "- [ ] new\n")
    settings = [start(house, f"work set {ids[title]} --status done") for title in titles]
    settings.insert(10, start(house, "work import --file PLAN.md"))
    for process in settings:
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors.decode()) == (0, "")
    room = items(house)
    assert {(room[title].status, room[title].owner) for title in titles} == {("done", "ana")}
    assert room["new"].status == "todo"
    assert len(house.events("work.changed")) == 20
    house.assert_whole()
