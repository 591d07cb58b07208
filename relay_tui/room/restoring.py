"""Bringing a ledger back from a backup or an export: all of it is checked, then all of it is there, or nothing.

The events are folded as they were when they were written, so the tables follow from them; nothing else is taken
from the file but the bytes of attachments.
"""

from __future__ import annotations

import os
import sqlite3

from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip, inert, shell_word
from relay_tui.room.attachments import keep_bytes, kept_path, named_files, read_kept
from relay_tui.room.backup import CutBase
from relay_tui.room.cuts import load_base, replace_base
from relay_tui.room.fold import fold
from relay_tui.room.held import MACHINE
from relay_tui.room.incoming import MADE_UP, ChainedRoom, IncomingEvent
from relay_tui.room.ledger import COLUMNS, INSERT, Actor, Transaction, read_head
from relay_tui.room.ndjson import KeptFile
from relay_tui.room.renaming import Renaming
from relay_tui.room.rooms import list_rooms
from relay_tui.room.sources import open_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO, NamedTuple

    from relay_tui.room.rooms import Room
    from relay_tui.room.sources import Source
else:
    from relay_tui.base.record import NamedTuple

RELAY = "relay"  # what it records itself
_FREED = "it was restored without the rest of its home"
_OFFERED = """
SELECT DISTINCT h.id, r.key, r.id FROM handoff_resources AS p
JOIN handoffs AS h ON h.id = p.handoff JOIN rooms AS r ON r.key = h.room
WHERE p.scope = 'machine' AND p.family = ? AND p.waiting = 1 ORDER BY h.id
"""
_HELD = """
SELECT c.lookup, c.resource, a.name, r.key, r.id FROM claims AS c
JOIN agents AS a ON a.key = c.agent JOIN rooms AS r ON r.key = a.room
WHERE c.scope = 'machine' AND c.family = ? ORDER BY c.lookup
"""


class RestoredRoom(NamedTuple):
    """A room and the end of its chain; `was` is the room that it is a copy of, None for that very room."""

    room: str
    id: str
    number: int
    hash: str
    was: ChainedRoom | None


class Restored(NamedTuple):
    """`restore` of the contract; `source` is `backup` or `export`, `attachments` those that were brought back."""

    home: str
    source: str
    events: int
    rooms: list[RestoredRoom]
    attachments: int
    doubts: list[str]


def restore(room: Room, me: Actor, typed: str, stdin: BinaryIO | None, *, as_new: bool) -> Restored:
    """Check the whole file, then write all of it in one transaction.

    Raises `no_file`, `invalid`, `corrupt`, `newer_schema` for the file, `refused` where the home has rooms already
    and `as_new` is not said, `storage` for the disk; each time with nothing changed.
    """
    if not as_new and room.store.exists:
        with room.store.reading() as db:
            _refuse_rooms(db, room.store.home)
    with open_source(room, typed, stdin) as source:
        _read_through(source)
        with room.store.writing() as db:
            if not as_new:
                _refuse_rooms(db, room.store.home)
            return _Restoring(room, me, db, as_new=as_new).run(source)


def _read_through(source: Source) -> None:
    for _ in source.begin().items():
        pass


def _refuse_rooms(db: sqlite3.Connection, home: str) -> None:
    names = [inert(clip(row.name, 40)) for row in list_rooms(db)]
    if names:
        shown = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
        raise RelayError(
            "refused",
            f"{home} has rooms already ({shown}), and nothing is written over them.",
            "Add --as-new to make new rooms of it, or set RELAY_HOME to another folder.",
        )


