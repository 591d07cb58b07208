"""`work import --mark` and `--switch`: markers in the file, and one plan on two branches."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from relay_tui.actions.perform import open_room
from relay_tui.cli.texts.plans import import_plan as told_import
from relay_tui.room.store import Store
from tests.actions.acting import act, refused
from tests.actions.plan_files.planning import changes_nothing, every_row, items, load, make_house, put, say
from tests.repo.git_fixture import add_worktree, commit, git, isolate_git
from tests.room_fixture import House

PLAN = "# Plan\n\n## One\n\n- [ ] a\n- [ ] b\n  - [ ] b1\n"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    return make_house(str(tmp_path))


def content(house: House) -> bytes:
    return Path(house.repository, "PLAN.md").read_bytes()


class TestMarkers:
    def test_each_item_gets_one_behind_its_title_and_no_other_byte_changes(self, house: House) -> None:
        odd = "\ufeff# Plan #\r\n\r\n- [ ] a  \r\n\t\r\n* [X] b\t\r```\n- [ ] d\n```\n+ [ ] e".encode()
        done = load(house, odd, "--mark")
        ids = {title: item.id for title, item in items(house).items()}
        assert done.marked_lines == (1, 3, 5, 9)
        marked = odd
        for text, title in ((b"# Plan", "Plan"), (b"[ ] a", "a"), (b"[X] b", "b"), (b"[ ] e", "e")):
            marked = marked.replace(text, text + f" <!-- relay:{ids[title]} -->".encode())
        assert content(house) == marked
        assert "  marked     lines 1, 3, 5, 9" in list(told_import(done, 0))

    def test_the_next_import_finds_nothing_new_and_writes_nothing(self, house: House) -> None:
        load(house, PLAN, "--mark")
        marked, rows = content(house), every_row(house)
        again = act(house.room, "operator", "work import --file PLAN.md --mark")
        assert (changes_nothing(again), again.marked_lines, again.conflicts) == (True, (), [])
        assert (content(house), every_row(house)) == (marked, rows)
        house.assert_whole()

    def test_a_file_that_was_imported_before_is_marked_without_a_change_of_its_own(self, house: House) -> None:
        load(house, PLAN)
        done = act(house.room, "operator", "work import --file PLAN.md --mark")
        assert (changes_nothing(done), len(done.marked_lines)) == (True, 5)

    def test_a_copy_gets_markers_of_its_own_in_place_of_those_that_came_along(self, house: House) -> None:
        load(house, PLAN, "--mark")
        put(house, content(house).replace(b"] b1", b"] `<!-- relay:W5 -->` b1"), "COPY.md")
        done = act(house.room, "operator", "work import --file COPY.md --mark")
        assert (len(done.added), len(done.warnings), len(done.marked_lines)) == (5, 5, 5)
        copied = Path(house.repository, "COPY.md").read_text().replace("`<!-- relay:W5 -->` ", "")
        ids = dict(zip(["W1", "W2", "W3", "W4", "W5"], [item.id for item in done.added], strict=True))
        expected = content(house).decode()
        for old, new in ids.items():
            expected = expected.replace(f"relay:{old} ", f"relay:{new} ")
        assert copied == expected
        again = act(house.room, "operator", "work import --file COPY.md --mark")
        assert (changes_nothing(again), again.warnings, again.marked_lines) == (True, [], ())

    def test_an_item_is_known_whatever_becomes_of_its_line(self, house: House) -> None:
        load(house, PLAN, "--mark")
        b1 = items(house)["b1"].id
        lines = content(house).decode().splitlines(keepends=True)
        moved = [*lines[:4], lines[6].lstrip().replace("b1", "something else"), *lines[4:6]]
        done = load(house, "".join(moved))
        assert [one.id for one in done.retitled] == [b1]
        assert (done.added, done.removed) == ([], [])

    def test_a_room_status_in_the_same_file_is_left_to_the_export(self, house: House) -> None:
        load(house, PLAN)
        say(house, "a", "--status done")
        act(house.room, "operator", "work import --file PLAN.md --mark")
        assert b"- [ ] a <!--" in content(house)
        assert act(house.room, "operator", "work export").changed_lines == [5]

    def test_a_dry_run_names_the_lines_and_writes_nothing(self, house: House) -> None:
        put(house, PLAN)
        rows = every_row(house)
        trial = act(house.enter(house.repository, dry_run=True), "operator", "work import --file PLAN.md --mark")
        assert (trial.marked_lines, content(house).decode(), every_row(house)) == ((1, 3, 5, 6, 7), PLAN, rows)
        done = act(house.room, "operator", "work import --file PLAN.md --mark")
        assert done == trial._replace(dry_run=False)

    def test_a_file_that_changes_meanwhile_is_left_alone_and_the_import_stays(self, house: House) -> None:
        put(house, PLAN)
        edited = PLAN + "- [ ] typed meanwhile\n"

        def edit_and_tell_the_time() -> int:
            """The import asks for the time while it writes, which is after it read the file."""
            put(house, edited)
            return house.clock()

        room = open_room(Store(house.home), house.repository, None, clock=edit_and_tell_the_time, new_id=house.new_id)
        fault = refused(room, "operator", "work import --file PLAN.md --mark")
        assert (fault.code, "import is done" in fault.message) == ("edit_conflict", True)
        assert "work import --file PLAN.md" in fault.hint
        assert content(house).decode() == edited
        assert set(items(house)) == {"Plan", "One", "a", "b", "b1"}
        house.assert_whole()
        act(house.room, "operator", "work import --file PLAN.md --mark")
        assert content(house).count(b"<!-- relay:") == 6

    @pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
    def test_a_folder_that_may_not_be_written_keeps_the_import(self, house: House) -> None:
        put(house, PLAN)
        os.chmod(house.repository, 0o500)
        try:
            fault = refused(house.room, "operator", "work import --file PLAN.md --mark")
        finally:
            os.chmod(house.repository, 0o700)
        assert (fault.code, "import is done" in fault.message) == ("storage", True)
        assert len(items(house)) == 5


class TestTwoWorktrees:
    @pytest.fixture
    def side(self, house: House) -> str:
        """A second worktree with the plan of another branch; the first was read at `first`."""
        put(house, PLAN)
        commit(house.repository, "plan", {})
        act(house.room, "operator", "work import --file PLAN.md")
        path = add_worktree(house.repository, f"{house.folder}/side", "feat/side")
        Path(path, "PLAN.md").write_text(PLAN.replace("[ ] b\n", "[x] b\n") + "- [ ] d\n")
        return path

    def test_the_other_branchs_plan_is_refused_with_where_it_was_read_and_the_way_out(
        self, house: House, side: str
    ) -> None:
        first = git(house.repository, "rev-parse", "HEAD").strip()
        rows = every_row(house)
        fault = refused(house.enter(side), "operator", "work import --file PLAN.md")
        assert fault.code == "refused"
        assert house.repository in fault.message
        assert side in fault.message
        assert first[:12] in fault.message
        assert "--switch" in fault.hint
        assert (fault.details["worktree"], fault.details["commit"]) == (house.repository, first)
        assert every_row(house) == rows

    def test_the_same_bytes_of_another_worktree_are_refused_as_well(self, house: House, side: str) -> None:
        Path(side, "PLAN.md").write_text(PLAN)
        assert refused(house.enter(side), "operator", "work import --file PLAN.md").code == "refused"

    def test_a_path_into_the_other_worktree_is_the_same_plan(self, house: House, side: str) -> None:
        assert refused(house.room, "operator", f"work import --file {side}/PLAN.md").code == "refused"

    def test_switching_takes_it_as_the_next_version_of_the_same_plan(self, house: House, side: str) -> None:
        say(house, "a", "--status blocked")
        first = git(house.repository, "rev-parse", "HEAD").strip()
        done = act(house.enter(side), "operator", "work import --file PLAN.md --switch")
        assert [item.title for item in done.added] == ["d"]
        assert [one.changes for one in done.updated] == [{"status": ["todo", "done"]}]
        assert items(house)["a"].status == "blocked"
        assert (done.switched, done.last_read.worktree, done.last_read.commit) == (True, house.repository, first)
        assert f"  switched   from {house.repository} at commit {first[:12]}" in list(told_import(done, 0))
        assert refused(house.room, "operator", "work import --file PLAN.md").code == "refused"
        again = act(house.enter(side), "operator", "work import --file PLAN.md")
        assert (changes_nothing(again), again.switched) == (True, False)
        house.assert_whole()

    def test_switching_with_the_same_bytes_only_remembers_the_worktree(self, house: House, side: str) -> None:
        Path(side, "PLAN.md").write_text(PLAN)
        assert changes_nothing(act(house.enter(side), "operator", "work import --file PLAN.md --switch"))
        assert act(house.enter(side), "operator", "work import --file PLAN.md").last_read.worktree == side

    def test_a_dry_run_shows_what_switching_would_do(self, house: House, side: str) -> None:
        rows = every_row(house)
        room = house.enter(side, dry_run=True)
        assert refused(room, "operator", "work import --file PLAN.md").code == "refused"
        trial = act(room, "operator", "work import --file PLAN.md --switch")
        assert ([item.title for item in trial.added], every_row(house)) == (["d"], rows)

    def test_a_plan_of_an_older_relay_names_no_commit(self, house: House, side: str) -> None:
        """Its events said nothing of the commit, nor of what the file held besides its items."""
        with house.room.store.writing() as db:
            db.execute("UPDATE plans SET head = NULL, reading = NULL")
        fault = refused(house.enter(side), "operator", "work import --file PLAN.md")
        assert (" at commit" in fault.message, fault.details["commit"]) == (False, None)
        assert changes_nothing(act(house.room, "operator", "work import --file PLAN.md"))
        done = act(house.enter(side), "operator", "work import --file PLAN.md --switch")
        assert [item.title for item in done.added] == ["d"]

    def test_outside_of_a_repository_there_is_no_worktree_to_mind(self, tmp_path: Path) -> None:
        folder = str(tmp_path / "plain")
        os.makedirs(f"{folder}/below")
        house = House(str(tmp_path / "else"))
        act(house.enter(folder), "operator", "init")
        Path(folder, "PLAN.md").write_text(PLAN)
        room = house.enter(folder)
        assert len(act(room, "operator", "work import --file PLAN.md").added) == 5
        below = house.enter(f"{folder}/below")
        done = act(below, "operator", "work import --file ../PLAN.md")
        assert (done.file, changes_nothing(done), done.last_read.worktree) == ("PLAN.md", True, None)
        act(below, "operator", f"work set {done.unchanged and 'W3'} --status done")
        assert act(below, "operator", "work export").changed_lines == [5]
