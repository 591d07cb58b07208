"""What went wrong where nobody was looking: faults of hooks, kept in a small file of the home (DESIGN §9).

A file rather than a table, because the database may be what is at fault. It stands beside the ledger, and
losing it loses nothing but the note. A note goes once the same hook has worked there again, once a person has
seen it, or after a day.
"""

from __future__ import annotations

import os

from relay_tui.base.canonical import decode, encode
from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip
from relay_tui.base.times import DAY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

FILE = "mishaps.jsonl"
FILE_BYTES = 64 * 1024  # past this the older half is dropped
LASTS = DAY
_TEXT = 500


class Mishap(NamedTuple):
    """`at` in microseconds; `where` is the line that failed, `folder` where it ran."""

    at: int
    where: str
    folder: str
    text: str


def note_mishap(home: str, mishap: Mishap) -> None:
    """Append one line, in a home that may be made for it; where that cannot be, nothing is noted nor raised."""
    from relay_tui.room.store import prepare_home

    path = os.path.join(home, FILE)
    line = encode(mishap._replace(text=clip(mishap.text, _TEXT))._asdict()) + "\n"
    try:
        prepare_home(home)
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            os.write(file, line.encode())
            size = os.fstat(file).st_size
        finally:
            os.close(file)
        if size > FILE_BYTES:
            _drop_older(path)
    except (OSError, RelayError):
        return


def read_mishaps(home: str, since: int) -> list[Mishap]:
    """Those noted at `since` or later, oldest first; lines that are none are passed over."""
    found = []
    for line in _lines(os.path.join(home, FILE)):
        try:
            said = decode(line)
        except ValueError:
            continue
        if isinstance(said, dict) and said.keys() == set(Mishap._fields) and isinstance(said["at"], int):
            found.append(Mishap(said["at"], str(said["where"]), str(said["folder"]), str(said["text"])))
    return [mishap for mishap in found if mishap.at >= since]


def forget_mishaps(home: str, where: str | None = None, folder: str | None = None) -> None:
    """Drop what one line failed at in one folder, as it has worked there since; without them everything.

    Like noting it never raises: what cannot be dropped goes after a day.
    """
    noted = read_mishaps(home, 0)
    kept = [one for one in noted if where is not None and (one.where, one.folder) != (where, folder)]
    if len(kept) < len(noted):
        try:
            _put(os.path.join(home, FILE), [encode(one._asdict()) + "\n" for one in kept])
        except OSError:
            return


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readlines()
    except OSError:
        return []


def _drop_older(path: str) -> None:
    lines = _lines(path)
    _put(path, lines[len(lines) // 2 :])


def _put(path: str, lines: list[str]) -> None:
    from relay_tui.base.filesystem import replace_file

    replace_file(path, "".join(lines).encode(), 0o600)
