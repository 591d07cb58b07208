"""Putting new bytes in the place of a plan file, whole or not at all, and sweeping up after those that were killed."""

from __future__ import annotations

import fcntl
import os
import re
from contextlib import suppress

from relay_tui.actions.plan_files.files import changed_since, read_plan_file
from relay_tui.base.errors import RelayError
from relay_tui.base.filesystem import sync_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from relay_tui.actions.plan_files.files import PlanFile

_PART = re.compile(r"\.relay-[0-9a-f]{12}\.part")


class Replacement:
    """New bytes for a file, written and synced beside it; `put_in_place` renames them over it, which is all or
    nothing. What was not put in place is taken away again, by the next writer or import where this one is killed.
    The file's mode stays; a link to it stays a link.

    Raises `storage` where the disk or the folder refuses, with the file as it was.
    """

    def __init__(self, file: PlanFile, old: bytes, new: bytes) -> None:
        self._file = file
        self._old = old
        self._new = new
        self._folder = os.path.dirname(file.full)
        self._part = os.path.join(self._folder, f".relay-{os.urandom(6).hex()}.part")
        self._lock = -1

    def __enter__(self) -> Replacement:
        sweep_parts(self._folder)
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
        with suppress(OSError):  # a file system that cannot do this keeps its names itself; the bytes are synced
            sync_folder(self._folder)

    def _write(self) -> None:
        with open(self._file.full, "r+b") as old:  # a file that may not be written is not replaced either
            facts = os.fstat(old.fileno())
        self._create()
        with open(self._lock, "wb", closefd=False) as part:
            part.write(self._new)
        with suppress(PermissionError):  # of somebody else's file the mode is kept, the owner cannot be
            os.fchown(self._lock, facts.st_uid, facts.st_gid)
        os.fchmod(self._lock, facts.st_mode & 0o7777)
        os.fsync(self._lock)

    def _create(self) -> None:
        """Hold what is written, so that it is not swept; a sweep may have come first."""
        while self._lock < 0:
            self._lock = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with suppress(OSError):  # where files cannot be locked none is swept either
                fcntl.flock(self._lock, fcntl.LOCK_EX)
            if not os.fstat(self._lock).st_nlink:
                self._close()

    def _take_away(self) -> None:
        if os.path.lexists(self._part):
            os.unlink(self._part)
        self._close()

    def _close(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _refusal(self, fault: OSError) -> RelayError:
        return RelayError(
            "storage",
            f"{self._file.path} cannot be written ({fault.strerror}).",
            "The file is as it was. Check its folder and its disk, then do it again.",
        )


def sweep_parts(folder: str) -> None:
    """Take away what a `Replacement` left that was killed: the lock on it went with its process."""
    with suppress(OSError):
        for name in filter(_PART.fullmatch, os.listdir(folder)):
            _sweep(os.path.join(folder, name))


def _sweep(part: str) -> None:
    with suppress(OSError), open(os.open(part, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(part)
