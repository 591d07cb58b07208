"""One repository's facts: its worktrees, its branches and its default branch.

That takes two git processes, a third where `origin/HEAD` is not there, and more for a submodule or a lost commit.

Reads only. What costs a process for each row is in `details`; what the facts mean is the join's to say.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from relay_tui.base.errors import RelayError
from relay_tui.base.places import HEADS, find_repository, head_branch
from relay_tui.base.times import SECOND
from relay_tui.repo.facts import Branch, GitFacts, Worktree
from relay_tui.repo.runner import DEADLINE, GitError, GitProcess, decode, run, start, understood
from relay_tui.repo.worktrees import Record, is_main_worktree, look_at_worktree, parse_worktrees

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

_LIST_WORKTREES = ("worktree", "list", "--porcelain")
_ORIGIN_HEAD = "refs/remotes/origin/HEAD"
_REFS = (HEADS, _ORIGIN_HEAD)
_NAMES = "--format=%(refname)%00%(objectname)%00%(upstream)%00%(symref)"
_DATES = "%00%(committerdate:unix)"
_DATES_OF_HEADS = (
    "log", "--no-show-signature", "--no-walk=unsorted", "--ignore-missing", "--branches", "--format=%H%x00%ct",
)  # fmt: skip
_USAGE = 129

_Row = list[str]  # refname, objectname, upstream, symref[, committer date]


@understood("worktree or for-each-ref")
def read_git(folder: str, clock: Callable[[], int], deadline: float = DEADLINE) -> GitFacts:
    """The facts of the repository around `folder` (DESIGN §6.4).

    Raises `no_file` outside a repository or without git, `refused` where git does not trust the owner,
    `timeout` after `deadline` seconds, `invalid` with git's own words for the rest.
    """
    read_at = clock()
    with (
        start(folder, *_LIST_WORKTREES, "-z", deadline=deadline) as trees,
        start(folder, "for-each-ref", _NAMES + _DATES, *_REFS, deadline=deadline) as heads,
    ):
        # Branches first: theirs is the long answer, and a pipe holds 64 KiB.
        rows, doubts = _read_rows(heads, folder, deadline)
        records, more_doubts, by_lines = _read_records(trees, folder, deadline)
    repository = _common_dir(records[0]["worktree"])
    _settle_main_path(records[0], folder, repository, deadline)
    branches = [_branch(row) for row in rows if row[0] != _ORIGIN_HEAD]
    refs = {branch.ref for branch in branches}
    worktrees = [
        look_at_worktree(record, not place, repository, refs, by_lines=by_lines) for place, record in enumerate(records)
    ]
    origin = next((row[3] for row in rows if row[0] == _ORIGIN_HEAD), "")
    configured = None if origin else _config(folder, "init.defaultBranch", deadline)
    default = _default_branch(refs, origin, configured, _main_branch(worktrees[0], repository, refs))
    facts = GitFacts(repository, default, branches, worktrees, doubts + more_doubts, read_at)
    if branches and facts.default_head is None:
        facts.warnings.append(no_default_branch().in_a_line)
    return facts


def no_default_branch() -> RelayError:
    """What cannot be compared is said, since "no change" would be a fact."""
    return RelayError(
        "invalid",
        "git names no default branch with a commit on it, so nothing is compared with one.",
        "Name it: git remote set-head origin --auto, or git config init.defaultBranch NAME.",
    )


def _default_branch(refs: Collection[str], origin: str, configured: str | None, main: str | None) -> str | None:
    """`origin/HEAD`, else `init.defaultBranch`, else main or master, else the branch of the `main` worktree.

    A local branch stands for its remote namesake; the last may be unborn.
    """
    if origin:
        local = origin.replace("refs/remotes/origin/", HEADS, 1)
        return local if local in refs else origin
    for name in (configured or "main", "main", "master"):
        if HEADS + name in refs:
            return HEADS + name
    return main


def _main_branch(main: Worktree, repository: str, refs: Collection[str]) -> str | None:
    """The main worktree's; a bare repository names one too, which in one that was made empty is often not there."""
    name = head_branch(repository) if main.bare else None
    return HEADS + name if name and HEADS + name in refs else main.branch


def _read_rows(heads: GitProcess, folder: str, deadline: float) -> tuple[list[_Row], list[str]]:
    """One branch whose commit is lost makes git refuse every date: then those of the others are asked for apart."""
    try:
        return _rows(heads.output()), _doubts(heads)
    except GitError as failure:
        if failure.code != "invalid":
            raise
        lost = failure.message
    with start(folder, "for-each-ref", _NAMES, *_REFS, deadline=deadline) as dateless:
        rows = _rows(dateless.output())
        doubts = [f"{lost}. That branch has no date.", *_doubts(dateless)]
    dates = dict(_rows(run(folder, *_DATES_OF_HEADS, deadline=deadline)))
    return [[*row, dates.get(row[1], "")] for row in rows], doubts


def _read_records(trees: GitProcess, folder: str, deadline: float) -> tuple[list[Record], list[str], bool]:
    """The records, what git complained of, and whether they had to be read by lines."""
    try:
        return parse_worktrees(trees.output(), b"\0"), _doubts(trees), False
    except GitError as failure:
        if failure.status != _USAGE:
            raise
        answer = run(folder, *_LIST_WORKTREES, deadline=deadline)
        doubt = "This git is older than 2.36: worktree paths and lock reasons with line ends are not exact."
        return parse_worktrees(answer, b"\n"), [doubt], True


def _rows(answer: bytes) -> list[_Row]:
    return [line.split("\0") for line in decode(answer).split("\n") if line]


def _doubts(process: GitProcess) -> list[str]:
    return [f"git: {complaint.partition(': ')[2]}." for complaint in process.complaints]


def _branch(row: _Row) -> Branch:
    date = row[4] if len(row) > 4 else ""
    return Branch(row[0], row[1], int(date) * SECOND if date else None, row[2] or None)


def _common_dir(main_path: str) -> str:
    """Git names the main worktree by its common dir without `/.git`, so that is where to look for it."""
    place = find_repository(main_path)
    return place.common_dir if place else os.path.realpath(main_path)


def _settle_main_path(main: Record, folder: str, repository: str, deadline: float) -> None:
    """Git lists a submodule, or a git directory kept apart, under that directory: say where its tree is."""
    if "bare" in main or os.path.realpath(main["worktree"]) != repository:
        return
    place = find_repository(folder)
    if configured := _config(folder, "core.worktree", deadline):
        main["worktree"] = os.path.normpath(os.path.join(repository, configured))
    elif place and place.worktree and is_main_worktree(place.worktree, repository):
        main["worktree"] = place.worktree


def _config(folder: str, key: str, deadline: float) -> str | None:
    try:
        return decode(run(folder, "config", "--null", "--get", key, deadline=deadline)).rstrip("\0")
    except GitError as failure:
        if failure.status != 1:  # 1 is "not set"
            raise
        return None
