"""What a file system says of itself: whose a folder is, whether it lives on a network, what is a plain file; and how
one is replaced.

Not for the hot path: asked when a home is made, when a file is read that a person named, and by `relay doctor`.
"""

from __future__ import annotations

import errno
import os
import stat

from relay_tui.base.errors import RelayError
from relay_tui.base.text import shell_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from io import BufferedReader

# Types whose shared memory and locks do not reach other machines' processes, so WAL is unsafe there.
NETWORK_TYPES = frozenset("nfs nfs4 cifs smb3 smbfs 9p afs ncpfs fuse.sshfs ceph glusterfs".split())


def check_home(home: str, environ: Mapping[str, str]) -> None:
    """Raises `refused` where the home is another user's, or a link that another made, open to others, or on a
    network disk."""
    facts = os.stat(home)
    if {facts.st_uid, os.lstat(home).st_uid} != {os.geteuid()}:
        raise RelayError("refused", f"{home} belongs to another user.", "Set RELAY_HOME to a folder of yours.")
    if facts.st_mode & 0o077:
        _make_private(home)
    kind = filesystem_type(home)
    if kind in NETWORK_TYPES and environ.get("RELAY_ALLOW_NETWORK_FS") != "1":
        raise RelayError(
            "refused",
            f"{home} is on a network file system ({kind}), where SQLite's WAL can lose writes.",
            "Set RELAY_HOME to a local disk, or RELAY_ALLOW_NETWORK_FS=1 to take the risk.",
        )


def _make_private(home: str) -> None:
    """An empty folder is taken over; one with somebody's files is left as it is. Raises `refused`."""
    if os.listdir(home):
        raise RelayError("refused", f"{home} is open to others and not empty.", f"Run: chmod 700 {shell_word(home)}")
    try:
        os.chmod(home, 0o700)
    except OSError as fault:
        raise RelayError("storage", f"{home} cannot be made private ({fault.strerror}).", "Set RELAY_HOME.") from fault


def filesystem_type(path: str) -> str | None:
    """The type of the mount that holds `path` (`ext4`, `nfs4`), None where the system does not say."""
    import psutil

    real = os.path.realpath(path)
    mounts = [
        (part.mountpoint, part.fstype)
        for part in psutil.disk_partitions(all=True)
        if real == part.mountpoint or real.startswith(part.mountpoint.rstrip("/") + "/")
    ]
    return max(mounts, key=lambda mount: len(mount[0]))[1] if mounts else None


def open_plain(path: str) -> BufferedReader:
    """A plain file to read from. Raises `OSError`, also for a pipe or a device, which may never end."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "it is no plain file")
    return os.fdopen(file, "rb")


def read_plain(path: str, most: int) -> bytes:
    """The bytes of a plain file; of one that has more than `most`, one more than that. Raises as `open_plain`.

    Python clears as many bytes as are asked for, so it is asked for those that the file has, and for the rest where
    it is longer than it says.
    """
    with open_plain(path) as file:
        size = os.fstat(file.fileno()).st_size
        content = file.read(min(size, most) + 1)
        return content if len(content) <= size else content + file.read(most + 1 - len(content))


def replace_file(path: str, content: bytes, mode: int | None = None) -> None:
    """Write beside and rename over, durably, so that a reader sees the old bytes or the new ones.

    Without a `mode`, of which the umask is taken, an earlier file's stays. Raises `OSError`, with all as it was.
    """
    part = f"{path}.{os.urandom(4).hex()}.part"
    kept = stat.S_IMODE(os.stat(path).st_mode) if mode is None and os.path.exists(path) else None
    made = next(one for one in (mode, kept, 0o666) if one is not None)
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, made)
    try:
        with os.fdopen(file, "wb") as target:
            target.write(content)
            target.flush()
            if kept is not None:
                os.fchmod(file, kept)
            os.fsync(file)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise
    try:
        sync_folder(os.path.dirname(path))
    except OSError:  # a file system that cannot do this keeps its names itself; the bytes are synced
        pass


def sync_folder(folder: str) -> None:
    """Make the names in a folder survive a power cut, as `fsync` does for a file."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
