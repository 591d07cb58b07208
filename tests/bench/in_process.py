"""`python -m tests.bench.in_process [--quick]`: what a room of a million messages costs one that is full of them.

The messages are equal rows put in by SQL, so that building takes a minute or two; what is measured is relay's own.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from relay_tui.actions.perform import open_room
from relay_tui.base.canonical import encode
from relay_tui.base.times import DAY
from relay_tui.room import mailbox, registry
from relay_tui.room.agents import read_agents
from relay_tui.room.ledger import Actor, next_seq, read_head
from relay_tui.room.messages import Draft, send
from relay_tui.room.presence import STATES
from relay_tui.room.store import Store
from tests.bench.stage import describe_machine, make_repository
from tests.bench.timing import Ratio, compare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from relay_tui.room.rooms import Room

MESSAGES, QUICK = 1_000_000, 20_000
AGENTS = 1000  # w-0 gets one message in twenty, the others share the rest
LIVE = 100  # of them; the others have been quiet for a day

_NUMBERS = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count) "
_AGENT = "CASE WHEN i % 20 = 0 THEN 0 ELSE 1 + i % (:agents - 1) END"
# Every tenth message is open; of the 50,000 that w-0 got, 350 are.
_OPEN = "CASE WHEN i % 20 = 0 THEN (i / 20) % 143 = 0 ELSE (i / 20) % 10 = 0 END"
_FILL = (
    f"INSERT INTO events (seq, room, number, kind, at, hash, payload) {_NUMBERS}"
    "SELECT :seq + i, :room, :number + i, 'message.sent', :at + i, zeroblob(32),"
    f" CAST(replace(replace(:payload, '@ID', printf('B%07d', i)), '@TO', 'w-' || ({_AGENT})) AS BLOB) FROM n",
    "INSERT INTO messages (seq, id, room, sender, audience, addressed, summary, reply_to, thread, sent_at, expires_at,"
    f" request, unsettled) {_NUMBERS}"
    f"SELECT :seq + i, printf('B%07d', i), :room, 'a', 'direct', 'w-' || ({_AGENT}), 'Rebase before 17:00', NULL,"
    f" printf('B%07d', i), :at + i, :expires, NULL, {_OPEN} FROM n",
    f"INSERT INTO deliveries (message, agent, expires_at, handled_at) {_NUMBERS}"
    f"SELECT :seq + i, :first + {_AGENT}, :expires, CASE WHEN {_OPEN} THEN NULL ELSE :at + i END FROM n",
)


def build_room(home: Path, repository: Path, messages: int) -> Room:
    """A room with `a`, 1,000 workers of which 100 are live, and so many stored messages."""
    room = open_room(Store(str(home), keep_open=True), str(repository), None)
    registry.join(room, Actor("a"), registry.Joining())
    with room.writing(Actor("a")) as tx:
        first = next_seq(tx.db)
        for number in range(AGENTS):
            key = tx.append("agent.joined", {"agent": f"w-{number}", "facts": {}, "session": None})
            heard = tx.now if number < LIVE else tx.now - DAY
            tx.db.execute("INSERT INTO presence (agent, last_seen, source) VALUES (?, ?, 'cli')", (key, heard))
        if messages:
            said = {
                "count": messages, "agents": AGENTS, "room": tx.room, "at": tx.now, "expires": tx.now + 30 * DAY,
                "payload": _payload(tx.now), "first": first, "seq": next_seq(tx.db),
                "number": read_head(tx.db, tx.room, tx.room_id).number + 1,
            }  # fmt: skip
            for statement in _FILL:
                tx.db.execute(statement, said)
    return room


def _payload(at: int) -> str:
    return encode({
        "v": 1, "room": "R7h2k9q4", "number": 1, "seq": 1, "time": at, "actor": "a", "session": "S7h2k9q4",
        "via": "cli", "kind": "message.sent", "data": {
        "id": "@ID", "from": "a", "audience": "direct", "to": "@TO", "recipients": ["@TO"],
        "summary": "Rebase before 17:00", "body": "Rebase before 17:00, please. " * 5, "reply_to": None,
        "thread": "@ID", "expires_at": at + 30 * DAY, "request": None, "attachments": [],
    }})  # fmt: skip


def measure(folder: Path, repository: Path, messages: int, rounds: int) -> Iterator[Ratio]:
    """The ratios of a full room to an empty one, or to the plainest read of the same room."""
    began = time.perf_counter()
    empty = build_room(folder / "empty", repository, 0)
    full = build_room(folder / "full", repository, messages)
    took = time.perf_counter() - began
    yield Ratio(f"build {messages:,} messages / 3 minutes", 1000 * took, 180_000.0, took / 180, took / 180, 1.0)
    row = _timed(lambda: _read_row(full), 2000)  # about as long as the lists below, so that other work hits both alike
    newest = _timed(lambda: mailbox.read_history(full, "w-0", limit=50), 50)
    yield compare("newest 50 of one inbox / a select by rowid", newest, row, rounds, 40)
    oldest = _timed(lambda: mailbox.peek_inbox(full, "w-0", limit=50, bodies=True), 50)
    yield compare("oldest 50 unhandled / a select by rowid", oldest, row, rounds, 40)
    counted = _timed(lambda: registry.list_agents(full, list(STATES)))
    yield compare("agents with counts / the plain list", counted, _timed(lambda: _read_agents(full)), rounds, 10)
    direct, direct_empty = _timed(lambda: _send(full, "w-7")), _timed(lambda: _send(empty, "w-7"))
    yield compare(f"send among {messages:,} / in an empty room", direct, direct_empty, rounds, 1.15)
    yield compare(f"broadcast to {LIVE} live / a direct send", _timed(lambda: _send(full, "*")), direct, rounds, 4)
    everybody = _timed(lambda: _send(full, "*all"))
    yield compare(f"broadcast to {AGENTS:,} / a direct send", everybody, direct, rounds, 25)
    for room in (empty, full):
        room.store.close()


def _timed(act: Callable[[], object], times: int = 1) -> Callable[[], float]:
    def run() -> float:
        began = time.perf_counter()
        for _ in range(times):
            act()
        return (time.perf_counter() - began) / times

    return run


def _send(room: Room, to: str) -> None:
    send(room, Actor("a"), Draft("hello", to))


def _read_row(room: Room) -> None:
    with room.reading() as db:
        db.execute("SELECT * FROM messages WHERE seq = ?", (2000,)).fetchone()


def _read_agents(room: Room) -> None:
    with room.reading() as db:
        read_agents(db, room.row.key, room.clock(), room.settings)


def main(arguments: list[str]) -> None:
    messages, rounds = (QUICK, 5) if "--quick" in arguments else (MESSAGES, 40)
    with tempfile.TemporaryDirectory(prefix="relay-bench-") as name:
        make_repository(Path(name) / "repo")
        for ratio in measure(Path(name), Path(name) / "repo", messages, rounds):
            print(ratio.line(), flush=True)
    print(f"medians of {rounds} rounds taken in turn; {describe_machine()}")


if __name__ == "__main__":
    main(sys.argv[1:])
