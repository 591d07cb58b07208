"""What a restore reads: a file that is a backup or an export, or a pipe that is an export, from its beginning twice."""

from __future__ import annotations

import os
import stat
import tempfile

from relay_tui.base.context import contextmanager
from relay_tui.base.errors import RelayError
from relay_tui.base.places import typed_path
from relay_tui.room.backup import MAGIC, BackupReader
from relay_tui.room.ndjson import BEGINNING, Reader, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO, NamedTuple

    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

STANDARD_INPUT = "-"
_WORTH_TELLING = 64 * 1024 * 1024


class Source(NamedTuple):
    """A file that can be read from its beginning more than once."""

    kind: str
    begin: Callable[[], Reader | BackupReader]


@contextmanager
def open_source(room: Room, typed: str, stdin: BinaryIO | None) -> Iterator[Source]:
    """Raises `no_file` where it cannot be read, `invalid` for what cannot be relay's."""
    name = "standard input" if typed == STANDARD_INPUT else typed_path(room.folder, typed)
    with _open(room, typed, stdin, name) as file:
        if os.fstat(file.fileno()).st_size > _WORTH_TELLING:
            room.tell(f"Reading {name}; this takes a while.")
        if _first_bytes(file, name) == MAGIC:
            yield Source("backup", lambda: BackupReader(typed_path(room.folder, typed)))
        else:
            yield Source("export", lambda: _from_beginning(file, name))


def _first_bytes(file: BinaryIO, name: str) -> bytes:
    file.seek(0)
    try:
        return file.read(len(MAGIC))
    except OSError as fault:
        raise unreadable(name, fault.strerror) from fault


def _from_beginning(file: BinaryIO, name: str) -> Reader:
    file.seek(0)
    return Reader(file, name)


def _open(room: Room, typed: str, stdin: BinaryIO | None, name: str) -> BinaryIO:
    try:
        if typed == STANDARD_INPUT:
            return _spooled(stdin or open(os.devnull, "rb"), name)
        path = typed_path(room.folder, typed)
        mode = os.stat(path).st_mode
        if stat.S_ISFIFO(mode):
            with open(path, "rb") as pipe:
                return _spooled(pipe, name)
        if not stat.S_ISREG(mode):
            raise RelayError("no_file", f"{name} is no file.", "Check the path.")
        return open(path, "rb")
    except (OSError, ValueError) as fault:
        why = (isinstance(fault, OSError) and fault.strerror) or "it has no proper name"
        raise unreadable(name, why) from fault


def _spooled(pipe: BinaryIO, name: str) -> BinaryIO:
    """What can be read once only, in a file without a name."""
    beginning = pipe.read(len(BEGINNING))
    if beginning != BEGINNING:
        raise RelayError("invalid", f"{name} is no export of relay's.", "A backup is read from a file only.")
    try:
        copy = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
        copy.write(beginning)
        while part := pipe.read(1 << 20):
            copy.write(part)
    except OSError as fault:
        where = f"{name} cannot be kept in {tempfile.gettempdir()} while it is checked ({fault.strerror})."
        raise RelayError("storage", where, "Free space there, or set TMPDIR to another folder.") from fault
    return copy
