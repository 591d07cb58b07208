"""What a room of a million messages, 3,000,000 deliveries and 1,000 agents costs one that lives in it."""

from __future__ import annotations

import random
import statistics
import time
from itertools import cycle
from typing import TYPE_CHECKING, Any

from relay_tui.room import mailbox, registry
from relay_tui.room.agents import read_agents, require_reader
from relay_tui.room.ledger import Actor
from relay_tui.room.mail import count_unhandled
from relay_tui.room.messages import Draft, send
from relay_tui.room.presence import STATES
from tests.bench.filling import AGENTS, LIVE, Past, build_room
from tests.bench.timing import Ratio, compare, timed, within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from relay_tui.room.rooms import Room
    from tests.bench.stage import BenchStage, Size

ROW = "SELECT * FROM messages WHERE seq = ?"
READERS = 20  # whose lists are read in turn; as of those who look all day, their pages stay in memory


def measure(stage: BenchStage, size: Size) -> Iterator[Ratio]:
    """The ratios of a full room to an empty one, or to the plainest read of the same room."""
    began = time.perf_counter()
    empty = build_room(stage.folder / "empty", stage.repository, Past(0))
    full = build_room(stage.folder / "full", stage.repository, Past(size.messages))
    yield within(f"build {size.messages:,} messages / 3 minutes", [time.perf_counter() - began], 180)
    yield from read(full, size.rounds)
    direct, direct_empty = (timed(lambda room=room: _send(room, "w-7"), 10) for room in (full, empty))
    yield compare(f"send among {size.messages:,} / in an empty room", direct, direct_empty, size.rounds, 1.15)
    once = timed(lambda: _send(full, "w-7"))
    yield compare(f"broadcast to {LIVE} live / a send", timed(lambda: _send(full, "*")), once, size.rounds, 4)
    yield compare(f"broadcast to {AGENTS:,} / a send", timed(lambda: _send(full, "*all")), once, size.rounds, 25)
    for room in (empty, full):
        room.store.close()


def read(room: Room, rounds: int) -> Iterator[Ratio]:
    """Lists of one agent after another: their queries alone, and whole calls with records made of parsed bodies. The
    floor is one row anywhere in the room, read by its rowid as relay reads: in a moment of its own."""
    chance = random.Random(rounds)
    names = [f"w-{number}" for number in chance.sample(range(AGENTS), READERS)]
    with room.reading() as db:
        (last,) = db.execute("SELECT max(seq) FROM messages").fetchone()
        keys = [require_reader(db, room, name, 0).row.key for name in names]
        open_ = statistics.fmean(count_unhandled(db, key, 0) for key in keys)

    def read_row() -> None:
        with room.reading() as db:
            db.execute(ROW, (chance.randint(1, last),)).fetchone()

    row = timed(read_row, 1000)
    newest = [_statement(room, lambda name=name: mailbox.read_history(room, name, limit=50)) for name in names]
    oldest = [_statement(room, lambda name=name: mailbox.peek_inbox(room, name, limit=50)) for name in names]
    with room.reading() as db:
        bare = timed(lambda: db.execute(ROW, (chance.randint(1, last),)).fetchone(), 1000)
        lists = _in_turn(lambda sql: db.execute(sql).fetchall(), newest)
        inbox = _in_turn(lambda sql: db.execute(sql).fetchall(), oldest)
        counted = _in_turn(lambda key: count_unhandled(db, key, 0), keys)
    yield compare("newest 50 of an agent, query alone / one row by rowid", lists, row, rounds, 12)
    yield compare("oldest 50 unhandled, query alone / one row by rowid", inbox, row, rounds, 12)
    yield compare(f"unread count of {open_:.0f}, query alone / one row by rowid", counted, row, rounds, 3)
    yield compare("newest 50, query alone / the row's bare statement", lists, bare, rounds)
    whole = _in_turn(lambda name: mailbox.read_history(room, name, limit=50), names)
    yield compare("newest 50, bodies parsed, records made / one row", whole, row, rounds, 40)
    agents = timed(lambda: registry.list_agents(room, list(STATES)))
    yield compare(f"{AGENTS:,} agents with counts / the plain list", agents, timed(lambda: _agents(room)), rounds, 10)


def _in_turn(act: Callable[[Any], object], things: Sequence[Any]) -> Callable[[], float]:
    turn = cycle(things)
    return timed(lambda: act(next(turn)), len(things))


def _statement(room: Room, act: Callable[[], object]) -> str:
    """The statement of a list, as it ran."""
    ran: list[str] = []
    room.store.reader.set_trace_callback(ran.append)
    act()
    room.store.reader.set_trace_callback(None)
    (query,) = [sql for sql in ran if "payload" in sql]
    return query


def _send(room: Room, to: str) -> None:
    send(room, Actor("a"), Draft("hello", to))


def _agents(room: Room) -> None:
    with room.reading() as db:
        read_agents(db, room.row.key, room.clock(), room.settings)
