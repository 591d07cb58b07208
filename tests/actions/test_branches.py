"""Claims on branches, two rooms of one repository, and repositories that are odd."""

from __future__ import annotations

import os
import re
import shutil
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from relay_tui.actions.branch_looks import watch_branches
from relay_tui.base.times import HOUR
from relay_tui.cli.output import to_json
from relay_tui.cli.texts import branches as texts
from relay_tui.cli.texts.claims import claims
from tests.actions.acting import act, refused
from tests.repo.git_fixture import (
    add_worktree,
    commit,
    git,
    isolate_git,
    make_repository,
    make_unborn_worktree,
    put_git_on_path,
    write,
)
from tests.room_fixture import House


@pytest.fixture(autouse=True)
def isolated_git(monkeypatch: pytest.MonkeyPatch) -> None:
    isolate_git(monkeypatch)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(str(tmp_path))


def branch_names(found: Any) -> list[str]:
    return [row.branch for row in found.branches]


class TestClaims:
    def test_a_branch_has_one_holder_who_alone_gives_it_back(self, house: House) -> None:
        house.join("a"), house.join("b")
        git(house.repository, "branch", "feat/x")
        (claim,) = act(house.room, "a", "branch claim feat/x --note rewrite").claimed
        assert (claim.scope, claim.resource, claim.note, claim.planned) == ("branch", "feat/x", "rewrite", False)
        assert act(house.room, "a", "branch claim refs/heads/feat/x").already == [claim]
        conflict = refused(house.room, "b", "branch claim feat/x")
        assert (conflict.code, [one.holder for one in conflict.details["conflicts"]]) == ("claim_conflict", ["a"])
        assert refused(house.room, "b", "branch release feat/x").code == "not_yours"
        assert [one.resource for one in act(house.room, "a", "branch release feat/x").released] == ["feat/x"]
        assert refused(house.room, "a", "branch release feat/x").code == "unknown_claim"
        house.assert_whole()

    def test_a_branch_that_git_lacks_is_refused_with_the_nearest(self, house: House) -> None:
        house.join("a")
        git(house.repository, "branch", "feat/auth")
        fault = refused(house.room, "a", "branch claim feat/auht")
        assert (fault.code, fault.details["near"]) == ("unknown_branch", ["feat/auth"])
        assert "Did you mean feat/auth?" in fault.hint
        assert "--new" in fault.hint
        assert refused(house.room, "a", "branch claim zzz").hint.startswith("Run: relay branches --all")
        assert refused(house.room, None, "branch show feat/auht").code == "unknown_branch"
        assert refused(house.room, "a", "branch claim feat/..x").code == "invalid"
        assert house.events("claim.taken") == []

    def test_a_new_branch_is_planned_until_it_is_there(self, house: House) -> None:
        house.join("a")
        assert act(house.room, "a", "branch claim feat/new --new").claimed[0].planned
        (row,) = act(house.room, None, "branches").branches
        assert (row.flag, row.reasons) == ("clear", ["a holds it and is live", "planned: the branch is not there yet"])
        git(house.repository, "branch", "feat/new")
        (row,) = act(house.room, None, "branches").branches
        assert (row.flag, row.reasons) == ("clear", ["a holds it and is live"])

    def test_new_on_a_branch_that_is_there_is_no_plan(self, house: House) -> None:
        house.join("a")
        act(house.room, "a", "branch claim main --new")
        git(house.repository, "checkout", "-q", "-b", "other")
        git(house.repository, "branch", "-D", "main")
        rows = {row.branch: row.flag for row in act(house.room, None, "branches --all").branches}
        assert rows == {"main": "missing", "other": "quiet"}

    def test_only_the_operator_forces_and_the_displaced_holder_is_told(self, house: House) -> None:
        house.join("a"), house.join("b")
        act(house.room, "a", "branch claim main")
        assert refused(house.room, "operator", "branch release main --force").code == "usage"
        assert refused(house.room, "b", "branch release main --force --reason mine").code == "not_operator"
        freed = act(house.room, "operator", "branch release main --force --reason 'a is gone'")
        assert (freed.forced, [claim.holder for claim in freed.released]) == (True, ["a"])
        (told,) = act(house.room, "a", "inbox").messages
        assert told.body == "operator released branch:main, which you held. Reason: a is gone"
        house.assert_whole()


