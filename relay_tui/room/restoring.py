"""Bringing a ledger back from a backup or an export: all of it is checked, then all of it is there, or nothing.

The events are folded as they were when they were written, so the tables follow from them; nothing else is taken
from the file but the bytes of attachments.
"""

from __future__ import annotations

import os
import re
import sqlite3

from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip, counted, shell_word
from relay_tui.room.attachments import keep_bytes, kept_path, named_files
from relay_tui.room.backup import CutBase
from relay_tui.room.cuts import load_base, replace_base
from relay_tui.room.fold import fold
from relay_tui.room.held import MACHINE
from relay_tui.room.incoming import MADE_UP, ChainedRoom, IncomingEvent
from relay_tui.room.ledger import COLUMNS, INSERT, RELAY, Actor, Transaction, read_head
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
_ARCHIVE = re.compile(r"ledger-\d+-\d+-[0-9a-f]{8}\.db")
# What no value of these columns may be.
_SHAPES = {
    "length({0}) <> 64 OR {0} GLOB '*[^0-9a-f]*'": ("attachments.sha256",),
    "{0} NOT GLOB '[a-z0-9]*' OR {0} GLOB '*[^a-z0-9._-]*'": (
        "agents.name", "rooms.operator", "messages.sender", "questions.asker",
    ),
    "{0} NOT GLOB '[A-Z]*' OR substr({0}, 2) GLOB '*[^0-9a-z]*'": (
        "rooms.id", "sessions.id", "questions.id", "questions.message", "messages.id", "messages.thread",
        "messages.reply_to", "handoffs.id", "items.id", "items.parent",
    ),
}  # fmt: skip


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
        files = {item.sha256 for item in source.begin().items() if isinstance(item, KeptFile)}
        if files and not room.store.dry_run:
            _keep_files(room, source)
        with room.store.writing() as db:
            if not as_new:
                _refuse_rooms(db, room.store.home)
            return _Restoring(room, me, db, files, as_new=as_new).run(source)


def _keep_files(room: Room, source: Source) -> None:
    """Once all of it holds, and before anybody waits. Where nothing comes of it after all they stay, for a sender may
    have met them there meanwhile; `doctor` counts them."""
    room.store.ensure()
    for item in source.begin().items():
        if isinstance(item, KeptFile):
            keep_bytes(room.store.home, item.content)


def _refuse_rooms(db: sqlite3.Connection, home: str) -> None:
    names = [clip(row.name, 40) for row in list_rooms(db)]
    if names:
        shown = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
        raise RelayError(
            "refused",
            f"{home} has rooms already ({shown}), and nothing is written over them.",
            "Add --as-new to make new rooms of it, or set RELAY_HOME to another folder.",
        )


class _Restoring:
    """One restore inside its transaction."""

    def __init__(self, room: Room, me: Actor, db: sqlite3.Connection, files: set[str], *, as_new: bool) -> None:
        self._room, self._me, self._db, self._files = room, me, db, files
        self._home = room.store.home
        self._renaming = Renaming(room, db) if as_new else None
        self._keys: dict[str, int] = {}
        self._events = self._freed = 0

    def run(self, source: Source) -> Restored:
        reader = source.begin()
        for item in reader.items():
            if isinstance(item, KeptFile):
                break  # the events are over
            self._begin_at(item) if isinstance(item, CutBase) else self._add(item)
        _refuse_other_names(self._db)
        if self._renaming is not None or not reader.whole:
            self._free_machine(self._renaming.machine if self._renaming else MACHINE)
        rooms = self._finish(reader.chains.rooms)
        return Restored(self._home, source.kind, self._events, rooms, len(self._files), self._doubts(rooms))

    def _begin_at(self, base: CutBase) -> None:
        """What stays of archived events, and what they made. Raises `refused` for a copy: its hashes would differ."""
        cut = base.cut
        if self._renaming is not None:
            raise RelayError(
                "refused",
                f"Its older events are in the archive {cut.file}, so it cannot become a new room.",
                f"In a home of its own restore it, run: relay log attach {cut.file}, and export that.",
            )
        try:
            if not _ARCHIVE.fullmatch(cut.file):
                raise ValueError("the archive has another name than archives have")
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
            self._freed += 1

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
        lost = {one for one in named - self._files if not os.path.isfile(kept_path(self._home, one))}
        found = [f"{len(lost)} of the files that messages name are not in it."] if lost else []
        if self._freed:
            freed = counted(self._freed, "claim on the machine was", "claims on the machine were")
            found.append(f"{freed} freed, which is more than the file says: {_FREED}.")
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
    """Raises `corrupt` where what becomes a path, or a word of a line to paste, is not what relay makes of it."""
    for where, columns in _SHAPES.items():
        for table, column in (one.split(".") for one in columns):
            if db.execute(f"SELECT 1 FROM {table} WHERE {where.format(column)} LIMIT 1").fetchone():
                raise RelayError(
                    "corrupt", f"Nothing was restored: among the {table} is a '{column}' that relay never gave.",
                    "Use another copy.",
                )  # fmt: skip
