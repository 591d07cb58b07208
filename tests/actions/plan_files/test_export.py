"""`work export`: what is written into the file, what is not, and what is remembered of it."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from relay_tui.actions.plan_files import exporting
from relay_tui.actions.plan_files.files import locate
from relay_tui.actions.plan_files.replacement import Replacement
from tests.actions.acting import act, refused
from tests.actions.plan_files.planning import changes_nothing, every_row, items, load, make_house, put, say
from tests.cli.conftest import PROJECT
from tests.repo.git_fixture import add_worktree, isolate_git
from tests.room_fixture import House, refusal

PLAN = "# Plan\n\n## One\n\n- [ ] a\n- [ ] b\n  - [ ] b1\n- [~] c\n"
ODD = "\ufeff# Plan  \r\n\r\n- [ ] a  \r\n\t\r\n* [X] b\t\r- [~] c\n```\n- [ ] d\n```\n+ [ ] e".encode()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    return make_house(str(tmp_path))


def content(house: House, name: str = "PLAN.md") -> bytes:
    return Path(house.repository, name).read_bytes()


def export(house: House, options: str = "") -> Any:
    return act(house.room, "operator", f"work export {options}")


def facts(path: str) -> tuple[int, int, int]:
    found = os.stat(path)
    return found.st_ino, found.st_mtime_ns, found.st_mode


class TestBoxes:
    def test_a_status_is_written_into_its_box_and_no_other_byte_changes(self, house: House) -> None:
        load(house, ODD)
        say(house, "a", "--status blocked")
        say(house, "e", "--status done")
        done = export(house)
        assert (done.file, done.changed_lines, done.doubts) == ("PLAN.md", [3, 10], [])
        assert content(house) == ODD.replace(b"[ ] a", b"[!] a").replace(b"[ ] e", b"[x] e")

    def test_a_file_that_says_what_the_room_says_is_not_written_at_all(self, house: House) -> None:
        load(house, ODD)
        before, rows = facts(f"{house.repository}/PLAN.md"), every_row(house)
        assert export(house, "--file PLAN.md").changed_lines == []
        assert (content(house), facts(f"{house.repository}/PLAN.md"), every_row(house)) == (ODD, before, rows)

    def test_another_spelling_of_the_same_status_stays(self, house: House) -> None:
        load(house, PLAN)
        say(house, "c", "--status done")
        say(house, "c", "--status in-progress")
        assert export(house).changed_lines == []

    def test_the_next_import_finds_nothing_new(self, house: House) -> None:
        load(house, PLAN)
        say(house, "b1", "--status done")
        export(house)
        before = every_row(house)
        again = act(house.room, "operator", "work import --file PLAN.md")
        assert (changes_nothing(again), again.conflicts, again.unchanged) == (True, [], 6)
        assert every_row(house) == before
        house.assert_whole()

    def test_what_the_room_said_before_is_no_conflict_with_a_later_edit(self, house: House) -> None:
        load(house, PLAN)
        say(house, "b1", "--status in-progress")
        export(house)
        done = load(house, content(house).replace(b"[/] b1", b"[x] b1"))
        assert (done.conflicts, items(house)["b1"].status) == ([], "done")

    def test_a_box_in_conflict_stays_and_is_named(self, house: House) -> None:
        load(house, PLAN)
        say(house, "a", "--status blocked")
        say(house, "b", "--status done")
        assert len(load(house, PLAN.replace("[ ] a", "[x] a")).conflicts) == 1
        done = export(house)
        assert done.changed_lines == [6]
        assert content(house).decode() == PLAN.replace("[ ] a", "[x] a").replace("[ ] b\n", "[x] b\n")
        (doubt,) = done.doubts
        assert "line 5" in doubt and items(house)["a"].id in doubt
        again = act(house.room, "operator", "work import --file PLAN.md")
        assert [(one.field, one.file, one.room) for one in again.conflicts] == [("status", "done", "blocked")]
        house.assert_whole()

    def test_a_value_that_waits_in_the_file_is_not_written_over(self, house: House) -> None:
        """The room took back what stood against the file's value, which an import now takes in."""
        load(house, PLAN)
        say(house, "a", "--status blocked")
        load(house, PLAN.replace("[ ] a", "[x] a"))
        say(house, "a", "--status todo")
        assert refused(house.room, "operator", "work export").code == "edit_conflict"
        assert act(house.room, "operator", "work import --file PLAN.md").updated[0].changes == {
            "status": ["todo", "done"]
        }

    def test_a_struck_title_says_cancelled_whatever_the_room_says(self, house: House) -> None:
        load(house, "# Plan\n\n- [x] ~~a~~\n")
        say(house, "a", "--status todo")
        done = export(house)
        assert (done.changed_lines, content(house)) == ([], b"# Plan\n\n- [x] ~~a~~\n")
        assert "line 3" in done.doubts[0]

    def test_what_has_no_box_is_named_where_the_room_says_another_status(self, house: House) -> None:
        load(house, "# Plan\n\n## Ideas\n\n- a\n- ✅ b\n- [ ] c\n", "--bullets")
        assert export(house).doubts == []
        say(house, "a", "--status done")
        say(house, "Ideas", "--status blocked")
        done, found = export(house), items(house)
        assert done.changed_lines == []
        (doubt,) = done.doubts
        assert f"{found['a'].id} is done (line 5)" in doubt and f"{found['Ideas'].id} is blocked (line 3)" in doubt

    def test_an_item_that_the_room_removed_keeps_its_line(self, house: House) -> None:
        load(house, PLAN)
        say(house, "b1", "--status done")
        act(house.room, "operator", f"work remove {items(house)['b1'].id}")
        assert export(house, "--mark").changed_lines == [1, 3, 5, 6, 8]
        assert b"  - [ ] b1\n" in content(house)

    def test_a_dry_run_names_the_lines_and_writes_nothing(self, house: House) -> None:
        load(house, PLAN)
        say(house, "a", "--status done")
        before, rows = facts(f"{house.repository}/PLAN.md"), every_row(house)
        trial = act(house.enter(house.repository, dry_run=True), "operator", "work export")
        assert (facts(f"{house.repository}/PLAN.md"), every_row(house)) == (before, rows)
        assert sorted(os.listdir(house.repository)) == [".git", "PLAN.md", "README.md"]
        assert export(house) == trial


