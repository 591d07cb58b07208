"""The files of archives: where they are, and opening one only where it is, byte for byte, the one that was written."""

from __future__ import annotations

import os
import sqlite3
from hashlib import file_digest

from relay_tui.base.context import contextmanager
from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.base.times import local_date
from relay_tui.room.faults import os_error, plain_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from relay_tui.room.cuts import Cut

FOLDER = "archives"


@contextmanager
def open_archive(path: str, cut: Cut) -> Iterator[sqlite3.Connection]:
    """The archive that the ledger was cut for, byte for byte. Raises `no_file`, and `corrupt` for any other file."""
    if digest_file(path, cut) != cut.sha256:
        raise RelayError(
            "corrupt",
            f"{inert(path)} is not the archive that the ledger goes on from, or it was changed.",
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
        with open(path, "rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise _missing(path, cut) from None
    except OSError as fault:
        raise os_error(fault, inert(path)) from fault


def archive_path(home: str, cut: Cut) -> str:
    """Where the archive of a cut was written."""
    return os.path.join(home, FOLDER, os.path.basename(cut.file))  # a restored cut may say anything


def _missing(path: str, cut: Cut) -> RelayError:
    return RelayError(
        "no_file",
        f"What was before {local_date(cut.at)} is in the archive {cut.file}, which is not at {inert(path)}.",
        f"Put it back there, or run: relay log attach {cut.file}",
        {"file": cut.file, "sha256": cut.sha256},
    )


def connect(path: str, mode: str) -> sqlite3.Connection:
    quoted = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(f"file:{quoted}?mode={mode}", uri=True, isolation_level=None)
