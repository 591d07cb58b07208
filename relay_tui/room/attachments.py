"""Files sent along: kept once under their SHA-256, private, written before the event that names them.

A crash between the two leaves an orphan file that `doctor` reports, never an event without its bytes.
"""

from __future__ import annotations

import os
from functools import partial

from relay_tui.base.digest import hex_digest
from relay_tui.base.errors import RelayError
from relay_tui.base.filesystem import read_plain, replace_file, sync_folder
from relay_tui.base.text import inert
from relay_tui.room.agents import require_reader
from relay_tui.room.faults import os_error
from relay_tui.room.finding import unknown_message
from relay_tui.room.mail import find_message, may_read, read_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from typing import Any, NamedTuple

    from relay_tui.room.mail import Attachment
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class FetchedFile(NamedTuple):
    name: str
    path: str
    size: int
    sha256: str


class Fetched(NamedTuple):
    id: str
    files: list[FetchedFile]


FOLDER = "attachments"
FILE_BYTES = 25 * 1024 * 1024
FILES = 64
TOTAL_BYTES = 100 * 1024 * 1024


def read_attachments(room: Room, paths: Sequence[str]) -> tuple[dict[str, Any], ...]:
    """Check all of the files, then keep their bytes; returns what the event says of them.

    Raises `no_file`, `too_large` and `invalid`, before anything is written.
    """
    if len(paths) > FILES:
        raise RelayError("too_large", f"A message may carry at most {FILES} files.", "Pack them into one.")
    contents: list[tuple[str, bytes]] = []
    for path in paths:
        contents.append((_safe_name(path), _read(os.path.join(room.folder, path))))
        if sum(len(content) for _, content in contents) > TOTAL_BYTES:
            raise RelayError("too_large", "A message may carry at most 100 MiB.", "Send fewer files at once.")
    if not room.store.dry_run:
        room.store.ensure()
    keep = hex_digest if room.store.dry_run else partial(keep_bytes, room.store.home)
    return tuple({"name": name, "size": len(content), "sha256": keep(content)} for name, content in contents)


def named_files(db: sqlite3.Connection) -> set[str]:
    """The SHA-256 of every file that a message names."""
    return {sha256 for (sha256,) in db.execute("SELECT DISTINCT sha256 FROM attachments")}


def fetch_attachments(room: Room, name: str, wanted: str, out: str, *, force: bool) -> Fetched:
    """Write a message's files into `out`, all or none; only for sender, recipients and the operator.

    Raises `unknown_message` for others, `file_exists` where one is there already, `corrupt` where a kept
    file is not what the event says.
    """
    now = room.clock()
    with room.reading() as db:
        known = require_reader(db, room, name, now)
        message = read_message(db, find_message(db, room.row.key, wanted).seq, known.row.key, now)
    if not may_read(message, name, room.row.operator):
        raise unknown_message(wanted)
    folder = os.path.realpath(os.path.join(room.folder, out))
    targets = [(file, os.path.join(folder, file_name)) for file, file_name in _distinct(message.attachments)]
    taken = [path for _, path in targets if os.path.lexists(path)]
    if taken and not force:
        raise _file_exists(taken[0])
    contents = [(_kept_bytes(room.store.home, file), path) for file, path in targets]
    if not room.store.dry_run:
        _write_all(folder, contents, force=force)
    return Fetched(message.id, [FetchedFile(file.name, path, file.size, file.sha256) for file, path in targets])


def _distinct(files: Sequence[Attachment]) -> list[tuple[Attachment, str]]:
    """Each file with a safe name of its own in one folder, whatever its case: a second `a.txt` becomes `a-2.txt`.

    What was sent was checked; what came with somebody else's ledger may still name another folder.
    """
    used: set[str] = set()
    named = []
    for file in files:
        base = inert(file.name).replace("/", "_")
        base = "_" if base in ("", ".", "..") else base
        stem, dot, ending = base.rpartition(".")
        name, number = base, 1
        while name.casefold() in used:
            number += 1
            name = f"{stem}-{number}.{ending}" if dot and stem else f"{base}-{number}"
        used.add(name.casefold())
        named.append((file, name))
    return named


def _kept_bytes(home: str, file: Attachment) -> bytes:
    content = read_kept(home, file.sha256)
    if content is None or len(content) != file.size:
        raise RelayError("corrupt", f"The kept copy of {file.name} is damaged or gone.", "Run: relay doctor")
    return content


def _write_all(folder: str, contents: Sequence[tuple[bytes, str]], *, force: bool) -> None:
    """All written beside their places first, then put there, so that a link there is replaced and never followed."""
    parts = [os.path.join(folder, f".relay-{os.getpid()}-{place}.part") for place in range(len(contents))]
    try:
        os.makedirs(folder, exist_ok=True)
        for part, (content, _) in zip(parts, contents, strict=True):
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as target:
                target.write(content)
        for part, (_, path) in zip(parts, contents, strict=True):
            (os.replace if force else os.link)(part, path)
    except FileExistsError as fault:
        raise _file_exists(fault.filename2 or fault.filename) from fault
    except OSError as fault:
        raise RelayError(
            "storage", f"{folder} cannot be written ({fault.strerror}).", "Choose another --out."
        ) from fault
    finally:
        for part in filter(os.path.lexists, parts):
            os.unlink(part)


def _file_exists(path: str) -> RelayError:
    return RelayError("file_exists", f"{path} is there already.", "Choose another --out, or add --force.")


def kept_path(home: str, sha256: str) -> str:
    return os.path.join(home, FOLDER, sha256[:2], sha256)


def _safe_name(path: str) -> str:
    name = os.path.basename(path)
    if not name or name in (".", "..") or not name.isprintable():
        raise RelayError("invalid", f"'{path}' has no name that can be sent.", "Rename the file.")
    return name


def _read(path: str) -> bytes:
    try:
        content = read_plain(path, FILE_BYTES)
    except OSError as fault:
        raise RelayError("no_file", f"{path} cannot be read ({fault.strerror}).", "Check the path.") from None
    if len(content) > FILE_BYTES:
        raise RelayError("too_large", f"{path} has more than 25 MiB.", "Send a link instead.")
    return content


def read_kept(home: str, sha256: str) -> bytes | None:
    """The bytes that are kept under a SHA-256; None where they are gone or others."""
    try:
        content = read_plain(kept_path(home, sha256), FILE_BYTES)
    except OSError:
        return None
    return content if hex_digest(content) == sha256 else None


def keep_bytes(home: str, content: bytes) -> str:
    """Keep a file under its own SHA-256, unless it is there and whole; returns that once it is durable."""
    sha256 = hex_digest(content)
    path = kept_path(home, sha256)
    folder = os.path.dirname(path)
    try:
        if read_kept(home, sha256) is None:
            for private in (os.path.dirname(folder), folder):  # makedirs would leave the upper one open to others
                if not os.path.isdir(private):
                    os.makedirs(private, mode=0o700, exist_ok=True)
                    sync_folder(os.path.dirname(private))
            replace_file(path, content, 0o600)
        else:
            sync_folder(folder)  # another wrote it, who may not have come to that
    except OSError as fault:
        told = os_error(fault, os.path.join(home, FOLDER))
        raise RelayError("storage", f"The file could not be kept: {told.message}", told.hint) from fault
    return sha256
