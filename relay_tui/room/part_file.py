"""A file that has its name only once it is whole: written beside its place, private, synced, then renamed.

For what a person keeps elsewhere, backups and exports. Two writers of one file never meet: the first holds a
lock on what it writes, and what one left that was killed is written over by the next.
"""

from __future__ import annotations

import fcntl
import os
import stat

from relay_tui.base.errors import RelayError
from relay_tui.base.filesystem import sync_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

_SUFFIX = ".relay-part"  # relay's own name, so that nobody keeps a file under it


class PartFile:
    """Opened as a context: `path` is what to write, and `finish` gives it its name; otherwise nothing stays.

    Raises `file_exists` for what is there already, unless it is a plain file and `force` is said; `busy` where
    another process writes the same file; `storage` where the folder or the disk refuses.
    """

    def __init__(self, target: str, *, force: bool) -> None:
        self.target = target
        self.path = target + _SUFFIX
        self._force = force
        self._lock = -1

    def __enter__(self) -> Self:
        check_target(self.target, force=self._force)
        try:
            self._lock = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            self._take()
        except OSError as fault:
            self._close()
            raise cannot_write(self.target, fault) from fault
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, _: TracebackType | None) -> None:
        """Whatever was not finished goes."""
        try:
            if self._lock >= 0:
                os.unlink(self.path)
        finally:
            self._close()

    def finish(self) -> int:
        """Make it durable and give it its name; returns its size in bytes."""
        check_target(self.target, force=self._force)
        try:
            os.fsync(self._lock)
            size = os.fstat(self._lock).st_size
            os.rename(self.path, self.target)
            self._close()
            sync_folder(os.path.dirname(self.target))
        except OSError as fault:
            raise cannot_write(self.target, fault) from fault
        return size

    def _take(self) -> None:
        """Hold the file under its name; another process may have finished it since it was opened."""
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held = os.path.samestat(os.fstat(self._lock), os.lstat(self.path))
        except (BlockingIOError, FileNotFoundError):
            held = False
        if not held:
            self._close()
            raise RelayError("busy", f"Another relay is writing {self.target}.", "Wait for it.")
        if os.fstat(self._lock).st_nlink > 1:  # it is somebody's under another name
            self._close()
            raise RelayError("file_exists", f"{self.path} is there already.", "Move it away.")
        os.ftruncate(self._lock, 0)
        os.fchmod(self._lock, 0o600)

    def _close(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def check_target(path: str, *, force: bool) -> None:
    """Raises `file_exists` where a file would be lost: links, folders and devices are never written over."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    except OSError as fault:
        raise cannot_write(path, fault) from fault
    if not stat.S_ISREG(mode):
        raise RelayError("file_exists", f"{path} is there already, and is no plain file.", "Choose another.")
    if not force:
        raise RelayError("file_exists", f"{path} is there already.", "Choose another, or add --force.")


def cannot_write(path: str, fault: OSError) -> RelayError:
    return RelayError("storage", f"{path} cannot be written ({fault.strerror}).", "Choose another place.")
