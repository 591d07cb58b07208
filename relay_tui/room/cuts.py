"""Where the ledger is cut: what an archive left in place of the events that it took (DESIGN §3.1, §5).

The table `base` holds the projections as they were at the cut, in packed parts, and at place 0 the `Cut`. Every
room's chain repeats the cut in an event `log.archived` behind it, so that whoever changes the base breaks a chain.
"""

from __future__ import annotations

import zlib
from hashlib import sha256

from relay_tui.base.canonical import decode, encode
from relay_tui.base.errors import RelayError
from relay_tui.room import schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator
    from typing import Any, NamedTuple, TypeAlias

    Kept: TypeAlias = tuple[int, bytes, bytes]  # number, hash, payload
else:
    from relay_tui.base.record import NamedTuple

ARCHIVED = "log.archived"
# What a base holds, in this order; of presence, which stands beside the ledger, what the events alone tell.
PARTS = {**schema.PROJECTIONS, "presence": "agent"}
_HEADER = 0
_BATCH = 2000  # rows in one packed part


class RoomCut(NamedTuple):
    """One room's event at the cut, which stays, and the digest of the messages that stay below it.

    Hashes are in hex; `prev` is the one before the event's own.
    """

    key: int
    room: str
    number: int
    hash: str
    prev: str
    kept: str


class Cut(NamedTuple):
    """The last seq that the base holds, its moment, the base's digest, and the archive that has the events."""

    seq: int
    at: int
    base: str
    file: str
    sha256: str
    rooms: list[RoomCut]

    def said_to(self, room: RoomCut) -> dict[str, Any]:
        """The data of the event that says so in that room's chain."""
        return {
            "seq": self.seq, "at": self.at, "base": self.base, "file": self.file, "sha256": self.sha256,
            "number": room.number, "hash": room.hash, "prev": room.prev, "kept": room.kept,
        }  # fmt: skip


def read_cut(db: sqlite3.Connection) -> Cut | None:
    """Where this ledger begins; None where it is whole."""
    row = db.execute("SELECT content FROM base WHERE place = ?", (_HEADER,)).fetchone()
    if row is None:
        return None
    *said, rooms = _decoded(row[0])
    return Cut._make([*said, [RoomCut._make(one) for one in rooms]])


def cut_seq(db: sqlite3.Connection) -> int:
    """The last seq whose event may be gone; 0 where none is."""
    cut = read_cut(db)
    return cut.seq if cut else 0


def pack_base(db: sqlite3.Connection) -> str:
    """Put what the tables of a scratch database hold into its own `base`; returns the digest."""
    digest = sha256()
    for place, (part, content) in enumerate(_parts(db), 1):
        _absorb(digest, part, content)
        db.execute("INSERT INTO base VALUES (?, ?, ?)", (place, part, zlib.compress(content)))
    return digest.hexdigest()


def load_base(db: sqlite3.Connection, target: sqlite3.Connection, cut: Cut, *, signs: bool = False) -> None:
    """Fill empty tables with what they held at the cut; presence, which no projection is, only with `signs`.

    Raises `corrupt` where the base is not the one of the cut.
    """
    if not base_holds(db, cut):
        raise _spoiled()
    for part, content in _unpacked(db):
        if part in schema.BESIDE and not signs:
            continue
        columns, *rows = _decoded(content)
        if columns != [column[1] for column in target.execute(f"PRAGMA table_info({part})")]:
            raise _spoiled()
        marks = ", ".join("?" * len(columns))
        target.executemany(f"INSERT INTO {part} ({', '.join(columns)}) VALUES ({marks})", rows)


def base_holds(db: sqlite3.Connection, cut: Cut) -> bool:
    """Whether the base is the one that the cut left."""
    digest = sha256()
    try:
        for part, content in _unpacked(db):
            _absorb(digest, part, content)
    except RelayError:
        return False
    return digest.hexdigest() == cut.base


def replace_base(db: sqlite3.Connection, source: sqlite3.Connection, cut: Cut | None) -> None:
    """Take over the packed base of another database, for this cut; with None there is no base any more."""
    db.execute("DELETE FROM base")
    if cut is not None:
        rows = source.execute("SELECT place, part, content FROM base WHERE place > ? ORDER BY place", (_HEADER,))
        db.executemany("INSERT INTO base VALUES (?, ?, ?)", rows)
        db.execute("INSERT INTO base VALUES (?, 'cut', ?)", (_HEADER, encode(cut).encode()))


def digest_kept(rows: Iterable[Kept]) -> str:
    """Of the messages that stay below a cut, in the order of their numbers."""
    digest = sha256()
    for number, hash_, payload in rows:
        digest.update(number.to_bytes(8, "big") + hash_ + len(payload).to_bytes(8, "big") + payload)
    return digest.hexdigest()


def _parts(db: sqlite3.Connection) -> Iterator[tuple[str, bytes]]:
    for part, order in PARTS.items():
        rows = db.execute(f"SELECT * FROM {part} ORDER BY {order}")
        columns = [column[0] for column in rows.description]
        while batch := rows.fetchmany(_BATCH):
            yield part, encode([columns, *batch]).encode()


def _unpacked(db: sqlite3.Connection) -> Iterator[tuple[str, bytes]]:
    """Parts with their content. Raises `corrupt` for what cannot be one."""
    for part, content in db.execute("SELECT part, content FROM base WHERE place > ? ORDER BY place", (_HEADER,)):
        if part not in PARTS:
            raise _spoiled()
        try:
            yield part, zlib.decompress(content)
        except zlib.error:
            raise _spoiled() from None


def _absorb(digest: Any, part: str, content: bytes) -> None:
    digest.update(part.encode() + b"\0" + len(content).to_bytes(8, "big") + content)


def _decoded(content: bytes) -> list[Any]:
    try:
        found = decode(content.decode())
    except ValueError:
        raise _spoiled() from None
    assert isinstance(found, list)
    return found


def _spoiled() -> RelayError:
    return RelayError(
        "corrupt",
        "What the ledger begins with is not what its archive left there.",
        "Nothing was changed. Restore a backup.",
    )
