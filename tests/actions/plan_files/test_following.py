"""What an open screen needs of following: which plans, remembered how, and a ring for each save."""

from __future__ import annotations

import os
from pathlib import Path
from queue import Queue
from threading import Timer
from typing import Any

import pytest

from relay_tui.actions.call import parse
from relay_tui.actions.perform import perform
from relay_tui.actions.plan_files.files import locate, read_saved
from relay_tui.actions.plan_files.following import SILENT_FOR, follow_file, followed_plans, watch_plans
from relay_tui.actions.plan_files.importing import Wishes
from relay_tui.cli.texts.plans import follow as told_follow
from relay_tui.repo.saving import LOOK_EVERY
from relay_tui.room.imports import apply_import, read_basis
from tests.actions.acting import act, refused
from tests.actions.plan_files.planning import changes_nothing, every_row, load, make_house, put
from tests.repo.git_fixture import add_worktree, git, isolate_git
from tests.room_fixture import Clock, House, refusal

PLAN = "# Plan\n\n- [ ] a\n"


def import_unasked(house: House) -> Any:
    call = parse("work import --file PLAN.md".split())
    assert call is not None
    return perform(call, house.room, house.operator._replace(unattended=True))


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    return make_house(str(tmp_path))


class TestRemembering:
    def test_a_plan_is_followed_until_that_is_taken_off(self, house: House) -> None:
        load(house, PLAN)
        assert followed_plans(house.room) == []
        done = act(house.room, "operator", "work follow --file PLAN.md")
        assert tuple(done) == ("PLAN.md", True, True)
        assert followed_plans(house.room) == [f"{house.repository}/PLAN.md"]
        assert act(house.room, "operator", "work follow --file PLAN.md --off").follow is False
        assert followed_plans(house.room) == []
        house.assert_whole()

    def test_saying_it_again_is_no_event(self, house: House) -> None:
        load(house, PLAN)
        act(house.room, "operator", "work follow --file PLAN.md")
        before = every_row(house)
        again = act(house.room, "operator", "work follow --file PLAN.md")
        assert (again.changed, every_row(house)) == (False, before)
        assert list(told_follow(again, 0)) == [
            "PLAN.md is followed already: an open screen imports it after each save."
        ]

    def test_what_was_planned_before_the_choice_is_planned_again(self, house: House) -> None:
        load(house, PLAN)
        basis = read_basis(house.room, "PLAN.md")
        act(house.room, "operator", "work follow --file PLAN.md")
        assert not apply_import(house.room, house.operator, basis, {"path": "PLAN.md"})

    def test_an_import_keeps_it_and_is_not_changed_by_it(self, house: House) -> None:
        load(house, PLAN)
        act(house.room, "operator", "work follow --file PLAN.md")
        before = every_row(house)
        assert changes_nothing(act(house.room, "operator", "work import --file PLAN.md"))
        assert every_row(house) == before
        load(house, PLAN + "- [ ] b\n", "--bullets")
        assert followed_plans(house.room) == [f"{house.repository}/PLAN.md"]

    def test_only_what_was_imported_can_be_followed(self, house: House) -> None:
        put(house, PLAN)
        fault = refused(house.room, "operator", "work follow --file PLAN.md")
        assert (fault.code, "work import" in fault.hint) == ("no_file", True)

    def test_the_plan_of_another_worktree_is_followed_from_there(self, house: House) -> None:
        load(house, PLAN)
        act(house.room, "operator", "work follow --file PLAN.md")
        side = add_worktree(house.repository, f"{house.folder}/side", "feat/side")
        Path(side, "PLAN.md").write_text(PLAN)
        assert followed_plans(house.enter(side)) == []
        act(house.enter(side), "operator", "work import --file PLAN.md --switch")
        assert followed_plans(house.enter(side)) == [f"{side}/PLAN.md"]
        assert followed_plans(house.room) == []

    def test_where_there_is_no_room_nothing_is_followed(self, tmp_path: Path) -> None:
        assert followed_plans(House(str(tmp_path / "fresh")).room) == []


