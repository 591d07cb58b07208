"""The tables of relay.db: what stands in the file, and the migrations that put it there (DESIGN §5).

`sqlite_utils` is imported only while a migration runs; opening reads `PRAGMA user_version` alone.
Tables are either projections, which `fold` makes from events and `rebuild` checks, or stand beside the
ledger (`BESIDE`) and hold nothing that an event says. `base` is part of the ledger: what its archived events made.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from sqlite_utils import Database

# Raised with every migration. A file with a higher number is left alone.
VERSION = 1

# Projections with the columns that order their rows when two copies are compared.
PROJECTIONS = {
    "rooms": "key",
    "agents": "key",
    "sessions": "agent, session",
    "questions": "id",
    "messages": "seq",
    "deliveries": "message, agent",
    "attachments": "message, place",
    "wakes": "agent, message",
    "claims": "scope, family, lookup",
    "handoffs": "id",
    "handoff_resources": "handoff, scope, family, lookup",
    "items": "room, id",
    "plans": "room, path",
    "plan_items": "room, path, item",
}
BESIDE = ("presence", "search", "waiting")


def migrate(db: sqlite3.Connection) -> None:
    """Bring an open file to `VERSION`. The caller holds the writers' lock and no transaction."""
    from sqlite_utils import Database, Migrations

    migrations = Migrations("relay")

    @migrations()
    def m001_first_room(database: Database) -> None:
        create(database.conn)

    migrations.apply(Database(db))


def create(db: sqlite3.Connection) -> None:
    """Every table of `VERSION` in an empty database; also what a rebuild folds into."""
    from relay_tui.room import tables

    for statement in filter(str.strip, "".join(tables.ALL).split(";")):
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {VERSION}")
