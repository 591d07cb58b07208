"""Branches joined with real git: the odd repository of the cases, claims on branches, and repositories that are odd."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from relay_tui.base.times import DAY, HOUR
from relay_tui.cli.output import to_json
from relay_tui.cli.texts.branches import branches as told_branches
from relay_tui.room.branches import BranchView
from tests.actions.acting import act, refused
from tests.repo.git_fixture import (
    add_worktree,
    build_odd_repository,
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


def make_odd_house(folder: Path) -> House:
    house = House(str(folder), repository=build_odd_repository(os.path.realpath(folder)))
    git(house.repository, "branch", "feat/missing-but-a-tag")
    act(house.room, "vector-4", "join")
    act(house.room, "vector-4", "branch claim feat/orphan")
    act(house.room, "operator", 'work add --title "map orphans" --branch feat/orphan')
    act(house.room, "operator", 'work add --title "ship it" --branch release/0.4')
    house.clock.advance(2 * DAY)
    act(house.room, "codex-3", "join --branch feat/auth --worktree", f"{house.folder}/wt auth")
    act(house.room, "codex-3", "branch claim feat/auth")
    act(house.room, "claude-1", "join --branch feat/auth --worktree ../wt-tree")
    act(house.room, "kestrel-9", "join")
    act(house.room, "kestrel-9", "branch claim feat/tree")
    act(house.room, "kestrel-9", "branch claim feat/missing-but-a-tag")
    git(house.repository, "branch", "-D", "feat/missing-but-a-tag")
    return house


def branch_names(found: Any) -> list[str]:
    return [row.branch for row in found.branches]


class TestOddRepository:
    """The facts of cases/branches, and the rows that must come of them."""

    @pytest.fixture(scope="class")
    def odd(self, tmp_path_factory: pytest.TempPathFactory) -> House:
        """One for all tests that only look at it."""
        with pytest.MonkeyPatch.context() as monkeypatch:
            isolate_git(monkeypatch)
            return make_odd_house(tmp_path_factory.mktemp("odd"))

    @pytest.fixture
    def rows(self, odd: House) -> dict[str, BranchView]:
        return {row.branch: row for row in act(odd.room, None, "branches --all --details").branches}

    def test_flags_and_their_order(self, odd: House) -> None:
        found = act(odd.room, None, "branches --all")
        assert [(row.branch, row.flag) for row in found.branches] == [
            ("feat/tree", "contested"),
            ("feat/orphan", "orphaned"),
            ("feat/missing-but-a-tag", "missing"),
            ("feat-auth", "unclaimed"),
            ("release/0.4", "unclaimed"),
            ("ünï/日本", "unclaimed"),
            ("feat/auth", "clear"),
            ("feat/quiet", "quiet"),
            ("main", "quiet"),
            ("origin/x", "quiet"),
        ]
        assert found.counts == {"contested": 1, "orphaned": 1, "missing": 1, "unclaimed": 3, "clear": 1, "quiet": 3}
        assert (found.repository, found.default_branch) == (f"{odd.repository}/.git", "main")
        assert found.doubts == []

    def test_without_all_the_quiet_ones_are_counted_and_not_shown(self, odd: House) -> None:
        found = act(odd.room, None, "branches")
        assert set(branch_names(found)).isdisjoint(("main", "feat/quiet", "origin/x"))
        assert found.counts["quiet"] == 3

    def test_a_claimed_branch_is_clear_and_names_who_only_reports_it(self, odd: House, rows: Any) -> None:
        row = rows["feat/auth"]
        assert (row.claim.holder, row.claim.holder_state) == ("codex-3", "live")
        assert [tuple(agent) for agent in row.agents] == [("codex-3", "live", "reported")]
        assert [tuple(one)[:3] for one in row.mismatches] == [("claude-1", "feat/auth", "feat/tree")]
        assert (row.worktree.path, row.worktree.dirty, row.dirty) == (f"{odd.folder}/wt auth", 1, 1)

    def test_a_contested_branch_names_the_holder_and_who_was_seen_on_it(self, odd: House, rows: Any) -> None:
        row = rows["feat/tree"]
        assert row.reasons == ["claude-1 is live on it, and the claim is kestrel-9's"]
        assert [tuple(agent) for agent in row.agents] == [("claude-1", "live", "observed")]
        assert row.worktree.path == f"{odd.folder}/wt-tree"
        assert (row.ahead_default, row.behind_default, row.dirty) == (1, 0, 1)

    def test_an_orphaned_branch_says_for_how_long_and_what_waits_on_it(self, odd: House, rows: Any) -> None:
        row = rows["feat/orphan"]
        assert row.reasons == [
            "vector-4 holds it and is quiet, heard from 2d ago; nobody live is on it",
            'task W1 "map orphans" is todo',
            f"worktree {odd.folder}/wt-gone is missing (prunable)",
        ]
        assert [task.title for task in row.tasks] == ["map orphans"]
        assert row.worktree.missing
        assert (row.worktree.dirty, row.dirty) == (None, None)

    def test_unclaimed_work_is_told_by_what_it_is(self, odd: House, rows: Any) -> None:
        assert rows["release/0.4"].reasons == ["nobody holds a claim on it", 'task W2 "ship it" is todo']
        assert (rows["release/0.4"].claim, rows["release/0.4"].agents) == (None, [])
        assert f"checked out in {odd.folder}/wt\\nnewline" in rows["feat-auth"].reasons
        assert rows["feat-auth"].worktree.path == f"{odd.folder}/wt\nnewline"

    def test_a_locked_worktree_on_an_absent_disk_is_not_prunable(self, odd: House, rows: Any) -> None:
        row = rows["ünï/日本"]
        assert (row.worktree.locked, row.worktree.missing, row.worktree.prunable) == ("usb disk, 'away'", True, None)
        said = f"worktree {odd.folder}/wt-locked is locked (usb disk, 'away') and its folder is absent"
        assert said in row.reasons
        assert "prunable" not in " ".join(row.reasons)

    def test_a_tag_of_that_name_does_not_make_a_branch(self, rows: Any) -> None:
        row = rows["feat/missing-but-a-tag"]
        assert row.reasons == ["git has no such branch", "kestrel-9 holds a claim on it"]
        assert (row.head, row.worktree, row.dirty) == (None, None, None)

    def test_the_detached_worktree_is_listed_and_is_no_branch(self, odd: House) -> None:
        found = act(odd.room, None, "branches --all --details")
        (detached,) = [tree for tree in found.worktrees if tree.detached]
        assert (detached.path, detached.branch, detached.dirty) == (f"{odd.folder}/wt-detached", None, 0)
        assert len(found.worktrees) == 7

    def test_a_file_dirty_in_two_trees_overlaps_and_names_the_claim_over_it(self, tmp_path: Path) -> None:
        odd = make_odd_house(tmp_path)
        (overlap,) = act(odd.room, None, "branches --details").overlaps
        assert overlap == ("src/auth.py", [f"{odd.folder}/wt auth", f"{odd.folder}/wt-tree"], None)
        act(odd.room, "kestrel-9", "claim src")
        (overlap,) = act(odd.room, None, "branches --details").overlaps
        assert overlap.claim.holder == "kestrel-9"

    def test_git_is_not_asked_for_what_nobody_looks_at(self, odd: House) -> None:
        found = act(odd.room, None, "branches --all")
        assert {row[-5:] for row in found.branches} == {(None,) * 5}
        assert {tree.dirty for tree in found.worktrees} == {None}
        assert found.overlaps == []

    def test_attention_names_what_needs_the_operator(self, odd: House) -> None:
        items = act(odd.room, None, "attention").items
        assert [(item.kind, item.subject) for item in items] == [
            ("contested", "feat/tree"),
            ("orphaned", "feat/orphan"),
            ("missing", "feat/missing-but-a-tag"),
            ("wrong_worktree", "claude-1"),
        ]
        commands = [" ".join(item.command[:4]) for item in items]
        assert commands == [
            "relay send --to claude-1", "relay branch release feat/orphan",
            "relay branch release feat/missing-but-a-tag", "relay send --to claude-1",
        ]  # fmt: skip

    def test_every_act_and_look_leaves_the_repository_as_it_was(self, tmp_path: Path) -> None:
        odd = make_odd_house(tmp_path)
        before = tuple(git(odd.repository, *words) for words in (("show-ref",), ("worktree", "list", "--porcelain")))
        for line in ("branches --all --details", "attention", "branch show feat/tree --patch", "branches --mine"):
            act(odd.room, "codex-3", line)
        act(odd.room, "codex-3", "branch release feat/auth")
        act(odd.room, "operator", "branch release feat/orphan --force --reason gone")
        after = tuple(git(odd.repository, *words) for words in (("show-ref",), ("worktree", "list", "--porcelain")))
        assert after == before
        odd.assert_whole()

    def test_filters_by_flag_and_by_who_is_concerned(self, odd: House) -> None:
        assert branch_names(act(odd.room, None, "branches --flag contested --flag orphaned")) == [
            "feat/tree", "feat/orphan",
        ]  # fmt: skip
        assert branch_names(act(odd.room, None, "branches --flag quiet")) == ["feat/quiet", "main", "origin/x"]
        assert branch_names(act(odd.room, "claude-1", "branches --mine")) == ["feat/tree"]
        assert branch_names(act(odd.room, "kestrel-9", "branches --mine")) == ["feat/tree", "feat/missing-but-a-tag"]
        assert refused(odd.room, None, "branches --flag lost").code == "usage"
        assert refused(odd.room, None, "branches --mine").code == "usage"

    def test_a_branch_in_full(self, odd: House) -> None:
        found = act(odd.room, None, "branch show feat/tree --patch")
        assert [one.subject for one in found.commits] == ["new file"]
        assert [tuple(one) for one in found.files] == [("new.py", 1, 0)]
        assert "+more" in found.patch
        assert (found.branch.flag, found.branch.dirty) == ("contested", 1)
        assert act(odd.room, None, "branch show feat/tree").patch is None
        missing = act(odd.room, None, "branch show feat/missing-but-a-tag")
        assert (missing.branch.flag, missing.commits, missing.files) == ("missing", [], [])

    def test_text_for_people_is_inert_and_gives_the_reasons(self, odd: House) -> None:
        lines = list(told_branches(act(odd.room, None, "branches --all --details"), odd.clock()))
        assert lines[0] == "1 contested · 1 orphaned · 1 missing · 3 unclaimed · 1 clear · 3 quiet"
        assert "      claude-1 is live on it, and the claim is kestrel-9's" in lines
        assert "src/auth.py: dirty in 2 trees" in lines
        assert all(line.isprintable() for line in lines)

    def test_ages_are_moments_in_json(self, odd: House) -> None:
        row = to_json(act(odd.room, None, "branches --flag orphaned").branches[0])
        assert row["claim"]["holder_last_seen"] == "2026-11-30T09:00:00.000000Z"
        assert row["committed_at"] == "2026-11-30T09:00:00.000000Z"


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
        assert row.reasons == ["a is live on it, and the claim is a's in room repo"]

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

    def test_a_bare_repository_with_worktrees(self, tmp_path: Path, house: House) -> None:
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

    def test_another_room_named_from_here_shows_that_rooms_repository(self, house: House) -> None:
        act(house.room, "operator", "init")
        git(house.repository, "branch", "feat/of-the-room")
        here = make_repository(f"{house.folder}/here")
        commit(here, "first", {"a": "a"})
        found = act(house.enter(here, "repo"), None, "branches --all")
        assert branch_names(found) == ["feat/of-the-room", "main"]

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
        assert found.doubts == ["git: disk on fire"]
