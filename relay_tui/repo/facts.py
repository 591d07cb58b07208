"""What git says of one repository, as plain records: no process, no git library, no opinion.

The join reads these, so nothing here may import anything but the record. Refs are full (`refs/heads/x`),
times are microseconds UTC, text that is not UTF-8 carries surrogate escapes. None means "git does not say".
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple


class Worktree(NamedTuple):
    """One checkout.

    In the middle of a rebase or a bisect git detaches HEAD; the tree still counts as its branch and is
    `busy`. `detached` means that it stands on no branch at all. `locked` and `prunable` are git's reasons,
    empty where none was given. `elsewhere` is another repository in its place, `lost` a folder that is no
    worktree any more. `dirty` counts changed paths once somebody has looked. `doubtful` says that git's
    answer about this tree could not be read for certain.
    """

    path: str
    head: str | None
    branch: str | None
    main: bool
    detached: bool
    bare: bool
    unborn: bool
    busy: str | None
    locked: str | None
    prunable: str | None
    missing: bool
    elsewhere: bool
    dirty: int | None = None
    doubtful: bool = False
    lost: bool = False

    @property
    def has_files(self) -> bool:
        """Whether there are files of this repository to look at."""
        return not (self.missing or self.elsewhere or self.lost or self.bare)


class Branch(NamedTuple):
    ref: str
    head: str
    committed_at: int | None
    upstream: str | None


class GitFacts(NamedTuple):
    """The whole repository at `read_at`. `repository` is its real, absolute common dir."""

    repository: str
    default_branch: str | None
    branches: list[Branch]
    worktrees: list[Worktree]
    warnings: list[str]
    read_at: int

    @property
    def default_head(self) -> str | None:
        """The default branch's commit, or its ref where it is a remote one; None while it is unborn."""
        local = (branch.head for branch in self.branches if branch.ref == self.default_branch)
        return next(local, self.default_branch if (self.default_branch or "").startswith("refs/remotes/") else None)

    @property
    def standpoint(self) -> str:
        """Where git is asked: the main worktree, since `safe.bareRepository` refuses a `.git` from inside."""
        main = self.worktrees[0]
        return self.repository if main.missing else main.path


class BranchDetails(NamedTuple):
    """What costs a process to know. `trouble` says why a number that git should have is None."""

    ahead_upstream: int | None
    behind_upstream: int | None
    ahead_default: int | None
    behind_default: int | None
    dirty: int | None
    trouble: list[str]


class Commit(NamedTuple):
    commit: str
    subject: str
    author: str
    at: int


class FileChange(NamedTuple):
    """Lines added and deleted in one path; both None where git calls it binary."""

    path: str
    added: int | None
    deleted: int | None