class TestWhatGitWrites:
    """What a screen imports by itself, with nobody there who asked for it just now."""

    def test_the_plan_on_another_branch_waits_for_an_import_that_somebody_asks_for(self, house: House) -> None:
        load(house, PLAN)
        git(house.repository, "switch", "-q", "-c", "feat/a")
        assert changes_nothing(import_unasked(house)), "the same bytes are no other plan"
        put(house, PLAN + "- [ ] b\n")
        fault = refusal(lambda: import_unasked(house))
        assert (fault.code, "work import --file PLAN.md" in fault.hint) == ("refused", True)
        assert fault.message.endswith("was last read on the branch main, and feat/a is checked out now.")
        read_saved(house.room, locate(house.room, "PLAN.md"), "feat/a")  # that branch was followed in a terminal
        act(house.room, "operator", "work import --file PLAN.md")
        put(house, PLAN)
        import_unasked(house)
        put(house, PLAN + "- [ ] c\n")
        git(house.repository, "switch", "-q", "--detach")
        assert "no branch is checked out" in refusal(lambda: import_unasked(house)).message
        house.assert_whole()

    def test_while_git_holds_the_index_it_cannot_be_said_whose_the_bytes_are(self, house: House) -> None:
        load(house, PLAN)
        lock = Path(house.repository, ".git", "index.lock")
        lock.touch()
        assert changes_nothing(import_unasked(house))
        put(house, PLAN + "- [ ] b\n")
        fault = refusal(lambda: import_unasked(house))
        assert (fault.code, str(lock) in fault.hint) == ("busy", True)
        assert len(load(house, PLAN + "- [ ] b\n").added) == 1, "somebody asks for it"

    def test_a_lock_that_was_left_behind_is_told_of_once_and_waited_for(self, house: House) -> None:
        class Hurried(Clock):
            def __call__(self) -> int:
                self.now += SILENT_FOR
                return self.now

        load(house, PLAN)
        lock = Path(house.repository, ".git", "index.lock")
        house.clock = Hurried(house.clock.now)
        following = follow_file(house.enter(house.repository), house.operator, "PLAN.md", Wishes({}))
        next(following)
        lock.touch()
        put(house, PLAN + "- [ ] b\n")
        told = next(following)
        assert told.error and told.error.code == "busy" and str(lock) in told.error.hint
        Timer(1.5 * LOOK_EVERY, lock.unlink).start()
        told = next(following)
        assert told.import_ and [item.title for item in told.import_.added] == ["b"]
        following.close()


class TestRinging:
    def test_each_file_that_is_saved_rings_with_its_path(self, house: House) -> None:
        paths = [f"{house.repository}/{name}" for name in ("A.md", "B.md")]
        for path in paths:
            Path(path).write_text(PLAN)
        rung: Queue[str] = Queue()
        stop = watch_plans(paths, rung.put)
        try:
            for path in (paths[1], paths[0], paths[1]):
                Path(house.repository, "OTHER.md").write_text(path)
                Path(f"{path}~").write_text(PLAN + "- [ ] b\n")
                os.replace(f"{path}~", path)
                assert rung.get(timeout=20) == path
            assert rung.empty(), "nobody waits for another file"
        finally:
            stop()

    def test_nothing_rings_any_more_once_it_is_stopped(self, house: House) -> None:
        path = f"{house.repository}/A.md"
        Path(path).write_text(PLAN)
        stopped: Queue[str] = Queue()
        rung: Queue[str] = Queue()
        watch_plans([path], stopped.put)()
        stop = watch_plans([path], rung.put)
        Path(path).write_text(PLAN + "- [ ] b\n")
        assert rung.get(timeout=20) == path
        stop()
        assert stopped.empty()
