"""Which room a folder belongs to, and the handle that every job's functions take (DESIGN §2, room).

A repository has one room whichever worktree you stand in; `init --room` binds a folder to one of its own.
"""

from __future__ import annotations

import os

from relay_tui.base.config import Settings, read_settings
from relay_tui.base.context import contextmanager
from relay_tui.base.errors import RelayError
from relay_tui.base.ids import random_id
from relay_tui.base.places import Repository, find_repository, main_folder
from relay_tui.base.times import system_clock
from relay_tui.room.ledger import Actor, Transaction, next_seq

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from typing import BinaryIO, NamedTuple, NoReturn

    from relay_tui.room.store import Store
else:
    from relay_tui.base.record import NamedTuple

DEFAULT_OPERATOR = "operator"


class RoomRow(NamedTuple):
    """A room as stored. `family` is shared by the rooms of one repository, and so are their claims; one of its
    `own` folder is found from there while it is `attached`."""

    key: int
    id: str
    name: str
    root: str
    repository: str | None
    family: int
    own: bool
    attached: bool
    operator: str
    created_at: int


_COLUMNS = ", ".join(RoomRow._fields)


def no_stdin() -> NoReturn:
    """What a door says that has no standard input to read. Raises `usage`."""
    raise RelayError("usage", "There is no standard input here.", "Run it in a terminal, or name what you mean.")


class Room:
    """One room as a caller sees it from a folder. Functions of the jobs take it as their first argument."""

    def __init__(
        self,
        store: Store,
        row: RoomRow | None,
        folder: str,
        *,
        clock: Callable[[], int] = system_clock,
        new_id: Callable[[str], str] = random_id,
        tell: Callable[[str], object] = str,
        stdin: Callable[[], BinaryIO] = no_stdin,
    ) -> None:
        """`tell` is told what takes a while, in a sentence; nobody hears it where a door has no place for that.
        `stdin` is the command line's alone: whoever draws a screen or speaks to a client reads it already."""
        self.store = store
        self.folder = os.path.realpath(folder)
        self.place = find_repository(self.folder)
        self.clock = clock
        self.new_id = new_id
        self.tell = tell
        self.stdin = stdin
        self._row = row
        self._settings: Settings | None = None

    @property
    def row(self) -> RoomRow:
        """The stored room. Raises `unknown_room` where nobody has written here yet."""
        if self._row is None:
            from relay_tui.room.adrift import no_room_yet

            raise no_room_yet(self.store, self.folder, self.repository_here)
        return self._row

    @property
    def exists(self) -> bool:
        return self._row is not None

    @property
    def operator(self) -> str:
        """Whoever runs the room; the name that a room gets unless `init` gives another, where there is none yet."""
        return self._row.operator if self._row else DEFAULT_OPERATOR

    @property
    def repository(self) -> str | None:
        """The repository that the room is of; the folder's, until the room's first write."""
        return self._row.repository if self._row is not None else self.repository_here

    @property
    def own_place(self) -> Repository | None:
        """Where its folder stands in the room's repository; None elsewhere, as for a room named from another one."""
        return self.place if self.place and self.place.common_dir == self.repository else None

    @property
    def root_here(self) -> str:
        """The folder that a room of its own made here is of: the worktree's, or this very one."""
        return (self.place.worktree or self.place.common_dir) if self.place else self.folder

    def root_of(self, own: bool) -> str:
        """The folder that a room made here is of; a repository's outlives the worktree that one stands in."""
        return self.root_here if own or self.place is None else main_folder(self.place)

    @property
    def repository_here(self) -> str | None:
        return self.place.common_dir if self.place else None

    @property
    def settings(self) -> Settings:
        if self._settings is None:
            self._settings = read_settings(self.store.home, self._row.name if self._row else None)
        return self._settings

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A read-only connection on an existing room, whose row is read anew: whoever keeps a room open hears what
        another process made of it. Raises `unknown_room` otherwise."""
        known = self.row
        with self.store.reading() as db:
            self._row = _read_again(db, known)
            yield db

    @contextmanager
    def writing(self, me: Actor) -> Iterator[Transaction]:
        """One transaction in this room, made on the first write inside a repository (DESIGN §7)."""
        from relay_tui.room.expiry import expire_due, leave_ended

        before = self._row
        try:
            with self.store.writing() as db:
                # Somebody else may have made it since this one was opened.
                found = _read_again(db, before) if before else find_room(db, self.folder)
                self._row = row = found or create_room(self, db, me)
                tx = Transaction(db, row.key, row.id, me, self.clock())
                yield tx
                expire_due(tx)  # last: an `ack` of what is due still counts
                leave_ended(tx)
        except BaseException:
            self._row = before
            raise
        if found is None:
            self._tell_of_moved_rooms()
        if self.store.dry_run:
            self._row = before

    def _tell_of_moved_rooms(self) -> None:
        """Where a room was made: perhaps its folder had one before it was moved."""
        from relay_tui.room.adrift import remark_on_moving

        if moved := remark_on_moving(self.store, self.repository_here):
            self.tell(moved)

    def draw_id(self, db: sqlite3.Connection, letter: str, table: str) -> str:
        """A new id that `table` does not have yet."""
        while True:
            candidate = self.new_id(letter)
            if not db.execute(f"SELECT 1 FROM {table} WHERE id = ?", (candidate,)).fetchone():
                return candidate


def find_room(db: sqlite3.Connection, folder: str) -> RoomRow | None:
    """The room of a folder: the nearest bound one inside its worktree, else its repository's, else above."""
    folder = os.path.realpath(folder)
    place = find_repository(folder)
    bound = _bound_room(db, folder, floor=place.worktree if place else None)
    if bound or place is None:
        return bound
    return _row(db, "repository = ? AND own = 0", place.common_dir)


