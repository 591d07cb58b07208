"""Questions: what an agent waits to be told, each a row with an id of its own (DESIGN §6.1, `--needs`).

One is closed by a reply to the message that asked it, or by the asker's next status.
"""

from __future__ import annotations

from relay_tui.base.text import clip
from relay_tui.room.finding import find_unique, unknown_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import NamedTuple

    from relay_tui.room.ledger import Transaction
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class Question(NamedTuple):
    id: str
    whom: str
    text: str
    asked_at: int


class Asking(NamedTuple):
    """An open question as whom it is for sees it, with the id of the message that asked it."""

    id: str
    asker: str
    text: str
    asked_at: int
    message: str


_OF_ASKER = """
SELECT q.id, q.whom, q.text, q.asked_at FROM agents AS a JOIN questions AS q ON q.room = a.room AND q.asker = a.name
WHERE a.key = ? AND q.closed_at IS NULL ORDER BY q.asked_at DESC LIMIT 1
"""
_TO = f"""
SELECT {", ".join(Asking._fields)} FROM questions WHERE room = ? AND whom = ? AND closed_at IS NULL ORDER BY asked_at
"""
_FOUND = f"SELECT {', '.join(Asking._fields)} FROM questions WHERE id >= ? AND id < ? AND +room = ? LIMIT 3"
_OPEN = "SELECT id FROM questions WHERE room = ? AND closed_at IS NULL"


def ask(tx: Transaction, room: Room, whom: str, text: str) -> None:
    """Open a question, and send it to whom it is for."""
    from relay_tui.room.mail import SUMMARY_CHARACTERS
    from relay_tui.room.messages import Draft, check_draft, store_message

    draft = Draft(body=text, to=whom, summary=clip(f"Question: {text}".split("\n")[0], SUMMARY_CHARACTERS))
    check_draft(draft)
    sent = store_message(tx, room, draft)
    tx.append("question.asked", {
        "id": room.draw_id(tx.db, "Q", "questions"), "asker": tx.me.name, "whom": whom, "text": text,
        "message": sent.id,
    })  # fmt: skip


def close_by_status(tx: Transaction) -> bool:
    """Close all that the actor asked; whether there was anything."""
    return _close(tx, f"{_OPEN} AND asker = ?", tx.me.name)


def close_by_reply(tx: Transaction, message: str) -> bool:
    """Close what the message asked, unless the reply is the asker's own. Besides the asker only its recipients and
    the operator may answer a message."""
    return _close(tx, f"{_OPEN} AND asker <> ? AND message = ?", tx.me.name, message)


def _close(tx: Transaction, sql: str, *bounds: str) -> bool:
    questions = tx.db.execute(sql, (tx.room, *bounds)).fetchall()
    for (question,) in questions:
        tx.append("question.closed", {"id": question, "by": tx.me.name})
    return bool(questions)


def open_question_of(db: sqlite3.Connection, agent: int) -> Question | None:
    """The newest that an agent, by its key, asks."""
    row = db.execute(_OF_ASKER, (agent,)).fetchone()
    return Question(*row) if row else None


def questions_to(db: sqlite3.Connection, room: int, whom: str) -> list[Asking]:
    """All that are open and for somebody, oldest first."""
    return [Asking(*row) for row in db.execute(_TO, (room, whom))]


def message_that_asked(db: sqlite3.Connection, room: int, wanted: str) -> str:
    """For the id of a question, whole or its beginning. Raises `unknown_message`, `ambiguous`."""

    def read(first: str, end: str) -> list[Asking]:
        return [Asking(*row) for row in db.execute(_FOUND, (first, end, room))]

    return find_unique(read, "Q", wanted, unknown_message(wanted)).message
