"""`git worktree list --porcelain` to records, and what the folders themselves say of each.

Reads small files inside the worktrees and their git directories; starts no process.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from relay_tui.base.places import HEADS, find_repository, linked_git_dir, read_small
from relay_tui.repo.facts import Worktree
from relay_tui.repo.runner import decode

if TYPE_CHECKING:
    from collections.abc import Collection

Record = dict[str, str]

# What git says of a worktree, and of its HEAD always one; anything else is the rest of a path that holds a line end.
_ATTRIBUTES = frozenset(("worktree", "locked", "prunable", "HEAD", "branch", "detached", "bare"))
_OF_HEAD = frozenset(("branch", "detached", "bare"))
_REBASING = frozenset(("rebase-merge", "rebase-apply"))
_PICKING = {"MERGE_HEAD": "merge", "CHERRY_PICK_HEAD": "cherry-pick", "REVERT_HEAD": "revert"}


def parse_worktrees(answer: bytes, end: bytes) -> list[Record]:
    """One dictionary a worktree, main first. `end` ends a field: NUL, or a newline before git 2.36."""
    records = [dict(map(_field, chunk.split(end))) for chunk in answer.split(end + end) if chunk]
    return [record for record in records if "worktree" in record]


def is_doubtful(record: Record) -> bool:
    """Whether a record that was read by lines cannot be all that git meant to say."""
    return not (record.keys() <= _ATTRIBUTES and record.keys() & _OF_HEAD)


def look_at_worktree(
    record: Record, main: bool, repository: str, refs: Collection[str], *, by_lines: bool = False
) -> Worktree:
    """The record joined with its folder. `refs` are the branches git has: a bisect may name a commit."""
    listed, head = record["worktree"], record.get("HEAD", "")
    path = os.path.realpath(listed)  # agents' paths are real, and git lists what led there
    git_dir = repository if main else linked_git_dir(path) or ""
    missing = (main or not git_dir) and not os.path.isdir(path)
    is_ours = main or missing or _is_linked(path, git_dir, repository)
    elsewhere = not is_ours and _is_elsewhere(path, repository)
    lost = not (is_ours or elsewhere)
    busy, left_branch = _progress(git_dir) if is_ours and not missing else (None, None)
    branch = record.get("branch") or (left_branch if left_branch in refs else None)
    return Worktree(
        path=listed if lost else path,
        head=head if head.strip("0") else None,
        branch=branch,
        main=main,
        detached="detached" in record and branch is None,
        bare="bare" in record,
        unborn="branch" in record and not head.strip("0"),
        busy=busy,
        locked=record.get("locked"),
        prunable=record.get("prunable"),
        missing=missing,
        elsewhere=elsewhere,
        doubtful=by_lines and is_doubtful(record),
        lost=lost,
    )


def is_main_worktree(folder: str, repository: str) -> bool:
    """Whether `folder/.git` is, or points to, the common dir itself rather than a linked worktree's."""
    dot_git = os.path.join(folder, ".git")
    return repository == os.path.realpath(dot_git if os.path.isdir(dot_git) else linked_git_dir(folder) or "")


def _field(line: bytes) -> tuple[str, str]:
    name, _, value = decode(line).partition(" ")
    return name, value


def _is_linked(path: str, git_dir: str, repository: str) -> bool:
    """Whether the folder names a git directory of this repository, and that one names the folder."""
    back = read_small(os.path.join(git_dir, "gitdir")) if git_dir else None
    if not (back and _same(os.path.dirname(git_dir), os.path.join(repository, "worktrees"))):
        return False
    return _same(os.path.join(git_dir, back), os.path.join(path, ".git"))


def _same(one: str, other: str) -> bool:
    """Whether two paths lead to one place; nearly always they are spelled alike, and links cost a look at each part."""
    return one == other or os.path.realpath(one) == os.path.realpath(other)


def _is_elsewhere(path: str, repository: str) -> bool:
    found = find_repository(path)
    return found is not None and found.worktree == os.path.realpath(path) and found.common_dir != repository


def _progress(git_dir: str) -> tuple[str | None, str | None]:
    """What git is in the middle of, and the branch it will come back to."""
    there = _names_in(git_dir)
    for state in _REBASING & there:
        if os.path.exists(os.path.join(git_dir, state, "applying")):
            return "am", None
        if head_name := read_small(os.path.join(git_dir, state, "head-name")):
            return "rebase", head_name
    for name, busy in _PICKING.items():
        if name in there:
            return busy, None
    if "BISECT_LOG" in there:
        return "bisect", HEADS + (read_small(os.path.join(git_dir, "BISECT_START")) or "")
    return None, None


def _names_in(folder: str) -> set[str]:
    """What is in a folder, by one look for all of it; nothing where it cannot be read."""
    try:
        return set(os.listdir(folder)) if folder else set()
    except OSError:
        return set()
