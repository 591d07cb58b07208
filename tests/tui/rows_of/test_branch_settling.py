from __future__ import annotations

import os
import subprocess

import pytest

from relay_tui.base.times import DAY, MINUTE
from relay_tui.room.branches import BranchView, WorktreeView
from relay_tui.room.standing import Mismatch
from relay_tui.tui.rows_of.branch_settling import SETTLED_FOR, Settling, settle_by_git
from tests.room_fixture import STARTED_AT

NOW = STARTED_AT
BLANK = BranchView("docs/typos", "quiet", [], None, None, [], [], [], *[None] * 8)
MERGED = BLANK._replace(head="a" * 40, committed_at=NOW - SETTLED_FOR - DAY, ahead_default=0, behind_default=3)


def settled(branch: BranchView) -> list[str] | None:
    found = settle_by_git(branch, {}, "main", NOW)
    return found.argv if found else None


def test_what_was_merged_long_ago_may_be_deleted_and_says_that_it_deletes():
    found = settle_by_git(MERGED, {}, "main", NOW)
    assert found is not None and found.deletes
    assert found.argv == ["git", "branch", "-d", "--", "docs/typos"]


def test_a_branch_that_may_have_been_made_just_now_is_left_alone():
    assert settled(MERGED._replace(committed_at=NOW - MINUTE)) is None
    assert settled(MERGED._replace(behind_default=0)) is None
    assert settled(MERGED._replace(ahead_default=1)) is None
    assert settled(MERGED._replace(branch="main")) is None


MISSING = BLANK._replace(flag="missing")


@pytest.mark.parametrize("name", ["-D", "--force", "-M", "HEAD", "a b", "x..y"])
def test_a_name_that_git_refuses_makes_no_line(name: str):
    assert settled(MISSING._replace(branch=name)) is None
    assert settled(MERGED._replace(branch=name)) is None
    found = settle_by_git(MISSING, {}, name, NOW)
    assert found is not None and found.argv == ["git", "branch", "--", "docs/typos"]


def test_what_nobody_answers_for_is_freed_before_git_forgets_its_folder():
    tree = WorktreeView("/r/wt", None, "y", False, False, False, False, None, None, None, True, False, None)
    assert settled(BLANK._replace(worktree=tree)) == ["git", "worktree", "remove", "--", "/r/wt"]
    assert settled(BLANK._replace(worktree=tree, flag="orphaned")) is None


def test_names_stand_behind_the_end_of_options():
    tree = WorktreeView("/r/wt", None, "y", False, False, False, False, None, None, None, False, False, None)
    there = BLANK._replace(branch="y", worktree=tree, head="b" * 40)
    astray = BLANK._replace(head="a" * 40, mismatches=[Mismatch("r", "a", "docs/typos", "y", True, "")])
    lines = [
        settled(MISSING), settled(MERGED), settled(MERGED._replace(worktree=tree, dirty=0)),
        settle_by_git(astray, {"y": there}, "main", NOW).argv,
        settled(BLANK._replace(worktree=tree._replace(missing=True))),
        settled(BLANK._replace(worktree=tree._replace(missing=True, locked="usb"))),
    ]  # fmt: skip
    assert all(line is not None and "--" in line for line in lines)


@pytest.mark.parametrize(
    "path", ["/r/a b", "/r/it's", "/r/a\nb", "/r/\x1b]0;x\x07", "/r/\udce9", "/r/$(x)`y`", "/r/日本"]
)
def test_a_shell_makes_the_very_path_of_the_line_to_copy(path: str):
    line = Settling(["printf", "%s", path], "").line
    assert line.isprintable()
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=True)
    assert os.fsdecode(done.stdout) == path
