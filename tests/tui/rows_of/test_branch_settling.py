from __future__ import annotations

from relay_tui.base.times import DAY, MINUTE
from relay_tui.room.branches import BranchView
from relay_tui.tui.rows_of.branch_settling import SETTLED_FOR, settle_by_git
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
    assert found.argv == ["git", "branch", "-d", "docs/typos"]


def test_a_branch_that_may_have_been_made_just_now_is_left_alone():
    assert settled(MERGED._replace(committed_at=NOW - MINUTE)) is None
    assert settled(MERGED._replace(behind_default=0)) is None
    assert settled(MERGED._replace(ahead_default=1)) is None
    assert settled(MERGED._replace(branch="main")) is None