class TestRooms:
    """Two rooms of one repository: `repo`, and one that a worktree has of its own."""

    @pytest.fixture
    def other(self, house: House) -> Any:
        side = add_worktree(house.repository, f"{house.folder}/side", "feat/side")
        act(house.room, "operator", "init")
        act(house.enter(side), "operator", "init --room side")
        room = house.enter(side)
        assert (room.row.name, room.row.own) == ("side", True)
        return room

    def test_a_holder_who_is_live_in_the_other_room_counts_as_live(self, house: House, other: Any) -> None:
        act(other, "a", "join --branch feat/side --worktree", other.folder)
        act(other, "a", "branch claim feat/side")
        for room in (house.enter(house.repository), other):
            (row,) = act(room, None, "branches").branches
            assert (row.flag, row.claim.holder, row.claim.room) == ("clear", "a", "side")
            assert [agent.agent for agent in row.agents] == ["a"]
        house.clock.advance(HOUR)
        assert act(house.enter(house.repository), None, "branches").branches[0].flag == "orphaned"

    def test_both_rooms_contend_for_one_branch(self, house: House, other: Any) -> None:
        house.room = house.enter(house.repository)
        house.join("a")
        act(house.room, "a", "branch claim feat/side")
        act(other, "a", "join --branch feat/side --worktree", other.folder)
        assert refused(other, "a", "branch claim feat/side").code == "claim_conflict"
        (row,) = act(house.room, None, "branches --flag contested").branches
        assert row.reasons == ["a of room side is live on it, and the claim is a of room repo's"]

    def test_agents_of_the_same_name_are_told_apart_by_their_room(self, house: House, other: Any) -> None:
        house.room = house.enter(house.repository)
        for name in ("n1", "n2"):
            house.join(name, branch="main")
        act(other, "n1", "join --branch main")
        (row,) = act(house.room, None, "branches --flag contested").branches
        assert row.reasons == ["3 live agents are on it: n1, n2 and n1 of room side"]

    def test_lists_name_the_room_of_whoever_is_of_another_one(self, house: House, other: Any) -> None:
        house.room = house.enter(house.repository)
        house.join("n1", branch="main")
        act(house.room, "n1", "branch claim main")
        act(other, "n1", "join --branch feat/side --worktree", other.folder)
        act(other, "n1", "branch claim feat/side"), act(other, "n1", "claim machine:gpu")
        listed = [*texts.branches(act(house.room, None, "branches"), 0), *claims(act(house.room, None, "claims"), 0)]
        told = [re.split("  +", line)[:4] for line in listed if re.match("clear|Held", line)]
        assert told == [
            ["clear", "feat/side", "n1 of room side (live)", "n1 of room side"], ["clear", "main", "n1 (live)", "n1"],
            ["Held", "branch:feat/side", "n1 of room side", "0s"], ["Held", "branch:main", "n1", "0s"],
            ["Held", "machine:gpu", "n1 of room side", "0s"],
        ]  # fmt: skip
        assert branch_names(act(house.room, "n1", "branches --mine")) == ["main"]
        house.clock.advance(HOUR)
        (row,) = act(house.room, None, "branches --flag orphaned").branches[:1]
        assert row.reasons[0].startswith("n1 of room side holds it and is quiet")
        stale = [item.text for item in act(house.room, None, "attention").items if item.kind == "stale_claim"]
        assert stale == ["held by n1 of room side, who is quiet, heard from 1h ago"]

    def test_tasks_of_either_room_are_work_on_the_branch(self, house: House, other: Any) -> None:
        act(other, "operator", "work add --title 'ship it' --branch main")
        rows = {row.branch: row for row in act(house.enter(house.repository), None, "branches").branches}
        assert [task.title for task in rows["main"].tasks] == ["ship it"]


