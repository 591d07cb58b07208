"""Writing an export: which rooms go in, their events and files as they stand in the home, and where it all goes.

What a line looks like is `ndjson`'s.
"""

from __future__ import annotations

from relay_tui.base.ending import ending_tidily
from relay_tui.base.errors import RelayError
from relay_tui.base.times import iso
from relay_tui.room.archive_files import archive_path, open_archive
from relay_tui.room.attachments import read_kept
from relay_tui.room.backup import BackedUp, chained_rooms, lost_files, place_of
from relay_tui.room.cuts import read_cut
from relay_tui.room.ndjson import Header, KeptFile, write_lines
from relay_tui.room.part_file import PartFile, cannot_write, check_target
from relay_tui.room.rooms import list_rooms

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Generator, Iterator

    from relay_tui.room.incoming import ChainedRoom
    from relay_tui.room.rooms import Room

STANDARD_OUTPUT = "-"
_AT_ONCE = 64 * 1024
_EVENTS = """
SELECT payload, hash FROM events WHERE seq > ? AND room IN (SELECT value FROM json_each(?)) ORDER BY seq
"""
_FILES = """
SELECT DISTINCT f.sha256 FROM attachments AS f JOIN messages AS m ON m.seq = f.message
WHERE m.room IN (SELECT value FROM json_each(?)) ORDER BY f.sha256
"""


class Export:
    """Everything of one moment, line by line; what it found is known when the last line is out.

    Of the rooms of this repository, which share claims and handovers, or of `all_` rooms.
    """

    def __init__(self, room: Room, *, all_: bool) -> None:
        self._room = room
        self._all = all_
        self.rooms: list[ChainedRoom] = []
        self.events = self.files = 0
        self.lost: set[str] = set()

    def lines(self) -> Generator[bytes, None, None]:
        """Raises `corrupt` where the ledger does not hold, `no_file` where an archive of it is elsewhere, `too_large`
        for an event that no reader would take."""
        with self._room.store.reading() as db:
            every = list_rooms(db)
            chosen = every if self._all else [row for row in every if row.family == self._room.row.family]
            self.rooms = chained_rooms(db, chosen)
            self.events = sum(one.number for one in self.rooms)
            keys = f"[{','.join(str(row.key) for row in chosen)}]"
            header = Header(len(chosen) == len(every), self.rooms)
            events = _whole_ledger(self._room.store.home, db, keys)
            try:
                yield from write_lines(header, iso(self._room.clock()), events, self._files(db, keys))
            finally:
                events.close()  # before the database is, when nobody wants the rest

    def _files(self, db: sqlite3.Connection, keys: str) -> Iterator[KeptFile]:
        for (sha256,) in db.execute(_FILES, (keys,)):
            content = read_kept(self._room.store.home, sha256)
            if content is None:
                self.lost.add(sha256)
            else:
                self.files += 1
                yield KeptFile(sha256, content)


def _whole_ledger(home: str, db: sqlite3.Connection, keys: str) -> Generator[tuple[bytes, bytes], None, None]:
    """Every event from the first, those in archives too."""
    cut = read_cut(db)
    if cut is not None:
        with open_archive(archive_path(home, cut), cut) as archive:
            yield from _whole_ledger(home, archive, keys)
    yield from db.execute(_EVENTS, (cut.seq if cut else 0, keys))


def write_export(room: Room, typed: str, *, all_: bool, force: bool) -> BackedUp:
    """Write a file that is whole or not there. Raises as `Export.lines`, and `file_exists`, `busy`, `storage`."""
    target = place_of(room, typed)
    export = Export(room, all_=all_)
    if room.store.dry_run:
        check_target(target, force=force)
        size = sum(map(len, export.lines()))
    else:
        with ending_tidily(), PartFile(target, force=force) as part:
            _write(part, export)
            size = part.finish()
    return BackedUp(target, size, export.events, export.rooms, export.files, lost_files(export.lost))


def stream_export(room: Room, *, all_: bool) -> Iterator[bytes]:
    """Lines for standard output, many at once. Raises `corrupt` after the last for files that are gone."""
    export = Export(room, all_=all_)
    lines = export.lines()
    try:
        yield from _together(lines)
    finally:
        lines.close()
    if export.lost:
        raise RelayError("corrupt", lost_files(export.lost)[0], "The rest of the export is whole. Run: relay doctor")


def _together(lines: Iterator[bytes]) -> Iterator[bytes]:
    held: list[bytes] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size > _AT_ONCE:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held)


def _write(part: PartFile, export: Export) -> None:
    try:
        with open(part.path, "wb") as file:
            file.writelines(export.lines())
    except OSError as fault:
        raise cannot_write(part.target, fault) from fault
