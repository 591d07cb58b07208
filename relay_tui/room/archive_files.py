"""The files of archives: where they are, and opening one only where it is, byte for byte, the one that was written."""

from __future__ import annotations

import os
from hashlib import file_digest

from relay_tui.base.context import contextmanager
from relay_tui.base.errors import RelayError
from relay_tui.base.filesystem import open_plain
from relay_tui.base.places import typed_path
from relay_tui.base.times import local_date
from relay_tui.room.cuts import read_cut
from relay_tui.room.faults import plain_errors
from relay_tui.room.sqlite import connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from relay_tui.room.cuts import Cut
    from relay_tui.room.rooms import Room

FOLDER = "archives"


@contextmanager
def open_archive(path: str, cut: Cut) -> Iterator[sqlite3.Connection]:
    """The archive that the ledger was cut for, byte for byte. Raises `no_file`, and `corrupt` for any other file."""
    if digest_file(path, cut) != cut.sha256:
        raise RelayError(
            "corrupt",
            f"{path} is not the archive that the ledger goes on from, or it was changed.",
            f"The archive is {cut.file}; look for it in a backup.",
            {"file": cut.file, "sha256": cut.sha256},
        )
    with plain_errors(path):
        db = connect(path, "ro&immutable=1")
        try:
            yield db
        finally:
            db.close()


def pick_archive(paths: Sequence[str], cut: Cut) -> str:
    """The one of these that a ledger goes on from; the first where none is."""
    return next((path for path in paths[1:] if digest_file(path, cut) == cut.sha256), paths[0])


def digest_file(path: str, cut: Cut) -> str:
    try:
        with open_plain(path) as file:
            return file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise _missing(path, cut) from None
    except OSError as fault:
        raise RelayError("no_file", f"{path} cannot be read ({fault.strerror}).", "Check the path.") from fault


def find_archive(room: Room, typed: str) -> str:
    """A file as it is typed in the room's folder; a bare name may also be one of the home's own archives.

    Raises `no_file`.
    """
    kept = os.path.join(room.store.home, FOLDER)
    for folder in (room.folder, kept) if os.path.basename(typed) == typed else (room.folder,):
        path = typed_path(folder, typed)
        if typed and os.path.exists(path):
            return path
    missing = typed_path(room.folder, typed)
    raise RelayError("no_file", f"There is no archive {missing}.", f"Check the path; relay writes them to {kept}.")


def archive_path(home: str, cut: Cut) -> str:
    """Where the archive of a cut was written."""
    return os.path.join(home, FOLDER, os.path.basename(cut.file))  # a restored cut may say anything


def spare_archives(home: str, db: sqlite3.Connection) -> list[str]:
    """Names of archives in the home that the ledger does not go on from, such as one that was attached.

    None is named where one that it does go on from lies elsewhere, since only that one says which is before it.
    Raises `corrupt` for one that was changed.
    """
    folder = os.path.join(home, FOLDER)
    kept = {name for name in os.listdir(folder) if name.endswith(".db")} if os.path.isdir(folder) else set()
    needed = _needed_archives(home, db)
    return [] if needed is None else sorted(kept - needed)


def _needed_archives(home: str, db: sqlite3.Connection) -> set[str] | None:
    cut = read_cut(db)
    if cut is None:
        return set()
    path = archive_path(home, cut)
    if not os.path.isfile(path):
        return None
    with open_archive(path, cut) as archive:
        older = _needed_archives(home, archive)
    return None if older is None else {os.path.basename(path), *older}


def _missing(path: str, cut: Cut) -> RelayError:
    return RelayError(
        "no_file",
        f"What was before {local_date(cut.at)} is in the archive {cut.file}, which is not at {path}.",
        "Put it back there, or name it where it is: relay log attach takes its events back.",
        {"file": cut.file, "sha256": cut.sha256},
    )