class TestWhereGitIsOdd:
    def test_a_repository_without_a_room(self, house: House) -> None:
        git(house.repository, "branch", "feat/x")
        found = act(house.room, None, "branches --all --details")
        assert [(row.branch, row.flag) for row in found.branches] == [("feat/x", "quiet"), ("main", "quiet")]
        assert not house.room.store.exists

    def test_a_bare_repository_with_worktrees(self, house: House) -> None:
        bare = f"{house.folder}/shop.git"
        git(house.folder, "clone", "-q", "--bare", house.repository, bare)
        side = add_worktree(bare, f"{house.folder}/side", "feat/side")
        for folder in (bare, side):
            found = act(house.enter(folder), None, "branches --all --details")
            assert [(row.branch, row.flag) for row in found.branches] == [("feat/side", "unclaimed"), ("main", "quiet")]
            assert [tree.bare for tree in found.worktrees] == [True, False]

    def test_a_repository_without_a_commit(self, house: House) -> None:
        empty = make_repository(f"{house.folder}/empty")
        room = house.enter(empty)
        act(room, "a", "join --branch main --worktree .")
        assert act(room, "a", "branch claim main").claimed[0].planned is False
        (row,) = act(room, None, "branches --details").branches
        assert (row.branch, row.flag, row.head) == ("main", "clear", None)
        assert f"worktree {empty} has no commit yet" in row.reasons
        assert act(room, None, "branch show main").commits == []

    def test_an_orphan_worktree(self, house: House) -> None:
        make_unborn_worktree(house.repository, f"{house.folder}/fresh", "fresh")
        (row,) = act(house.room, None, "branches").branches
        assert (row.branch, row.flag) == ("fresh", "unclaimed")

    def test_outside_of_a_repository(self, house: House) -> None:
        folder = f"{house.folder}/plain"
        os.makedirs(folder)
        assert refused(house.enter(folder), None, "branches").code == "no_file"

    def test_run_from_a_hook_that_points_git_elsewhere(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        elsewhere = make_repository(f"{house.folder}/elsewhere")
        git(house.repository, "branch", "feat/x")
        for name, path in (("GIT_DIR", ".git"), ("GIT_WORK_TREE", ""), ("GIT_INDEX_FILE", ".git/index")):
            monkeypatch.setenv(name, os.path.join(elsewhere, path))
        found = act(house.room, None, "branches --all --details")
        assert branch_names(found) == ["feat/x", "main"]
        assert found.repository == f"{house.repository}/.git"
        assert found.doubts == []

    def test_a_repository_of_an_owner_that_git_does_not_trust(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        house.send(house.join("a"), "operator", "x")
        monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
        fault = refused(house.room, None, "branches")
        words = f"git: detected dubious ownership in repository at '{house.repository}'"
        assert (fault.code, fault.message) == ("refused", words)
        assert f"git config --global --add safe.directory {house.repository}" in fault.hint
        found = act(house.room, None, "attention")
        assert ([item.kind for item in found.items], found.doubts) == (
            ["mail"], [f"branches could not be read: {words}"]
        )  # fmt: skip
        (check,) = [one for one in act(house.room, None, "doctor").checks if one.name == "git"]
        assert (check.ok, check.text, check.hint) == (False, words, fault.hint)

    def test_another_room_named_from_here_is_of_its_own_repository(self, house: House) -> None:
        """Its branches are listed and watched, and paths count from its top, also in a clone inside of its tree."""
        act(house.room, "a", "join")
        git(house.repository, "branch", "feat/of-the-room")
        here = make_repository(f"{house.repository}/vendor/here")
        commit(here, "first", {"a": "a"})
        room = house.enter(here, "repo")
        assert branch_names(act(room, None, "branches --all")) == ["feat/of-the-room", "main"]
        assert [one.resource for one in act(room, "a", "claim src").claimed] == ["vendor/here/src"]
        bell = threading.Event()
        stop = watch_branches(room, bell.set)
        git(house.repository, "branch", "feat/new")
        assert bell.wait(10)
        stop()

    def test_names_that_look_alike_are_branches_of_their_own(self, house: House) -> None:
        """A local `origin/x` beside the remote's `x`, a slash beside a dash, one name composed in two ways."""
        composed = [] if sys.platform == "darwin" else ["u\u0308ni\u0308/\u65e5\u672c"]  # there both are one file
        names = ["feat-x", "feat/x", "origin/x", "\u00fcn\u00ef/\u65e5\u672c", *composed]
        git(house.repository, "branch", "x")
        git(house.repository, "clone", "-q", ".", f"{house.folder}/clone")
        here = house.enter(f"{house.folder}/clone")
        theirs = commit(f"{house.folder}/clone", "mine", {"mine.txt": "x\n"})
        for number, name in enumerate(names):
            git(here.folder, "branch", name)
            act(here, f"a{number}", "join"), act(here, f"a{number}", "branch claim", name)
        rows = {row.branch: row for row in act(here, None, "branches").branches}
        assert {name: rows[name].claim.holder for name in names} == {name: f"a{n}" for n, name in enumerate(names)}
        assert act(here, None, "branch show origin/x").branch.head == theirs
        assert "x" not in rows and refused(here, "a0", "branch claim x").code == "unknown_branch"

    def test_an_agent_in_a_clone_inside_of_the_tree_is_elsewhere(self, house: House) -> None:
        git(house.repository, "clone", "-q", ".", "vendored")
        act(house.room, "a", "join --branch main --worktree vendored")
        (row,) = act(house.room, None, "branches --all").branches
        assert (row.flag, row.agents) == ("quiet", [])
        assert (
            row.mismatches[0].text
            == f"a reports main and stands in {house.repository}/vendored, which is no worktree of this repository"
        )
        act(house.room, "a", "status --worktree src")
        assert [agent.agent for agent in act(house.room, None, "branches").branches[0].agents] == ["a"]

    def test_a_branch_checked_out_twice_counts_each_trees_own_changes(self, house: House) -> None:
        one = add_worktree(house.repository, f"{house.folder}/one", "feat/x")
        two = add_worktree(house.repository, f"{house.folder}/two", "feat/x", "--force")
        write(one, {"README.md": "1\n"})
        write(two, {"README.md": "2\n", "new": "2\n"})
        found = act(house.room, None, "branches --details")
        (row,) = found.branches
        assert (row.dirty, row.worktree.dirty) == (3, 1)
        assert {tree.path: tree.dirty for tree in found.worktrees} == {house.repository: 0, one: 1, two: 2}
        assert "checked out in 2 worktrees at once" in row.reasons

    def test_what_git_could_not_count_is_said_and_is_no_zero(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add_worktree(house.repository, f"{house.folder}/wt", "feat/x")
        failing = 'case " $* " in *" status "*) echo "fatal: disk on fire" >&2; exit 128;; esac\nexec {git} "$@"'
        put_git_on_path(monkeypatch, f"{house.folder}/bin", failing)
        found = act(house.room, None, "branches --details")
        assert [(row.branch, row.dirty) for row in found.branches] == [("feat/x", None)]
        assert found.doubts == [f"{tree.path}: git: disk on fire" for tree in found.worktrees[::-1]]

    def test_an_answer_says_when_git_was_asked(self, house: House) -> None:
        found = act(house.room, None, "branches --all")
        assert to_json(found)["read_at"] == "2026-11-30T09:00:00.000000Z"


class TestWhatGitCannotSay:
    def test_a_branch_whose_commit_is_lost_is_shown_with_the_doubt(self, house: House) -> None:
        house.join("a")
        tree = add_worktree(house.repository, f"{house.folder}/wt", "b")
        lost = commit(tree, "lost", {"x.txt": "x\n"})
        os.remove(f"{house.repository}/.git/objects/{lost[:2]}/{lost[2:]}")
        found = act(house.room, "a", "branch show b --patch")
        assert (found.branch.branch, found.commits, found.files, found.patch) == ("b", [], [], None)
        assert any(lost in doubt or "bad object" in doubt for doubt in found.doubts)
        ages = {row.branch: row.committed_at for row in act(house.room, "a", "branches --all").branches}
        assert ages["b"] is None and ages["main"] is not None

    def test_a_folder_that_lost_its_git_is_said_to_be_none_and_who_is_there_counts_where_git_says(
        self, house: House
    ) -> None:
        tree = add_worktree(house.repository, f"{house.repository}/in/wt", "x")
        write(house.repository, {"new.txt": "n\n"})
        house.join("a", branch="x", worktree=tree)
        os.remove(f"{tree}/.git")
        found = act(house.room, None, "branches --all --details")
        rows = {row.branch: row for row in found.branches}
        assert [agent.agent for agent in rows["main"].agents] == ["a"]
        assert rows["x"].agents == [] and rows["x"].dirty is None
        said = f"worktree {tree} is there, but its .git is missing: git no longer takes it for a worktree"
        assert said in rows["x"].reasons
        assert [overlap for overlap in found.overlaps if overlap.path == "new.txt"] == []

    @pytest.mark.parametrize("below", ["", "repo/in/"])
    def test_who_lost_its_folder_is_taken_at_its_word_whether_git_was_pruned_or_not(
        self, house: House, below: str
    ) -> None:
        tree = add_worktree(house.repository, f"{house.folder}/{below}wt", "x")
        for name in ("a", "b"):
            act(house.room, name, "join --branch x --worktree", tree)
        act(house.room, "a", "branch claim x")
        shutil.rmtree(tree)
        told = []
        for prune in (False, True):
            if prune:
                git(house.repository, "worktree", "prune")
            (row,) = act(house.room, None, "branches").branches
            assert (row.flag, [agent.agent for agent in row.agents]) == ("contested", ["a", "b"])
            assert row.reasons[-2:] == [f"{one} reports x and stands in {tree}, which does not exist" for one in "ab"]
            told.append([(item.kind, item.subject) for item in act(house.room, None, "attention").items])
        assert told == [[("contested", "x"), ("wrong_worktree", "a"), ("wrong_worktree", "b")]] * 2

    def test_who_stands_behind_a_link_counts_on_the_branch_there(self, house: House) -> None:
        os.mkdir(f"{house.folder}/old")
        tree = add_worktree(house.repository, f"{house.folder}/old/wt", "x")
        os.rename(f"{house.folder}/old", f"{house.folder}/new")
        os.symlink(f"{house.folder}/new", f"{house.folder}/old")
        for name in ("a", "b"):
            act(house.room, name, "join --branch x --worktree", tree)
        row = next(row for row in act(house.room, None, "branches").branches if row.branch == "x")
        assert (row.flag, row.reasons[0], row.mismatches) == ("contested", "2 live agents are on it: a and b", [])

    def test_a_branch_that_was_renamed_is_one_thing_to_settle_and_its_holder_is_told_how(self, house: House) -> None:
        tree = add_worktree(house.repository, f"{house.folder}/wt", "feat/pay")
        act(house.room, "a", "join --branch feat/pay --worktree", tree)
        act(house.room, "a", "branch claim feat/pay")
        act(house.room, "operator", "work add --title pay --branch feat/old")
        git(house.repository, "branch", "-m", "feat/pay", "feat/old")
        git(house.repository, "branch", "-m", "feat/old", "feat/pay2")
        rows = {row.branch: row for row in act(house.room, None, "branches").branches}
        assert {name: (row.flag, row.renamed) for name, row in rows.items()} == {
            "feat/old": ("missing", "feat/pay2"), "feat/pay": ("missing", "feat/pay2"), "feat/pay2": ("unclaimed", None)
        }  # fmt: skip
        assert rows["feat/pay"].reasons == [
            "git has no such branch: it was renamed to feat/pay2", "a holds a claim on it"
        ]  # fmt: skip
        assert rows["feat/pay2"].reasons[:2] == ["nobody holds a claim on it", "a is live on it"]
        task, claim = act(house.room, None, "attention").items
        assert task.command == ["relay", "work", "set", "W1", "--branch", "feat/pay2", "--as", "operator"]
        lines = "relay branch release feat/pay && relay branch claim feat/pay2"
        message = f"feat/pay is called feat/pay2 now. Please run: {lines}"
        assert claim.command == ["relay", "send", "--to", "a", "--message", message, "--as", "operator"]
        house.clock.advance(HOUR)
        free = next(item.command for item in act(house.room, None, "attention").items if item.since is not None)
        assert free[4:] == ["--force", "--reason", "It is called feat/pay2 now.", "--as", "operator"]

    def test_the_new_files_of_an_unborn_branch_are_counted(self, house: House) -> None:
        house.join("a")
        tree = make_unborn_worktree(house.repository, f"{house.folder}/wt", "fresh")
        write(tree, {"one.txt": "1\n"})
        row = next(row for row in act(house.room, "a", "branches --details").branches if row.branch == "fresh")
        assert row.dirty is not None and row.dirty > 0 and row.worktree.dirty == row.dirty

    def test_a_git_that_answers_nonsense_leaves_attention_its_other_answers(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        a = house.join("a")
        house.send(a, "operator", "ready")
        put_git_on_path(monkeypatch, f"{house.folder}/bin", "echo nonsense; exit 0")
        found = act(house.room, None, "attention")
        assert (found.unknown, [item.kind for item in found.items]) == (["branches"], ["mail"])


class TestText:
    def told(self, house: House, name: str | None, line: str) -> list[str]:
        found = act(house.room, name, line)
        text = texts.branch_show if line.startswith("branch show") else texts.branches
        return list(text(found, house.clock()))

    def test_a_clear_row_says_what_is_odd_about_it(self, house: House) -> None:
        house.join("a")
        act(house.room, "a", "branch claim later --new")
        assert "      planned: the branch is not there yet" in self.told(house, "a", "branches")

    def test_nothing_to_list_is_a_sentence_that_is_true_of_what_was_asked(self, house: House) -> None:
        house.join("a"), house.join("b")
        assert self.told(house, "b", "branches") == ["1 quiet", "--all lists the quiet ones."]
        act(house.room, "a", "branch claim main")
        for line in ("branches --mine", "branches --flag orphaned", "branches --flag quiet"):
            (said,) = self.told(house, "b", line)[1:]
            assert said == "None of these is what --flag or --mine asks for; without them they are listed."

    def test_the_default_branch_has_nothing_to_be_compared_with(self, house: House) -> None:
        house.join("a")
        assert "the default branch: nothing to compare" in self.told(house, "a", "branch show main")
        git(house.repository, "branch", "x")
        assert "0 files" in self.told(house, "a", "branch show x")