class TestWhichFile:
    def test_without_a_name_it_is_the_only_plan_wherever_one_stands(self, house: House) -> None:
        os.makedirs(f"{house.repository}/docs/deep")
        put(house, PLAN, "docs/PLAN.md")
        act(house.room, "operator", "work import --file docs/PLAN.md")
        say(house, "a", "--status done")
        done = act(house.enter(f"{house.repository}/docs/deep"), "operator", "work export")
        assert (done.file, done.changed_lines) == ("docs/PLAN.md", [5])

    def test_of_several_one_is_named(self, house: House) -> None:
        load(house, PLAN)
        put(house, "# Other\n\n- [ ] z\n", "OTHER.md")
        act(house.room, "operator", "work import --file OTHER.md")
        fault = refused(house.room, "operator", "work export")
        assert (fault.code, fault.details) == ("ambiguous", {"files": ["OTHER.md", "PLAN.md"]})
        say(house, "z", "--status done")
        assert export(house, "--file OTHER.md").changed_lines == [3]

    def test_a_file_without_an_item_is_not_in_question(self, house: House) -> None:
        load(house, PLAN)
        put(house, "Prose.\n", "NOTES.md")
        act(house.room, "operator", "work import --file NOTES.md")
        assert export(house).file == "PLAN.md"

    @pytest.mark.parametrize("line", ["work export", "work export --file PLAN.md"])
    def test_what_was_never_imported_cannot_be_exported(self, house: House, line: str) -> None:
        put(house, PLAN)
        fault = refused(house.room, "operator", line)
        assert (fault.code, "work import" in fault.hint) == ("no_file", True)

    def test_a_file_that_is_gone_is_said_so(self, house: House) -> None:
        load(house, PLAN)
        os.remove(f"{house.repository}/PLAN.md")
        assert refused(house.room, "operator", "work export").code == "no_file"

    def test_a_file_outside_of_the_repository(self, house: House) -> None:
        path = f"{house.folder}/PLAN.md"
        Path(path).write_text(PLAN)
        act(house.room, "operator", f"work import --file {path}")
        say(house, "a", "--status done")
        assert (export(house).file, Path(path).read_text()) == (path, PLAN.replace("[ ] a", "[x] a"))

    def test_of_a_link_the_file_that_it_leads_to_is_written(self, house: House) -> None:
        os.mkdir(f"{house.repository}/docs")
        put(house, PLAN, "docs/plan.md")
        os.symlink("docs/plan.md", f"{house.repository}/PLAN.md")
        assert act(house.room, "operator", "work import --file PLAN.md").file == "docs/plan.md"
        say(house, "a", "--status done")
        export(house, "--file PLAN.md")
        assert os.readlink(f"{house.repository}/PLAN.md") == "docs/plan.md"
        assert content(house, "docs/plan.md").decode() == PLAN.replace("[ ] a", "[x] a")
        assert os.listdir(f"{house.repository}/docs") == ["plan.md"]

    def test_the_file_keeps_its_mode(self, house: House) -> None:
        load(house, PLAN)
        os.chmod(f"{house.repository}/PLAN.md", 0o640)
        say(house, "a", "--status done")
        inode, _, _ = facts(f"{house.repository}/PLAN.md")
        export(house)
        assert facts(f"{house.repository}/PLAN.md")[2] & 0o7777 == 0o640
        assert facts(f"{house.repository}/PLAN.md")[0] != inode, "written by rename"

    def test_a_name_as_long_as_a_name_may_be(self, house: House) -> None:
        name = "n" * 252 + ".md"
        put(house, PLAN, name)
        act(house.room, "operator", f"work import --file {name}")
        say(house, "a", "--status done")
        assert export(house).changed_lines == [5]

    def test_another_worktrees_file_is_refused(self, house: House) -> None:
        load(house, PLAN)
        side = add_worktree(house.repository, f"{house.folder}/side", "feat/side")
        Path(side, "PLAN.md").write_text(PLAN)
        say(house, "a", "--status done")
        fault = refused(house.enter(side), "operator", "work export")
        assert (fault.code, house.repository in fault.message) == ("refused", True)
        assert Path(side, "PLAN.md").read_text() == PLAN


