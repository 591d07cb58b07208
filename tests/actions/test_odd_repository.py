"""The odd repository of the cases, with the facts of the cases in its room: every row that must come of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from relay_tui.base.times import DAY
from relay_tui.cli.output import to_json
from relay_tui.cli.texts.branches import branches as told_branches
from relay_tui.room.branches import BranchView
from tests.actions.acting import act, refused
from tests.repo.git_fixture import (
    build_odd_repository,
    git,
    isolate_git,
)
from tests.room_fixture import House


@pytest.fixture(autouse=True)
def isolated_git(monkeypatch: pytest.MonkeyPatch) -> None:
    isolate_git(monkeypatch)


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
        assert [tuple(agent) for agent in row.agents] == [("repo", "codex-3", "live", "reported")]
        assert [tuple(one)[:4] for one in row.mismatches] == [("repo", "claude-1", "feat/auth", "feat/tree")]
        assert (row.worktree.path, row.worktree.dirty, row.dirty) == (f"{odd.folder}/wt auth", 1, 1)

    def test_a_contested_branch_names_the_holder_and_who_was_seen_on_it(self, odd: House, rows: Any) -> None:
        row = rows["feat/tree"]
        assert row.reasons == ["claude-1 is live on it, and the claim is kestrel-9's"]
        assert [tuple(agent) for agent in row.agents] == [("repo", "claude-1", "live", "observed")]
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
        assert overlap == ("src/auth.py", [f"{odd.folder}/wt auth", f"{odd.folder}/wt-tree"], None, [])
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
            ("overlap", "src/auth.py"),
        ]
        commands = [" ".join(item.command[:4]) for item in items]
        assert commands == [
            "relay send --to claude-1", "relay branch release feat/orphan",
            "relay branch release feat/missing-but-a-tag", "relay send --to claude-1", "relay send --to codex-3",
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
        assert f"src/auth.py: dirty in 2 trees ({odd.folder}/wt auth, {odd.folder}/wt-tree)" in lines
        assert all(line.isprintable() for line in lines)

    def test_ages_are_moments_in_json(self, odd: House) -> None:
        row = to_json(act(odd.room, None, "branches --flag orphaned").branches[0])
        assert row["claim"]["holder_last_seen"] == "2026-11-30T09:00:00.000000Z"
        assert row["committed_at"] == "2026-11-30T09:00:00.000000Z"
