"""Full-text search of messages: indexed when somebody searches, never in a send; newest first (DESIGN §5)."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.room.ledger import decode_payload
from relay_tui.room.mail import PAGE, read_messages
from relay_tui.room.mailbox import Page, make_page, read_mailbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from relay_tui.room.mail import Mailbox
    from relay_tui.room.rooms import Room

_BATCH = 1000  # messages indexed in one transaction
_BEHIND = """
SELECT m.seq, m.summary, e.payload FROM messages AS m JOIN events AS e ON e.seq = m.seq
WHERE m.seq > (SELECT coalesce(max(rowid), 0) FROM search) ORDER BY m.seq LIMIT ?
"""
_FOUND = """
SELECT s.rowid FROM search AS s JOIN messages AS m ON m.seq = s.rowid
WHERE search MATCH ? AND s.rowid < ? AND m.room = ?
  AND (? OR m.sender = ? OR EXISTS (SELECT 1 FROM deliveries AS d WHERE d.message = m.seq AND d.agent = ?))
ORDER BY s.rowid DESC LIMIT ?
"""


def search_messages(room: Room, name: str, text: str, *, before: int, limit: int = PAGE) -> Mailbox:
    """Messages that `name` may read and that hold every word of `text`, newest first; delivers nothing."""
    query = _query_of(text)
    catch_up(room)
    return _find(room, name, query, before, limit)


def search_indexed(room: Room, name: str, text: str, *, before: int, limit: int = PAGE) -> Mailbox:
    """The same among what is indexed already; this writes nothing."""
    return _find(room, name, _query_of(text), before, limit)


def _query_of(text: str) -> str:
    """Every word as a phrase of FTS5, so that nothing in it is an operator."""
    query = " ".join('"' + word.replace('"', '""') + '"' for word in text.replace("\0", " ").split())
    if not query:
        raise RelayError("usage", "Search for at least one word.", 'Run: relay search "auth rewrite"')
    return query


def _find(room: Room, name: str, query: str, before: int, limit: int) -> Mailbox:
    def read(db: sqlite3.Connection, agent: int, now: int) -> Page:
        bounds = (query, before, room.row.key, name == room.row.operator, name, agent, limit + 1)
        keys = [key for (key,) in db.execute(_FOUND, bounds)]
        return make_page(read_messages(db, keys, agent, now), limit)

    return read_mailbox(room, name, read)


def catch_up(room: Room) -> None:
    """Index what was sent since the last search, in batches, so that no writer waits long."""
    with room.reading() as db:
        if not db.execute(_BEHIND, (1,)).fetchone():
            return
    while True:
        with room.store.writing() as db:
            rows = db.execute(_BEHIND, (_BATCH,)).fetchall()
            _index(db, rows)
        if len(rows) < _BATCH or room.store.dry_run:
            return


def _index(db: sqlite3.Connection, rows: list[tuple[int, str, bytes]]) -> None:
    db.executemany(
        "INSERT INTO search (rowid, summary, body) VALUES (?, ?, ?)",
        [(seq, summary, decode_payload(payload)["data"]["body"]) for seq, summary, payload in rows],
    )
