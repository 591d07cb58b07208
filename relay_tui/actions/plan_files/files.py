"""Plan files on disk: which plan a path is, and its bytes. No Markdown here, and nothing is written."""

from __future__ import annotations

import os

from relay_tui.base.digest import hex_digest
from relay_tui.base.errors import RelayError
from relay_tui.base.filesystem import read_plain
from relay_tui.base.places import Checkout, find_repository, index_lock, read_checkout
from relay_tui.base.text import shell_word
from relay_tui.room.imports import read_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.imports import StoredPlan
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

FILE_BYTES = 16 * 1024 * 1024


class PlanFile(NamedTuple):
    """`full` is the file itself, links resolved; `path`, by which the plan is known, counts from the top of
    its worktree, so that it is one plan in all worktrees; `folder` is where the room is seen from. A file outside
    the repository has no worktree."""

    full: str
    path: str
    folder: str
    worktree: str | None

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def word(self) -> str:
        """The file in a line that is proposed, for a shell."""
        return shell_word(os.path.relpath(self.full, self.folder))


class PlanBytes(NamedTuple):
    """What a file held, and on which branch and commit its worktree stood then."""

    content: bytes
    digest: str
    branch: str | None
    head: str | None

    def with_content(self, content: bytes) -> PlanBytes:
        return self._replace(content=content, digest=hex_digest(content))


def locate(room: Room, typed: str) -> PlanFile:
    """The plan that a path means, typed in the room's folder."""
    full = os.path.realpath(os.path.join(room.folder, typed))
    folder = os.path.dirname(full)
    place = room.place if room.place and folder == room.place.worktree else find_repository(folder)
    if place is not None and place.worktree and place.common_dir == room.repository:
        return PlanFile(full, _path_below(place.worktree, full), room.folder, place.worktree)
    return PlanFile(full, _path_below(_top(room), full), room.folder, None)


def locate_stored(room: Room, path: str) -> PlanFile:
    """The file of a plan that is known by this path, in the worktree that the room is seen from."""
    return locate(room, os.path.join(_top(room), path))


def read_plan_file(file: PlanFile) -> PlanBytes:
    """Raises `no_file` and `too_large`."""
    branch, head = checkout_of(file)
    try:
        content = read_plain(file.full, FILE_BYTES)
    except FileNotFoundError:
        raise RelayError("no_file", f"There is no file {file.path}.", "Check the path.") from None
    except OSError as fault:
        raise RelayError("no_file", f"{file.path} cannot be read ({fault.strerror}).", "Check it.") from None
    if len(content) > FILE_BYTES:
        raise RelayError("too_large", f"{file.path} has more than 16 MiB.", "A plan is shorter: split it.")
    return PlanBytes(content, hex_digest(content), branch, head)


def read_saved(room: Room, file: PlanFile, followed_on: str | None = None) -> PlanBytes:
    """The bytes that a person saved: what git writes into a worktree is the plan on another branch (DESIGN §6.5).

    Raises `refused` where another branch is checked out than when the file was read last, or began to be followed,
    and `busy` where that cannot be said yet: a checkout writes files before it moves HEAD.
    """
    lock = file.worktree and index_lock(file.worktree)
    read = read_plan_file(file)
    plan = read_plan(room, file.path)
    if plan is None or file.worktree is None or read.digest == plan.digest:
        return read
    lock = lock or index_lock(file.worktree)
    if lock or checkout_of(file) != (read.branch, read.head):
        hint = f"If no git runs there, remove {lock}" if lock else "It is imported when that has ended."
        raise RelayError("busy", f"Git is writing in {file.worktree}, and {file.path} may be its own.", hint)
    if plan.branch is None or read.branch == plan.branch or (read.branch and read.branch == followed_on):
        return read
    now = f"{read.branch} is" if read.branch else "no branch is"
    raise RelayError(
        "refused",
        f"{file.path} was last read on the branch {plan.branch}, and {now} checked out now.",
        f"To go on with it here, run: relay work import --file {file.word}",
    )


def checkout_of(file: PlanFile) -> Checkout:
    return read_checkout(file.worktree) if file.worktree else Checkout(None, None)


def is_of_another_worktree(file: PlanFile, plan: StoredPlan) -> bool:
    return None not in (plan.worktree, file.worktree) and plan.worktree != file.worktree


def refuse_other_worktree(file: PlanFile, plan: StoredPlan | None, *, hint: str) -> None:
    """Raises `refused` where the plan was last read from another worktree: there it is that branch's plan."""
    if plan is None or not is_of_another_worktree(file, plan):
        return
    at = f" at commit {plan.head[:12]}" if plan.head else ""
    raise RelayError(
        "refused",
        f"{file.path} was last read from the worktree {plan.worktree}{at}; "
        f"the one in {file.worktree} is the plan on another branch.",
        hint,
        {"worktree": plan.worktree, "commit": plan.head, "read_at": plan.read_at},
    )


def changed_since(file: PlanFile) -> RelayError:
    return RelayError(
        "edit_conflict",
        f"{file.path} changed since it was last imported, so nothing was written into it.",
        f"Run: relay work import --file {file.word}, then do it again.",
    )


def _top(room: Room) -> str:
    """Where paths of plans count from: the worktree that the room is seen from, else the folder of the room."""
    if room.own_place and room.own_place.worktree:
        return room.own_place.worktree
    return room.row.root if room.exists else room.folder


def _path_below(top: str, full: str) -> str:
    """Both are real paths; what does not stand below stays whole."""
    return full.removeprefix(f"{top.rstrip('/')}/")
