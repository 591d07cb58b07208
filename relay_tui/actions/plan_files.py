"""Plan files on disk: which plan a path is, its bytes, and putting new bytes in their place. No Markdown here."""

from __future__ import annotations

import os

from relay_tui.base.digest import digest
from relay_tui.base.errors import RelayError
from relay_tui.base.places import find_repository
from relay_tui.base.text import inert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import NamedTuple

    from relay_tui.room.imports import StoredPlan
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

FILE_BYTES = 16 * 1024 * 1024


class PlanFile(NamedTuple):
    """`full` is the file itself, links resolved; `path`, by which the plan is known, counts from the top of
    its worktree, so that it is one plan in all worktrees. A file outside the repository has none."""

    full: str
    path: str
    worktree: str | None

    @property
    def name(self) -> str:
        return os.path.basename(self.path)


class PlanBytes(NamedTuple):
    content: bytes
    digest: str


def locate(room: Room, typed: str) -> PlanFile:
    """The plan that a path means, typed in the room's folder."""
    full = os.path.realpath(os.path.join(room.folder, typed))
    folder = os.path.dirname(full)
    place = room.place if room.place and folder == room.place.worktree else find_repository(folder)
    if place is not None and place.worktree and place.common_dir == _repository(room):
        return PlanFile(full, os.path.relpath(full, place.worktree), place.worktree)
    top = _top(room)
    return PlanFile(full, os.path.relpath(full, top) if full.startswith(top.rstrip("/") + "/") else full, None)


def locate_stored(room: Room, path: str) -> PlanFile:
    """The file of a plan that is known by this path, in the worktree that the room is seen from."""
    return locate(room, os.path.join(_top(room), path))


def read_plan_file(file: PlanFile) -> PlanBytes:
    """Raises `no_file` and `too_large`."""
    shown = inert(file.path)
    try:
        if not os.path.isfile(file.full):
            raise RelayError("no_file", f"There is no file {shown}.", "Check the path.")
        if os.path.getsize(file.full) > FILE_BYTES:
            raise RelayError("too_large", f"{shown} has more than 16 MiB.", "A plan is shorter: split it.")
        with open(file.full, "rb") as source:
            content = source.read()
    except OSError as fault:
        raise RelayError("no_file", f"{shown} cannot be read ({fault.strerror}).", "Check it.") from None
    return PlanBytes(content, digest_of(content))


def digest_of(content: bytes) -> str:
    """SHA-256 in hex."""
    return digest(content).hex()


def is_of_another_worktree(file: PlanFile, plan: StoredPlan) -> bool:
    return None not in (plan.worktree, file.worktree) and plan.worktree != file.worktree


def refuse_other_worktree(file: PlanFile, plan: StoredPlan | None, *, hint: str) -> None:
    """Raises `refused` where the plan was last read from another worktree: there it is that branch's plan."""
    if plan is None or not is_of_another_worktree(file, plan):
        return
    at = f" at commit {plan.head[:12]}" if plan.head else ""
    raise RelayError(
        "refused",
        f"{inert(file.path)} was last read from the worktree {inert(plan.worktree or '')}{at}; "
        f"the one in {inert(file.worktree or '')} is the plan on another branch.",
        hint,
        {"worktree": plan.worktree, "commit": plan.head, "read_at": plan.read_at},
    )


class Replacement:
    """New bytes for a file, written and synced beside it; `put_in_place` renames them over it, which is all or
    nothing. What was not put in place is taken away again. The file's mode stays; a link to it stays a link.

    Raises `storage` where the disk or the folder refuses, with the file as it was.
    """

    def __init__(self, file: PlanFile, old: bytes, new: bytes) -> None:
        self._file = file
        self._old = old
        self._new = new
        self._part = os.path.join(os.path.dirname(file.full), f".relay-{os.urandom(6).hex()}.part")

    def __enter__(self) -> Replacement:
        try:
            self._write()
        except OSError as fault:
            self._take_away()
            raise self._refusal(fault) from fault
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._take_away()

    def put_in_place(self) -> None:
        """Raises `edit_conflict` where the file is not any more what it was."""
        if read_plan_file(self._file).content != self._old:
            raise changed_since(self._file)
        try:
            os.replace(self._part, self._file.full)
        except OSError as fault:
            raise self._refusal(fault) from fault
        _sync_folder(os.path.dirname(self._file.full))

    def _write(self) -> None:
        from contextlib import suppress

        with open(self._file.full, "r+b") as old:  # a file that may not be written is not replaced either
            facts = os.fstat(old.fileno())
        descriptor = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "wb") as part:
            part.write(self._new)
            part.flush()
            with suppress(PermissionError):  # of somebody else's file the mode is kept, the owner cannot be
                os.fchown(descriptor, facts.st_uid, facts.st_gid)
            os.fchmod(descriptor, facts.st_mode & 0o7777)
            os.fsync(descriptor)

    def _take_away(self) -> None:
        if os.path.lexists(self._part):
            os.unlink(self._part)

    def _refusal(self, fault: OSError) -> RelayError:
        return RelayError(
            "storage",
            f"{inert(self._file.path)} cannot be written ({fault.strerror}).",
            "The file is as it was. Check its folder and its disk, then do it again.",
        )


def changed_since(file: PlanFile) -> RelayError:
    shown = inert(file.path)
    return RelayError(
        "edit_conflict",
        f"{shown} changed since it was last imported, so nothing was written into it.",
        f"Run: relay work import --file {shown}, then do it again.",
    )


def _repository(room: Room) -> str | None:
    if room.exists:
        return room.row.repository
    return room.place.common_dir if room.place else None


def _top(room: Room) -> str:
    """Where paths of plans count from: the worktree that the room is seen from, else the folder of the room."""
    if room.place and room.place.worktree and room.place.common_dir == _repository(room):
        return room.place.worktree
    return room.row.root if room.exists else room.folder


def _sync_folder(folder: str) -> None:
    """A file system that cannot do this keeps its names itself; the new bytes are synced already."""
    from contextlib import suppress

    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
