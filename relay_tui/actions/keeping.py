"""Actions that keep a room and bring it back: backup, export, restore, and questions to the file itself.

Each is the operator's: a copy holds everybody's mail, and so does an answer.
"""

from __future__ import annotations

from relay_tui.base.errors import RelayError, check_number
from relay_tui.base.times import parse_age

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.room.backup import BackedUp
    from relay_tui.room.inspecting import CsvRows, Rows
    from relay_tui.room.ledger import Actor
    from relay_tui.room.restoring import Restored
    from relay_tui.room.rooms import Room


def backup(room: Room, me: Actor, file: str, *, force: bool = False) -> BackedUp:
    """Copy everything of this home into one file, checked (operator). Others go on working.

    relay backup ~/relay-monday.db
    """
    from relay_tui.room.backup import write_backup
    from relay_tui.room.exports import STANDARD_OUTPUT

    if file == STANDARD_OUTPUT:
        raise RelayError("usage", "A backup is a file, which no pipe can take.", "Name it, or run: relay export -")
    return write_backup(room, file, force=force)


def export(room: Room, me: Actor, file: str, *, all_: bool = False, force: bool = False) -> BackedUp | Iterator[bytes]:
    """Write the room as one JSON document a line (operator). Its repository's others come along.

    relay export shop.ndjson
    """
    from relay_tui.room.exports import STANDARD_OUTPUT, stream_export, write_export

    if file == STANDARD_OUTPUT:
        return stream_export(room, all_=all_)
    return write_export(room, file, all_=all_, force=force)


def restore(room: Room, me: Actor, file: str, *, as_new: bool = False) -> Restored:
    """Bring back what a backup or an export holds (operator). All of it or nothing, into a home without rooms.

    relay restore ~/relay-monday.db
    """
    from relay_tui.room.restoring import restore as bring_back
    from relay_tui.room.sources import STANDARD_INPUT

    return bring_back(room, me, file, room.stdin() if file == STANDARD_INPUT else None, as_new=as_new)


def query(
    room: Room, me: Actor, sql: str | None = None, *, table: str | None = None, csv: bool = False,
    limit: int = 1000, timeout: str | None = None,
) -> Rows | CsvRows:  # fmt: skip
    """Ask relay.db in SQL, or print a table (operator). Without either the tables are listed.

    relay db "SELECT name, standing FROM agents"
    """
    from relay_tui.room import inspecting

    if sql is not None and table is not None:
        raise RelayError("usage", "Say a question or a table, not both.", 'Run: relay db "SELECT …"')
    check_number("--limit", limit, most=inspecting.MOST_ROWS)
    ends = parse_age(timeout) if timeout is not None else inspecting.DEADLINE
    if sql is not None:
        found = inspecting.run_query(room, sql, limit=limit, timeout=ends)
    elif table is not None:
        found = inspecting.read_table(room, table, limit=limit, timeout=ends)
    else:
        found = inspecting.list_tables(room)
    if csv and found.more:
        room.tell(f"There are more than {limit} rows: add --limit")
    return inspecting.CsvRows(*found) if csv else found
