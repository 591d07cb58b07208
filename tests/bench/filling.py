"""Rooms with a long past. Their messages and claims are equal rows put in by SQL, so that a million take a minute;
what is measured in them is relay's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from relay_tui.actions.perform import open_room
from relay_tui.base.canonical import encode
from relay_tui.base.times import DAY
from relay_tui.room import registry
from relay_tui.room.ledger import Actor, next_seq, read_head
from relay_tui.room.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from relay_tui.room.rooms import Room

AGENTS = 1000
LIVE = 100  # of them; the others have been quiet for a day
RECIPIENTS = 3
HOLDERS_FROM, HOLDERS = 2, 10  # `w-2` and those after it hold the claims
# A hundred thousand open deliveries of three million, a hundred or two for each agent.
A_THIRTIETH = "CASE WHEN i % 20 = 0 THEN (i / 20) % 143 = 0 ELSE (i / 20) % 30 = 0 END"
LAST_FIFTY = "i >= :count - 200 AND i % 4 = 0"


class Past(NamedTuple):
    """So many messages, each to three of the agents; `w-0` gets one in twenty. `open_` says in SQL which of the
    messages `i` nobody handled yet: one in thirty, of `w-0`'s fewer."""

    messages: int
    agents: int = AGENTS
    open_: str = A_THIRTIETH
    claims: int = 0

    def rows(self) -> tuple[str, ...]:
        numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count) "
        first = "CASE WHEN i % 20 = 0 THEN 0 ELSE 1 + i % (:agents - 1) END"
        return (
            f"INSERT INTO events (seq, room, number, kind, at, hash, payload) {numbers}"
            "SELECT :seq + i, :room, :number + i, 'message.sent', :at + i, zeroblob(32),"
            f" CAST(replace(replace(:payload, '@ID', printf('B%07d', i)), '@TO', 'w-' || ({first})) AS BLOB) FROM n",
            "INSERT INTO messages (seq, id, room, sender, audience, addressed, summary, reply_to, thread, sent_at,"
            f" expires_at, request, unsettled) {numbers}"
            "SELECT :seq + i, printf('B%07d', i), :room, 'a', 'broadcast', '*', 'Rebase before 17:00', NULL,"
            f" printf('B%07d', i), :at + i, :expires, NULL, {RECIPIENTS} * ({self.open_}) FROM n",
            f"INSERT INTO deliveries (message, agent, expires_at, handled_at) {numbers}"
            f", r (k) AS (VALUES (0), (7), (13)) SELECT :seq + i, :first + (({first}) + k) % :agents, :expires,"
            f" CASE WHEN {self.open_} THEN NULL ELSE :at + i END FROM n, r",
        )


def build_room(home: Path, repository: Path, past: Past) -> Room:
    """A room with `a` and `w-0` …, of which 100 are live, and such a past."""
    room = open_room(Store(str(home), keep_open=True), str(repository), None)
    registry.join(room, Actor("a"), registry.Joining())
    with room.writing(Actor("a")) as tx:
        first = next_seq(tx.db)
        for number in range(past.agents):
            key = tx.append("agent.joined", {"agent": f"w-{number}", "facts": {}, "session": None})
            heard = tx.now if number < LIVE else tx.now - DAY
            tx.db.execute("INSERT INTO presence (agent, last_seen, source) VALUES (?, ?, 'cli')", (key, heard))
        said = {
            "count": past.messages, "agents": past.agents, "room": tx.room, "at": tx.now, "expires": tx.now + 30 * DAY,
            "payload": payload(tx.now), "first": first, "seq": next_seq(tx.db),
            "number": read_head(tx.db, tx.room, tx.room_id).number + 1,
        }  # fmt: skip
        for statement in past.rows() if past.messages else ():
            tx.db.execute(statement, said)
        tx.db.executemany(
            "INSERT INTO claims (scope, family, lookup, resource, agent, note, claimed_at, planned)"
            " VALUES ('project', ?, ?, ?, ?, NULL, ?, 0)",
            [
                (room.row.family, path, path, first + HOLDERS_FROM + number % HOLDERS, tx.now)
                for number in range(past.claims)
                for path in [f"held/{number:05}.py"]
            ],
        )
    return room


def payload(at: int) -> str:
    return encode({
        "v": 1, "room": "R7h2k9q4", "number": 1, "seq": 1, "time": at, "actor": "a", "session": "S7h2k9q4",
        "via": "cli", "kind": "message.sent", "data": said("@ID", "@TO", at),
    })  # fmt: skip


def said(message: str, to: str, at: int) -> dict[str, object]:
    """What the event of a message of ordinary length says."""
    return {
        "id": message, "from": "a", "audience": "direct", "to": to, "recipients": [to],
        "summary": "Rebase before 17:00", "body": "Rebase before 17:00, please. " * 5, "reply_to": None,
        "thread": message, "expires_at": at + 30 * DAY, "request": None, "attachments": [],
    }  # fmt: skip
