"""One branch in full: its commits, its changed files and its diff, each against the default branch. Reads only."""

from __future__ import annotations

import time

from relay_tui.base.names import unknown_branch
from relay_tui.base.places import HEADS
from relay_tui.base.times import SECOND
from relay_tui.repo.facts import Branch, Commit, FileChange, GitFacts
from relay_tui.repo.reader import no_default_branch
from relay_tui.repo.runner import DEADLINE, GitError, decode, run, understood

_EMPTY_TREES = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_DIFF = ("diff-tree", "-r", "--no-ext-diff", "--no-textconv", "--no-color")


@understood("log")
def read_commits(facts: GitFacts, ref: str, limit: int) -> list[Commit]:
    """The newest commits that the default branch lacks; of the default branch itself, its newest.

    Raises `unknown_branch`, `invalid` without a default branch, and what `read_git` raises.
    """
    branch = _find(facts, ref)
    without = [] if ref == facts.default_branch else [f"^{_base(facts)}"]
    options = ("--no-show-signature", "--encoding=UTF-8", "--format=%H%x00%s%x00%an%x00%ct", f"-n{limit}")
    answer = run(facts.standpoint, "log", *options, branch.head, *without, "--")
    fields = [line.split("\0") for line in decode(answer).split("\n") if line]
    return [Commit(commit, subject, author, int(at) * SECOND) for commit, subject, author, at in fields]


@understood("diff-tree")
def read_diffstat(facts: GitFacts, ref: str) -> list[FileChange]:
    """Files changed since the merge base with the default branch; a rename is a removal and an addition."""
    answer = _diff(facts, ref, "--numstat", "-z", "--no-renames")
    return [_file_change(entry) for entry in answer.split("\0") if entry]


def read_patch(facts: GitFacts, ref: str) -> str:
    """The diff since the merge base with the default branch, as git prints it: not inert."""
    return _diff(facts, ref, "-p", "--find-renames")


@understood("merge-base")
def _diff(facts: GitFacts, ref: str, *options: str) -> str:
    ends = time.monotonic() + DEADLINE
    sides = _sides(facts, _find(facts, ref))
    return decode(run(facts.standpoint, *_DIFF, *options, *sides, deadline=ends - time.monotonic()))


def _base(facts: GitFacts) -> str:
    if facts.default_head is None:
        raise no_default_branch()
    return facts.default_head


def _sides(facts: GitFacts, branch: Branch) -> tuple[str, str]:
    """Both ends of the branch's diff; unrelated histories are compared with nothing at all."""
    if branch.ref == facts.default_branch:
        return branch.head, branch.head
    try:
        answer = run(facts.standpoint, "merge-base", _base(facts), branch.head)
    except GitError as failure:
        if failure.status != 1:  # 1 is "there is none"
            raise
        return _EMPTY_TREES[len(branch.head)], branch.head
    return decode(answer).strip(), branch.head


def _file_change(entry: str) -> FileChange:
    added, deleted, path = entry.split("\t", 2)
    return FileChange(path, None if added == "-" else int(added), None if deleted == "-" else int(deleted))


def _find(facts: GitFacts, ref: str) -> Branch:
    known = {branch.ref: branch for branch in facts.branches}
    if ref not in known:
        raise unknown_branch(ref.removeprefix(HEADS), [name.removeprefix(HEADS) for name in known])
    return known[ref]
