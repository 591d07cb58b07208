"""Opening relay.db: the one place that connects, checks the file, and begins and ends transactions.

Readers open the file read-only and never take the writers' lock. A write takes the lock, then begins
IMMEDIATE, and closes its connection before it lets the lock go, because the last connection to close
checkpoints (DESIGN §5).
"""

from __future__ import annotations

import os
import stat

from relay_tui.base.context import contextmanager
from relay_tui.base.errors import RelayError
from relay_tui.base.places import DATABASE
from relay_tui.room import schema
from relay_tui.room.faults import KEEP_A_COPY, RESTORE, lost_database, no_database, os_error, plain_errors
from relay_tui.room.lock import DEADLINE, WriterLock
from relay_tui.room.sqlite import PATIENCE, connect, set_patience, sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# A broadcast to a thousand touches a thousand pages: SQLite's own 2 MiB of cache would spill in the middle of it,
# and its own checkpoint at 1,000 pages would write the same pages to the file after each one.
_CACHE_KIBIBYTES = 16 * 1024
_CHECKPOINT_PAGES = 4000
_SMALLEST_PAGE = 512
# A migration killed before its first step leaves only the table of migrations behind.
_FOREIGN_TABLES = "SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE '%sqlite%'"
_OUR_TABLES = "SELECT count(*) FROM sqlite_schema WHERE name IN ('events', 'deliveries', 'presence')"


class Store:
    """The file of one home, for one thread. `keep_open` keeps the writing connection between writes."""

    def __init__(
        self, home: str, *, keep_open: bool = False, dry_run: bool = False, deadline: float = DEADLINE
    ) -> None:
        self.home = home
        self.path = os.path.join(home, DATABASE)
        self.dry_run = dry_run
        self.keep_open = keep_open
        self._lock = WriterLock(home, deadline)
        self._reader: sqlite3.Connection | None = None
        self._read_inode: int | None = None
        self._writer: sqlite3.Connection | None = None
        self._written_inode: int | None = None

    @property
    def exists(self) -> bool:
        """Whether the file is there. Raises `storage` where that cannot be told, `corrupt` for what is no file,
        `refused` for another user's."""
        try:
            facts = os.stat(self.path)
        except FileNotFoundError:
            if os.path.lexists(f"{self.path}-wal"):  # which a new file would take for its own
                raise lost_database(self.path) from None
            return False
        except OSError as fault:
            raise os_error(fault, self.path) from fault
        if not stat.S_ISREG(facts.st_mode):
            raise RelayError("corrupt", f"{self.path} is not a file.", "Move it away, or set RELAY_HOME elsewhere.")
        if facts.st_uid != os.geteuid():
            raise RelayError("refused", f"{self.path} belongs to another user.", "Set RELAY_HOME to a folder of yours.")
        return True

    @property
    def deadline(self) -> float:
        """Seconds that a write waits for others."""
        return self._lock.deadline

    @property
    def inode(self) -> int | None:
        """Which file this is; another number once a restore has put another in its place."""
        try:
            return os.stat(self.path).st_ino
        except OSError:
            return None

    @property
    def reader(self) -> sqlite3.Connection:
        """A read-only connection. Raises `no_file`, `corrupt` or `newer_schema`; migrates an older file."""
        if self._reader is not None and self.inode != self._read_inode:
            self._reader.close()  # a restore put another file in its place
            self._reader = None
        if self._reader is None:
            with plain_errors(self.path):
                self._read_inode = self.inode or self._read_inode
                self._reader = self._open_reader()
        return self._reader

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A read-only connection on which everything read in one block is of one moment, and SQLite's errors
        become relay's."""
        with plain_errors(self.path):
            db = self.reader
            if db.in_transaction:  # a block inside of another shares its moment
                yield db
                return
            db.execute("BEGIN")
            try:
                yield db
            finally:
                _roll_back(db)

    def read_version(self) -> tuple[int | None, int]:
        """Another one after each commit of another connection, and with another file in the place of this one."""
        with self.reading() as db:
            return self._read_inode, int(db.execute("PRAGMA data_version").fetchone()[0])

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One IMMEDIATE transaction under the lock: committed when the block ends, else rolled back.

        With `dry_run` it is rolled back in any case, so that the block's answer is told and nothing kept.
        """
        if self.dry_run and not self.exists:
            from relay_tui.room.making import nowhere

            with nowhere() as db:
                yield db
            return
        self.ensure()
        with self._locked(), plain_errors(self.path):
            db = self._open_writer()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("ROLLBACK" if self.dry_run else "COMMIT")
            except BaseException:
                _roll_back(db)
                raise

    @contextmanager
    def beside(self) -> Iterator[sqlite3.Connection]:
        """A transaction for what stands beside the ledger, tried once: raises `busy` where another relay writes."""
        with self.waiting(0), self.writing() as db:
            yield db

    @contextmanager
    def waiting(self, seconds: float) -> Iterator[None]:
        """Writes in this block wait so long for others, whatever is usual."""
        usual = self.deadline
        self._set_deadline(seconds)
        try:
            yield
        finally:
            self._set_deadline(usual)

    def _set_deadline(self, seconds: float) -> None:
        self._lock.deadline = seconds
        if self._writer is not None:
            set_patience(self._writer, seconds)

    def ensure(self) -> None:
        """Make the home and the file where they are missing, and bring an older file up to date."""
        if self._reader is None and self._writer is None and not self._is_current():
            prepare_home(self.home)
            with self._locked(), plain_errors(self.path):
                self._migrate()

    def compact(self) -> None:
        """Give what the file does not need any more back to the disk; writers wait for it meanwhile."""
        with self._locked(), plain_errors(self.path):
            db = self._open_writer()
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        if self._writer is not None:
            self.keep_open = False
            try:
                with self._locked():
                    pass
            except RelayError:  # whoever leaves cannot wait for ever; at the worst two checkpoint at once
                self._close_writer()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            self._lock.acquire()
        except OSError as fault:
            raise os_error(fault, self._lock.path) from fault
        try:
            yield
        finally:
            try:
                if not self.keep_open:
                    self._close_writer()
            finally:
                self._lock.release()  # also when a person interrupts the checkpoint

    def _close_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _is_current(self) -> bool:
        if not self.exists:
            return False
        with plain_errors(self.path):
            db = _connect(self.path, "ro")
            try:
                return _check_version(db, self.path) == schema.VERSION
            finally:
                db.close()

    def _open_reader(self) -> sqlite3.Connection:
        if not self.exists:
            raise no_database(self.path, was_there=self._read_inode is not None)
        # Where nobody can write, nobody does.
        is_frozen = not os.access(self.home, os.W_OK) and not os.path.exists(f"{self.path}-wal")
        db = _connect(self.path, "ro&immutable=1" if is_frozen else "ro")
        if _check_version(db, self.path) == schema.VERSION:
            return db
        db.close()
        if is_frozen:
            raise RelayError("storage", f"{self.path} is of an older relay and cannot be written.", "Make it writable.")
        self.ensure()
        return _connect(self.path, "ro")

    def _open_writer(self) -> sqlite3.Connection:
        if self._writer is not None and self.inode != self._written_inode:
            self._close_writer()  # of a file that was replaced; SQLite leaves the new one's -wal alone
        if self._writer is None:
            self._written_inode = self.inode
            self._writer = _connect(self.path, "rw", self.deadline)
            for setting in ("foreign_keys = ON", "synchronous = FULL", f"wal_autocheckpoint = {_CHECKPOINT_PAGES}"):
                self._writer.execute(f"PRAGMA {setting}")
        return self._writer

    def _migrate(self) -> None:
        """Once, by the first that holds the lock; whoever waited finds the work done."""
        from relay_tui.room.making import back_up, make_database

        if not os.path.lexists(self.path):
            make_database(self.path)
        db = self._open_writer()
        version = _check_version(db, self.path)
        if version == schema.VERSION:
            return
        if version:
            back_up(db, f"{self.path}.before-{schema.VERSION}")
        db.execute("PRAGMA journal_mode = WAL")
        schema.migrate(db)


def prepare_home(home: str) -> None:
    """Make the home, private to its owner. Raises `refused` for somebody else's and for a network disk."""
    from relay_tui.base.filesystem import check_home

    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
    except OSError as fault:
        raise os_error(fault, home) from fault
    check_home(home, os.environ)


