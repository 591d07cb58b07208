"""The doctor's findings on what stands around the room: the disk, SQLite, git, and which relay is on PATH."""

from __future__ import annotations

import os
import shutil
import sqlite3

from relay_tui.actions.hooks import own_program
from relay_tui.base.filesystem import NETWORK_TYPES, filesystem_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.actions.doctor import Finding
    from relay_tui.room.rooms import Room

# The first SQLite whose checkpoint cannot race with a restart of the WAL (NUMBERS, safety finding).
SAFE_SQLITE = (3, 51, 3)


def disk(room: Room) -> Finding:
    folder = room.store.home
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    kind = filesystem_type(folder)
    free = shutil.disk_usage(folder).free
    said = f"{kind or 'unknown type'}, {free / 2**30:.1f} GiB free"
    if kind in NETWORK_TYPES:
        return False, f"{said}: a network file system can lose writes", "Set RELAY_HOME to a local disk."
    return free > 2**26, said, "" if free > 2**26 else "Free disk space."


def sqlite(room: Room) -> Finding:
    version = sqlite3.sqlite_version
    if tuple(map(int, version.split("."))) >= SAFE_SQLITE:
        return True, f"SQLite {version}", ""
    text = f"SQLite {version}: before 3.51.3 checkpoints can race; relay's queue keeps them apart"
    return None, text, "Do not open relay.db for writing with other programs."


def git(room: Room) -> Finding:
    """Which git it is, and whether it reads this repository: of an owner that it does not trust it reads none."""
    from relay_tui.repo.runner import git_version, run

    version = git_version()
    said = "git " + ".".join(map(str, version))
    if version < (2, 36):
        return False, f"{said} cannot list odd worktrees safely", "Install git 2.36 or newer."
    if room.place is None:
        return True, said, ""
    run(room.folder, "rev-parse", "--git-dir")
    return True, f"{said}, which reads this repository", ""


def path(room: Room) -> Finding:
    first = shutil.which("relay")
    ours = own_program()
    if first is None:
        return None, "no relay on PATH", f"This one is {ours}."
    if os.path.realpath(first) != os.path.realpath(ours) and os.path.exists(ours):
        return False, f"'relay' on PATH is {first}, not this one", "Use relay-tui, or change PATH."
    return True, f"'relay' is {first}", ""