class _Restoring:
    """One restore inside its transaction."""

    def __init__(self, room: Room, me: Actor, db: sqlite3.Connection, *, as_new: bool) -> None:
        self._room, self._me, self._db = room, me, db
        self._home = room.store.home
        self._renaming = Renaming(room, db) if as_new else None
        self._keys: dict[str, int] = {}
        self._events = 0
        self._given: set[str] = set()
        self._placed: list[str] = []

    def run(self, source: Source) -> Restored:
        reader = source.begin()
        try:
            for item in reader.items():
                if isinstance(item, KeptFile):
                    self._keep(item)
                elif isinstance(item, CutBase):
                    self._begin_at(item)
                else:
                    self._add(item)
            _refuse_other_names(self._db)
            if self._renaming is not None or not reader.whole:
                self._free_machine(self._renaming.machine if self._renaming else MACHINE)
            rooms = self._finish(reader.chains.rooms)
        except BaseException:
            for path in self._placed:
                os.unlink(path)
            raise
        return Restored(self._home, source.kind, self._events, rooms, len(self._given), self._doubts(rooms))

    def _begin_at(self, base: CutBase) -> None:
        """What stays of archived events, and what they made. Raises `refused` for a copy: its hashes would differ."""
        cut = base.cut
        if self._renaming is not None:
            raise RelayError(
                "refused",
                f"Its older events are in the archive {cut.file}, so it cannot become a new room.",
                "Restore it into a home of its own, and run there: relay log attach, relay export --all",
            )
        try:
            rows = base.source.execute(f"SELECT {COLUMNS} FROM events WHERE seq <= ? ORDER BY seq", (cut.seq,))
            self._db.executemany(INSERT, rows)
            replace_base(self._db, base.source, cut)
            load_base(base.source, self._db, cut)
        except (*MADE_UP, sqlite3.Error) as fault:
            raise _refuse_made_up("its base", fault) from fault
        self._keys = {one.room: one.key for one in cut.rooms}
        self._events = self._db.execute("SELECT count(*) FROM events").fetchone()[0]

    def _add(self, event: IncomingEvent) -> None:
        """Raises `corrupt` for what holds as a chain and still cannot be what relay wrote."""
        try:
            told = self._renaming.retell(event) if self._renaming else event
            key = self._keys.setdefault(told.room, told.seq)
            kind, at, data = told.members["kind"], told.members["time"], told.members["data"]
            self._db.execute(INSERT, (told.seq, key, told.number, kind, at, told.hash, told.payload))
            fold(self._db, told.seq, key, kind, at, data)
        except (*MADE_UP, sqlite3.Error) as fault:
            raise _refuse_made_up(f"event {event.number} of {clip(event.room, 40)}", fault) from fault
        self._events += 1

    def _keep(self, file: KeptFile) -> None:
        self._given.add(file.sha256)
        if self._room.store.dry_run or read_kept(self._home, file.sha256) is not None:
            return
        path = kept_path(self._home, file.sha256)
        if os.path.lexists(path):
            os.unlink(path)  # damaged
        keep_bytes(self._home, file.content)
        self._placed.append(path)

    def _free_machine(self, family: int) -> None:
        """Claims on the machine are its home's: of a part of one nobody knows what the rest freed."""
        now = self._room.clock()
        for handoff, key, id_ in self._db.execute(_OFFERED, (family,)).fetchall():
            tx = Transaction(self._db, key, id_, self._me, now)
            tx.append("handoff.cancelled", {"id": handoff, "by": RELAY}, actor=RELAY)
        for lookup, resource, holder, key, id_ in self._db.execute(_HELD, (family,)).fetchall():
            freed = {"scope": "machine", "family": family, "lookup": lookup, "resource": resource, "holder": holder}
            Transaction(self._db, key, id_, self._me, now).append(
                "claim.released", {"by": RELAY, "claims": [freed], "forced": True, "reason": _FREED}, actor=RELAY
            )

    def _finish(self, told: Sequence[ChainedRoom]) -> list[RestoredRoom]:
        """New rooms remember what they are copies of, and leave the folder to whichever room it has."""
        known = {row.key: row for row in list_rooms(self._db)}
        rooms = []
        for was, (id_, key) in zip(told, self._keys.items(), strict=True):
            if self._renaming is not None:
                tx = Transaction(self._db, key, id_, self._me, self._room.clock())
                tx.append("room.restored", was._asdict())
                tx.append("room.detached", {})
            head = read_head(self._db, key, id_)
            before = was if self._renaming is not None else None
            rooms.append(RestoredRoom(known[key].name, id_, head.number, head.hash.hex(), before))
        return rooms

    def _doubts(self, rooms: Sequence[RestoredRoom]) -> list[str]:
        named = named_files(self._db)
        lost = {one for one in named - self._given if not os.path.isfile(kept_path(self._home, one))}
        found = [f"{len(lost)} of the files that messages name are not in it."] if lost else []
        roots = {row.id: row.root for row in list_rooms(self._db)}
        for one in rooms:
            if one.was is None and not os.path.isdir(roots[one.id]):
                hint = f"where it is now, run: relay init --room {shell_word(one.room)}"
                found.append(f"The folder of {one.room} is not here ({roots[one.id]}); {hint}")
        return found


def _refuse_made_up(what: str, fault: Exception) -> Exception:
    """`corrupt` for what no relay wrote; a disk that refuses stays what it is."""
    if isinstance(fault, sqlite3.OperationalError) and fault.sqlite_errorname != "SQLITE_ERROR":
        return fault
    return RelayError("corrupt", f"Nothing was restored: {what} says what relay never wrote.", "Use another copy.")


def _refuse_other_names(db: sqlite3.Connection) -> None:
    """A file is kept under its SHA-256, so that nothing else may stand there: it becomes a path."""
    if db.execute("SELECT 1 FROM attachments WHERE length(sha256) <> 64 OR sha256 GLOB '*[^0-9a-f]*'").fetchone():
        raise RelayError("corrupt", "Nothing was restored: an attachment has no SHA-256.", "Use another copy.")