def _connect(path: str, mode: str, patience: float = PATIENCE) -> sqlite3.Connection:
    db = connect(path, mode, patience)
    try:
        db.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")  # the first look into the file
    except BaseException:
        db.close()
        raise
    return db


def _check_version(db: sqlite3.Connection, path: str) -> int:
    """The schema version of an open file. Raises `newer_schema`, and `corrupt` if it is not a database."""
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > schema.VERSION:
        raise RelayError(
            "newer_schema",
            f"{path} was written by a newer relay (schema {version}, this one knows {schema.VERSION}).",
            "Upgrade relay-tui; the file is left as it is.",
        )
    size = os.path.getsize(path)
    if version == 0 and size == 0:
        raise RelayError("corrupt", f"{path} is empty; what was in it is lost.", RESTORE)
    if version == 0 and size < _SMALLEST_PAGE:  # which SQLite takes for an empty file
        raise RelayError("corrupt", f"{path} is damaged or not a database.", KEEP_A_COPY)
    ours = db.execute(_OUR_TABLES).fetchone()[0] if version else 0
    if ours == 2:  # the names of two are in no other's database
        raise RelayError("corrupt", f"{path} is damaged: a table of relay's is gone.", KEEP_A_COPY)
    if ours < 2 and (version or db.execute(_FOREIGN_TABLES).fetchone()[0] > 0):
        raise RelayError("corrupt", f"{path} is a database, but not relay's.", "Set RELAY_HOME elsewhere.")
    return version


def _roll_back(db: sqlite3.Connection) -> None:
    if db.in_transaction:
        db.execute("ROLLBACK")