class TestRefusals:
    def test_a_file_that_changed_since_it_was_imported(self, house: House) -> None:
        load(house, PLAN)
        say(house, "a", "--status done")
        put(house, PLAN + "- [ ] new\n")
        rows = every_row(house)
        fault = refused(house.room, "operator", "work export")
        assert (fault.code, "work import --file PLAN.md" in fault.hint) == ("edit_conflict", True)
        assert (content(house).decode(), every_row(house)) == (PLAN + "- [ ] new\n", rows)
        act(house.room, "operator", "work import --file PLAN.md")
        assert export(house).changed_lines == [5]

    def test_the_line_that_it_proposes_names_the_file_as_a_shell_reads_it_here(self, house: House) -> None:
        os.mkdir(f"{house.repository}/sub")
        put(house, PLAN, "my plan.md")
        room = house.enter(f"{house.repository}/sub")
        hint = refused(room, "operator", "work export --file", "../my plan.md").hint
        assert hint == "Run: relay work import --file '../my plan.md'"
        act(room, "operator", hint.removeprefix("Run: relay "))

    def test_a_file_that_changes_in_the_last_moment(self, house: House) -> None:
        load(house, PLAN)
        with Replacement(locate(house.room, "PLAN.md"), PLAN.encode(), b"new") as replacement:
            put(house, b"mine")
            assert refusal(replacement.put_in_place).code == "edit_conflict"
        assert content(house) == b"mine"
        assert sorted(os.listdir(house.repository)) == [".git", "PLAN.md", "README.md"]

    @pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
    def test_a_folder_that_may_not_be_written(self, house: House) -> None:
        load(house, PLAN)
        say(house, "a", "--status done")
        rows = every_row(house)
        os.chmod(house.repository, 0o500)
        try:
            fault = refused(house.room, "operator", "work export")
        finally:
            os.chmod(house.repository, 0o700)
        assert (fault.code, content(house).decode(), every_row(house)) == ("storage", PLAN, rows)

    @pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
    def test_a_file_that_may_not_be_written_is_not_replaced_either(self, house: House) -> None:
        load(house, PLAN)
        say(house, "a", "--status done")
        os.chmod(f"{house.repository}/PLAN.md", 0o400)
        assert refused(house.room, "operator", "work export").code == "storage"
        assert content(house).decode() == PLAN

    def test_a_disk_without_room(self, house: House) -> None:
        text = f"# Plan\n\n- [ ] a\n\n```\n{'x' * 79}\n" + f"{'y' * 79}\n" * 10_000 + "```\n"
        load(house, text)
        say(house, "a", "--status done")
        rows = every_row(house)
        limit = (len(text) // 2, len(text) // 2)
        process = start(house, "work export --json", lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit))
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, json.loads(err)["error"]["code"]) == (1, b"", "storage")
        assert (content(house).decode() == text, every_row(house)) == (True, rows)
        assert sorted(os.listdir(house.repository)) == [".git", "PLAN.md", "README.md"]
        assert export(house).changed_lines == [3]


