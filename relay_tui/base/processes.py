"""Process identity: a pid alone is reused, so its start time and the boot stand beside it (DESIGN §6.1)."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

_BOOT_ID = "/proc/sys/kernel/random/boot_id"


class ProcessIdentity(NamedTuple):
    """`start` is in the system's own unit since boot and means something only beside the same `boot`."""

    pid: int
    start: int
    boot: str


def identify(pid: int) -> ProcessIdentity | None:
    """Who runs under `pid` now; None where nobody does, or only what its parent has not collected yet."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat, open(_BOOT_ID) as boot:
            fields = stat.read().rpartition(b")")[2].split()
            return None if fields[0] == b"Z" else ProcessIdentity(pid, int(fields[19]), boot.read().strip())
    except ProcessLookupError:  # it ended between the opening and the reading
        return None
    except FileNotFoundError:
        return None if os.path.exists(_BOOT_ID) else _identify_elsewhere(pid)


def find_ancestor(name: str) -> int | None:
    """The nearest process above this one that runs a program of this name; None where none does, and on systems
    without /proc."""
    return next((pid for pid, program in _ancestors() if program == name.encode()), None)


def is_ancestor(pid: int) -> bool:
    """Whether this process was started from there; never on systems without /proc."""
    return any(above == pid for above, _ in _ancestors())


def is_same_program(one: int, other: int) -> bool:
    """Whether both processes run the same file; no where the system will not say."""
    try:
        return os.path.samefile(f"/proc/{one}/exe", f"/proc/{other}/exe")
    except OSError:
        return False


def name_of(pid: int) -> str:
    """The name of the program that runs under a pid; empty where the system will not say."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as comm:
            return comm.read().strip()
    except OSError:
        return ""


def lock_holder(file: int) -> int | None:
    """The process that holds the `flock` of an open file; None where nobody does, or the system will not say."""
    facts = os.fstat(file)
    wanted = f"{os.major(facts.st_dev):02x}:{os.minor(facts.st_dev):02x}:{facts.st_ino}"
    try:
        with open("/proc/locks", encoding="ascii") as locks:
            held = [line.split() for line in locks]
    except OSError:
        return None
    pids = [int(words[4]) for words in held if words[1] == "FLOCK" and words[5] == wanted]  # who waits has a "->"
    return pids[0] if pids and pids[0] > 0 else None


def _ancestors() -> Iterator[tuple[int, bytes]]:
    """The processes above this one, the nearest first, each with the name of its program."""
    pid = os.getppid()
    try:
        while pid > 1:
            with open(f"/proc/{pid}/stat", "rb") as stat:
                before, _, after = stat.read().rpartition(b")")
            yield pid, before.partition(b"(")[2]
            pid = int(after.split()[1])
    except OSError:
        return


def is_running(identity: ProcessIdentity) -> bool:
    """Whether that very process still runs; where the system will not say, it counts as alive."""
    try:
        return identify(identity.pid) == identity
    except PermissionError:
        return True


def _identify_elsewhere(pid: int) -> ProcessIdentity | None:
    """Systems without /proc."""
    import psutil

    try:
        start = psutil.Process(pid).create_time()
    except psutil.NoSuchProcess:
        return None
    except psutil.AccessDenied as denied:
        raise PermissionError(str(denied)) from denied
    return ProcessIdentity(pid, int(start * 1000), str(int(psutil.boot_time())))
