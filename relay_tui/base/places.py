"""Where things are: the home, and the repository around a folder, read from its files alone.

No process and no git library: the hot path stands on this. It is tested against `git rev-parse`.
"""

from __future__ import annotations

import os
import sys

from relay_tui.base.errors import RelayError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

DATABASE = "relay.db"
HEADS = "refs/heads/"
_LINK = "gitdir: "
_NAMES = "ref: "
_ON_BRANCH = _NAMES + HEADS
_REFTABLE = _ON_BRANCH + ".invalid"  # what git writes where HEAD itself is in a table


class Repository(NamedTuple):
    """A git repository as seen from one folder; both paths are real and absolute."""

    common_dir: str
    worktree: str | None


class Checkout(NamedTuple):
    """What a worktree stands on: no branch where HEAD is detached, no commit before the first; neither where the
    files do not tell."""

    branch: str | None
    commit: str | None


def find_home(environ: Mapping[str, str]) -> str:
    """`$RELAY_HOME`, else the platform's user data folder + `/relay` (DESIGN §2).

    Raises `no_file` where the former counts from a folder that was deleted.
    """
    if environ.get("RELAY_HOME"):
        try:
            return os.path.abspath(environ["RELAY_HOME"])
        except FileNotFoundError:
            hint = "Change to another folder, or give RELAY_HOME as a whole path."
            raise RelayError("no_file", "RELAY_HOME counts from the current folder, which was deleted.", hint) from None
    data = environ.get("XDG_DATA_HOME", "").strip()
    if sys.platform == "linux":
        return os.path.join(data if os.path.isabs(data) else os.path.expanduser("~/.local/share"), "relay")
    return _platform_home()


def typed_path(folder: str, typed: str) -> str:
    """A path as somebody in `folder` types it, where no shell has put a home in the place of `~`."""
    return os.path.join(folder, os.path.expanduser(typed))


def _platform_home() -> str:
    import platformdirs

    return platformdirs.user_data_dir("relay", appauthor=False)


def find_repository(folder: str) -> Repository | None:
    """The repository that `folder` lies in, or None. Environment such as `GIT_DIR` is not consulted."""
    folder = os.path.realpath(folder)
    while True:
        git_dir = _git_dir(folder)
        if git_dir is not None:
            return Repository(_common_dir(git_dir), None if _is_bare(git_dir) else folder)
        if _is_git_dir(folder):
            return _from_inside(folder)
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def main_folder(place: Repository) -> str:
    """The one folder of a repository whichever worktree one stands in: its main worktree, or where it has none the
    common directory."""
    common = place.common_dir
    if place.worktree and not _is_linked(_git_dir(place.worktree) or ""):
        return place.worktree
    return os.path.dirname(common) if os.path.basename(common) == ".git" and not _is_bare(common) else common


def checked_out_branch(worktree: str) -> str | None:
    """The short name of the branch that HEAD of this worktree names; None if detached or not to be read from files."""
    git_dir = _git_dir(worktree)
    return head_branch(git_dir) if git_dir else None


def head_branch(git_dir: str) -> str | None:
    """`checked_out_branch` of a git directory."""
    return _branch_in(_read_head(git_dir))


def read_checkout(worktree: str) -> Checkout:
    """The branch and the commit of one look at HEAD."""
    git_dir = _git_dir(worktree)
    head = _read_head(git_dir) if git_dir else ""
    if git_dir is None or not head.startswith(_NAMES):
        return Checkout(None, head or None)
    ref, common = head[len(_NAMES) :], _common_dir_as_written(git_dir)
    return Checkout(_branch_in(head), read_small(os.path.join(common, ref)) or _packed_commit(common, ref))


def _read_head(git_dir: str) -> str:
    return read_small(os.path.join(git_dir, "HEAD")) or ""


def _branch_in(head: str) -> str | None:
    return None if head == _REFTABLE or not head.startswith(_ON_BRANCH) else head[len(_ON_BRANCH) :]


def index_lock(worktree: str) -> str | None:
    """The lock on the index of this worktree, which git holds from before a checkout's first file until HEAD moves;
    None where there is none."""
    git_dir = _git_dir(worktree)
    lock = os.path.join(git_dir or worktree, "index.lock")
    return lock if git_dir and os.path.lexists(lock) else None


def _packed_commit(common_dir: str, ref: str) -> str | None:
    try:
        with open(os.path.join(common_dir, "packed-refs"), encoding="utf-8", errors="surrogateescape") as packed:
            return next((line.partition(" ")[0] for line in packed if line.rstrip("\n").endswith(f" {ref}")), None)
    except OSError:
        return None


def _git_dir(folder: str) -> str | None:
    dot_git = os.path.join(folder, ".git")
    if os.path.isdir(dot_git):
        return dot_git if _is_git_dir(dot_git) else None
    git_dir = linked_git_dir(folder)
    return git_dir if git_dir and os.path.isdir(git_dir) else None


def linked_git_dir(folder: str) -> str | None:
    """What the `.git` file of a linked worktree or a submodule points to, which need not be there."""
    link = read_small(os.path.join(folder, ".git")) or ""
    return os.path.join(folder, link[len(_LINK) :]) if link.startswith(_LINK) else None


def _is_git_dir(folder: str) -> bool:
    """Git's own test: HEAD, objects and refs, or a linked worktree's HEAD and commondir."""
    if not os.path.isfile(os.path.join(folder, "HEAD")):
        return False
    if _is_linked(folder):
        return True
    return os.path.isdir(os.path.join(folder, "objects")) and os.path.isdir(os.path.join(folder, "refs"))


def _is_linked(git_dir: str) -> bool:
    """Whether `git worktree add` made it: it names the git directory that it shares."""
    return os.path.isfile(os.path.join(git_dir, "commondir"))


def _is_bare(git_dir: str) -> bool:
    """`core.bare` as git writes it; a linked worktree has files whatever the main one says."""
    if _is_linked(git_dir):
        return False
    try:
        with open(os.path.join(git_dir, "config"), "rb") as config:
            return any(line.split() == [b"bare", b"=", b"true"] for line in config)
    except OSError:
        return False


def _from_inside(git_dir: str) -> Repository:
    """Standing in a git directory itself: a bare repository, or somebody's `.git`."""
    return Repository(_common_dir(git_dir), None)


def _common_dir(git_dir: str) -> str:
    return os.path.realpath(_common_dir_as_written(git_dir))


def _common_dir_as_written(git_dir: str) -> str:
    return os.path.join(git_dir, read_small(os.path.join(git_dir, "commondir")) or "")


def read_small(path: str) -> str | None:
    """What git wrote into a small file, without its line end, which a path in it may hold too; None if unreadable."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        return os.read(file, 8192).decode("utf-8", "surrogateescape").rstrip("\r\n")
    except OSError:
        return None
    finally:
        os.close(file)