def start(house: House, line: str, before: Callable[[], None] | None = None) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "RELAY_HOME": house.home, "PYTHONPATH": PROJECT}
    return subprocess.Popen(
        [sys.executable, "-m", "relay_tui", *line.split(), "--as", "operator"],
        cwd=house.repository, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, preexec_fn=before,
    )  # fmt: skip


class TestACrash:
    """What is left where relay ends between putting the file in place and recording it."""

    def crash(self, house: House) -> bytes:
        load(house, PLAN)
        say(house, "a", "--status done")
        say(house, "b1", "--status blocked")
        written = PLAN.replace("[ ] a", "[x] a").replace("[ ] b1", "[!] b1").encode()
        with Replacement(locate(house.room, "PLAN.md"), PLAN.encode(), written) as replacement:
            replacement.put_in_place()
        return written

    def test_the_next_import_sees_no_conflict_and_then_nothing_new(self, house: House) -> None:
        self.crash(house)
        done = act(house.room, "operator", "work import --file PLAN.md")
        assert (changes_nothing(done), done.conflicts) == (True, [])
        events = len(house.events())
        act(house.room, "operator", "work import --file PLAN.md")
        assert len(house.events()) == events
        say(house, "a", "--status todo")
        assert export(house).changed_lines == [5]
        house.assert_whole()

    def test_the_next_export_asks_for_that_import(self, house: House) -> None:
        written = self.crash(house)
        assert refused(house.room, "operator", "work export").code == "edit_conflict"
        assert content(house) == written


class TestAKill:
    """A writer that is killed before its file is in place leaves it under a hidden name."""

    def kill_a_writer(self, house: House) -> None:
        if (child := os.fork()) == 0:
            try:
                Replacement(locate(house.room, "PLAN.md"), PLAN.encode(), b"half").__enter__()
            finally:
                os.kill(os.getpid(), signal.SIGKILL)
        assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
        assert [name for name in os.listdir(house.repository) if name.endswith(".part")]

    @pytest.mark.parametrize("line", ["work export", "work import --file PLAN.md"])
    def test_the_next_export_or_import_takes_it_away_but_not_that_of_one_who_lives(
        self, house: House, line: str
    ) -> None:
        load(house, PLAN)
        self.kill_a_writer(house)
        if "export" in line:
            say(house, "a", "--status done")
        else:
            put(house, PLAN + "- [ ] new\n")
        before = content(house)
        with Replacement(locate(house.room, "PLAN.md"), before, before):
            living = [name for name in os.listdir(house.repository) if name.endswith(".part")]
            self.kill_a_writer(house)
            act(house.room, "operator", line)
            assert [name for name in os.listdir(house.repository) if name.endswith(".part")] == living
        assert sorted(os.listdir(house.repository)) == [".git", "PLAN.md", "README.md"]


class TestAtOnce:
    def test_a_dozen_changes_that_come_between_do_not_turn_an_export_away(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        load(house, "# Plan\n\n- [ ] a\n- [ ] b\n")
        turns, edit_plan = iter(range(12)), exporting.edit_plan

        def overtaken(*asked: Any, **options: Any) -> exporting.Edited:
            if (turn := next(turns, None)) is not None:
                say(house, "b", f"--status {'review' if turn % 2 else 'done'}")
            return edit_plan(*asked, **options)

        say(house, "a", "--status done")
        monkeypatch.setattr(exporting, "edit_plan", overtaken)
        assert export(house).changed_lines == [3, 4]

    def test_an_export_and_a_room_that_moves_on_agree_in_the_end(self, house: House) -> None:
        titles = [f"task {number:02}" for number in range(12)]
        load(house, "# Plan\n\n" + "".join(f"- [ ] {title}\n" for title in titles))
        ids = {title: item.id for title, item in items(house).items()}
        lines = [f"work set {ids[title]} --status done" for title in titles]
        lines[3:3] = lines[9:9] = ["work export"]
        answers = [
            (process.communicate(timeout=60), process.returncode) for process in [start(house, line) for line in lines]
        ]
        assert [errors for (_, errors), code in answers if code] == []
        export(house)
        assert content(house).decode() == "# Plan\n\n" + "".join(f"- [x] {title}\n" for title in titles)
        again = act(house.room, "operator", "work import --file PLAN.md")
        assert (changes_nothing(again), again.conflicts) == (True, [])
        house.assert_whole()
