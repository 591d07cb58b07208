"""What costs a git process a row: ahead and behind, uncommitted files, and the paths that a branch changed.

For the rows that somebody looks at, never for all at once unasked. Reads only.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from relay_tui.base.errors import RelayError
from relay_tui.base.places import HEADS
from relay_tui.repo.facts import Branch, BranchDetails, GitFacts, Worktree
from relay_tui.repo.reader import no_default_branch
from relay_tui.repo.runner import DEADLINE, GitError, decode, run, understood

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    Dirty: TypeAlias = dict[str, list[str] | RelayError]
    Changed: TypeAlias = dict[str, set[str]]  # commits by the path that they changed

STATUS_DEADLINE = 5.0  # seconds, for what is not committed in one worktree
WORKERS = 4  # more gained nothing on two cores
ALL_DEADLINE = 60.0  # seconds, for all the rows of one call
COMMITS_COMPARED = 1000  # of one branch, the newest

_PATHS_OF_COMMITS = (
    "log", "--no-show-signature", "-c", "--no-renames", "--no-relative", "--no-ext-diff", "--no-color",
    "--raw", "-z", "--format=%H", f"-n{COMMITS_COMPARED}",
)  # fmt: skip

Key = TypeVar("Key")
Answer = TypeVar("Answer")


def read_details(
    facts: GitFacts, refs: Iterable[str], deadline: float = ALL_DEADLINE, dirty: Dirty | None = None
) -> dict[str, BranchDetails]:
    """Each ref with its numbers; a failure is the row's own `trouble` and never another row's.

    `dirty` is what `read_dirty` said of their worktrees before; without it they are asked now.
    """
    ends = time.monotonic() + deadline
    asked = list(dict.fromkeys(refs))
    heads = {branch.ref: branch for branch in facts.branches}
    default, folder = facts.default_head, facts.standpoint
    pairs = {ref: _pairs(heads.get(ref), default) for ref in asked}
    counts = _in_parallel(
        lambda pair, left: _ahead_behind(folder, *pair, left),
        {pair for both in pairs.values() for pair in both if pair},
        ends - time.monotonic(),
    )
    trees = {ref: [tree.path for tree in facts.worktrees if _is_tree_of(tree, ref)] for ref in asked}
    if dirty is None:
        dirty = read_dirty([path for paths in trees.values() for path in paths], ends - time.monotonic())
    return {
        ref: _details(
            [_named(ref.removeprefix(HEADS), counts[pair]) if pair else None for pair in pairs[ref]],
            [dirty[path] for path in trees[ref] if path in dirty],
        )
        for ref in asked
    }


def read_dirty(paths: Iterable[str], deadline: float = ALL_DEADLINE) -> Dirty:
    """`dirty_paths` of many worktrees at once; an error that names it stands where one could not be read."""

    def look(path: str, left: float) -> list[str]:
        return dirty_paths(path, min(left, STATUS_DEADLINE))

    return {path: _named(path, found) for path, found in _in_parallel(look, paths, deadline).items()}


def dirty_paths(worktree_path: str, deadline: float = DEADLINE) -> list[str]:
    """Paths changed, staged or untracked, from the tree's top; a repository nested in it is not its work."""
    options = ("--porcelain=v1", "-z", "--no-renames", "--untracked-files=all")
    entries = decode(run(worktree_path, "status", *options, deadline=deadline)).split("\0")
    return [entry[3:] for entry in entries if entry and not (entry.startswith("??") and entry.endswith("/"))]


def read_changed(
    facts: GitFacts, refs: Iterable[str], deadline: float = ALL_DEADLINE
) -> dict[str, Changed | RelayError]:
    """What each branch changed since it left the default branch: its commits by path; of a merge, what is in
    neither side.

    The default branch has changed nothing; of any other the newest 1,000 commits are looked at.
    """
    default, folder = facts.default_head, facts.standpoint
    heads = {branch.ref: branch.head for branch in facts.branches}
    asked = {ref: heads[ref] for ref in refs if ref in heads}
    if default is None:
        return dict.fromkeys(asked, no_default_branch())

    def look(head: str, left: float) -> tuple[Changed, bool]:
        return _changed(folder, default, head, left)

    ends = time.monotonic() + deadline
    windows = _in_parallel(look, asked.values(), deadline)
    found = {head: window if isinstance(window, RelayError) else window[0] for head, window in windows.items()}
    cut = [head for head, window in windows.items() if not isinstance(window, RelayError) and window[1]]
    left = ends - time.monotonic()
    _complete(found, _in_parallel(lambda head, left: _commits_of(folder, default, head, left), cut, left))
    return {ref: _named(ref.removeprefix(HEADS), found[head]) for ref, head in asked.items()}