def find_room_named(db: sqlite3.Connection, wanted: str) -> RoomRow:
    """`--room NAME|PATH`. Raises `unknown_room` with the names there are."""
    row = _row(db, "name = ?", wanted) or _row(db, "id = ?", wanted)
    if row is None and os.path.isdir(wanted):
        row = find_room(db, wanted)
    if row is None:
        names = [name for (name,) in db.execute("SELECT name FROM rooms ORDER BY name")]
        raise RelayError("unknown_room", f"There is no room '{wanted}'.", "Run: relay rooms", {"rooms": names})
    return row


def _read_again(db: sqlite3.Connection, known: RoomRow) -> RoomRow:
    """The row as it is now. Raises `unknown_room` where a restore put another ledger in its place."""
    row = _row(db, "key = ? AND id = ?", known.key, known.id)
    if row is None:
        raise RelayError("unknown_room", f"The room {known.name} is not in relay.db any more.", "Run: relay rooms")
    return row


def list_rooms(db: sqlite3.Connection) -> list[RoomRow]:
    return [RoomRow._make(row) for row in db.execute(f"SELECT {_COLUMNS} FROM rooms ORDER BY name")]


def create_room(
    room: Room, db: sqlite3.Connection, me: Actor, *, name: str | None = None, operator: str = DEFAULT_OPERATOR,
    own: bool = False,
) -> RoomRow:  # fmt: skip
    """The room of the folder that `room` stands in, recorded as its first event, by `me`.

    Outside a repository a room exists only after `init`, which passes `own`: raises `unknown_room`.
    """
    if room.place is None and not own:
        raise RelayError(
            "unknown_room",
            f"{room.folder} is not in a git repository and has no room.",
            "Run: relay init",
        )
    root, repository = room.root_of(own), room.repository_here
    key = next_seq(db)
    room_id = room.draw_id(db, "R", "rooms")
    tx = Transaction(db, key, room_id, me, room.clock())
    tx.append("room.created", {
        "name": free_name(db, name or default_name(root, room.place)), "root": root, "repository": repository,
        "family": _family(db, repository) or key, "own": own, "operator": operator, "id": room_id,
    })  # fmt: skip
    row = _row(db, "key = ?", key)
    assert row is not None
    return row


def default_name(root: str, place: Repository | None) -> str:
    """The main worktree's folder, whichever worktree the room was first used from; the folder of a `.bare`."""
    folder = root
    if place is not None:
        common = place.common_dir
        hidden = os.path.basename(common).startswith(".")
        folder = os.path.dirname(common) if hidden else common.removesuffix(".git")
    return os.path.basename(folder).encode("utf-8", "replace").decode()


def free_name(db: sqlite3.Connection, wanted: str) -> str:
    """A name that no room has, nor has it for its id."""
    from relay_tui.base.names import room_name_of

    name, suffix = room_name_of(wanted), 1
    while _row(db, "? IN (name, id)", name):
        suffix += 1
        name = f"{room_name_of(wanted)}-{suffix}"
    return name


def _family(db: sqlite3.Connection, repository: str | None) -> int | None:
    """That of a repository's rooms; a copy that nobody put in a folder is apart from them."""
    row = _row(db, "repository = ? AND (own = 0 OR attached = 1)", repository) if repository else None
    return row.family if row else None


def _bound_room(db: sqlite3.Connection, folder: str, floor: str | None) -> RoomRow | None:
    """The room bound to `folder` or the nearest folder above it, not above `floor`."""
    while True:
        row = _row(db, "root = ? AND own = 1 AND attached = 1", folder)
        parent = os.path.dirname(folder)
        if row or folder == floor or parent == folder:
            return row
        folder = parent


def _row(db: sqlite3.Connection, clause: str, *bounds: object) -> RoomRow | None:
    found = db.execute(f"SELECT {_COLUMNS} FROM rooms WHERE {clause} ORDER BY key LIMIT 1", bounds).fetchone()
    return RoomRow._make(found) if found else None