def _complete(found: dict[str, Changed | RelayError], whole: dict[str, set[str] | RelayError]) -> None:
    """Give branches that were cut off the older commits that others show of them, lest they seem to lack those."""
    shown: Changed = {}
    for changed in found.values():
        for path, commits in () if isinstance(changed, RelayError) else changed.items():
            shown.setdefault(path, set()).update(commits)
    for head, own in whole.items():
        if isinstance(own, RelayError):
            found[head] = own
        else:
            found[head] = {path: shared for path, commits in shown.items() if (shared := commits & own)}


def _commits_of(folder: str, base: str, head: str, deadline: float) -> set[str]:
    return set(decode(run(folder, "rev-list", head, f"^{base}", "--", deadline=deadline)).split())


def _named(name: str, answer: Answer | RelayError) -> Answer | RelayError:
    """An error says whose it is."""
    if not isinstance(answer, RelayError):
        return answer
    return RelayError(answer.code, f"{name}: {answer.message}", answer.hint)


def _in_parallel(
    look: Callable[[Key, float], Answer], keys: Iterable[Key], deadline: float
) -> dict[Key, Answer | RelayError]:
    ends = time.monotonic() + deadline
    unique = list(dict.fromkeys(keys))

    def attempt(key: Key) -> Answer | RelayError:
        try:
            return look(key, min(DEADLINE, ends - time.monotonic()))
        except RelayError as error:
            return error

    with ThreadPoolExecutor(WORKERS) as pool:
        return dict(zip(unique, pool.map(attempt, unique), strict=True))


def _pairs(branch: Branch | None, default: str | None) -> list[tuple[str, str] | None]:
    """What to count the branch against: its upstream and the default branch, where there are any."""
    if branch is None:
        return [None, None]
    return [(base, branch.head) if base else None for base in (branch.upstream, default)]


@understood("rev-list")
def _ahead_behind(folder: str, base: str, head: str, deadline: float) -> tuple[int, int]:
    if base == head:
        return 0, 0
    ends = time.monotonic() + deadline
    try:
        answer = run(folder, "rev-list", "--left-right", "--count", f"{base}...{head}", "--", deadline=deadline)
    except GitError:
        _refuse_gone(folder, base, ends - time.monotonic())
        raise
    behind, ahead = answer.split()
    return int(ahead), int(behind)


def _refuse_gone(folder: str, base: str, deadline: float) -> None:
    """Raises `invalid` where an upstream is no more: git's own word for it is "bad revision"."""
    if not base.startswith("refs/") or run(folder, "for-each-ref", base, deadline=deadline):
        return
    name = base.removeprefix("refs/remotes/").removeprefix(HEADS)
    raise RelayError("invalid", f"upstream {name} is gone", "Run: git branch --unset-upstream, or push it again.")


@understood("log")
def _changed(folder: str, base: str, head: str, deadline: float) -> tuple[Changed, bool]:
    """The newest commits by path, and whether there may be older ones.

    In git's answer a path follows each entry that begins with a colon, and every other word is a commit.
    """
    changed: Changed = {}
    if base == head:
        return changed, False
    words = iter(decode(run(folder, *_PATHS_OF_COMMITS, head, f"^{base}", "--", deadline=deadline)).split("\0"))
    commit, count = "", 0
    for word in words:
        if word.lstrip("\n").startswith(":"):
            changed.setdefault(next(words), set()).add(commit)
        elif word:
            commit, count = word, count + 1
    return changed, count >= COMMITS_COMPARED


def _is_tree_of(tree: Worktree, ref: str) -> bool:
    return tree.branch == ref and tree.has_files


def _details(counts: list[tuple[int, int] | RelayError | None], dirty: list[list[str] | RelayError]) -> BranchDetails:
    """Dirty is None without a tree to look at, and where one of several could not be read."""
    trouble = [answer.message for answer in (*counts, *dirty) if isinstance(answer, RelayError)]
    (ahead_upstream, behind_upstream), (ahead_default, behind_default) = (
        answer if isinstance(answer, tuple) else (None, None) for answer in counts
    )
    lengths = [len(paths) for paths in dirty if not isinstance(paths, RelayError)]
    total = sum(lengths) if lengths and len(lengths) == len(dirty) else None
    return BranchDetails(ahead_upstream, behind_upstream, ahead_default, behind_default, total, trouble)
