"""What the ledger costs: an event with its hash beside the same rows without one, and proving all of them."""

from __future__ import annotations

import json
import os
import statistics
from hashlib import sha256
from itertools import count
from time import process_time
from typing import TYPE_CHECKING

from relay_tui.room.chains import verify
from relay_tui.room.ledger import Actor
from tests.bench.filling import Past, build_room, said
from tests.bench.timing import Ratio, compare, once, timed
from tests.bench.whole_process import Runner

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator

    from relay_tui.room.ledger import Transaction
    from tests.bench.stage import BenchStage, Size

ME = Actor("a")
TO = "w-7"
# What a mailbox without a ledger keeps of a message: the rows that the fold writes, and the body.
PLAIN = (
    "CREATE TABLE bodies (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT",
    "INSERT INTO bodies VALUES (:seq, :body)",
    "INSERT INTO messages (seq, id, room, sender, audience, addressed, summary, reply_to, thread, sent_at, expires_at,"
    " request, unsettled) VALUES (:seq, :id, :room, :from, :audience, :to, :summary, :reply_to, :thread, :at,"
    " :expires_at, :request, 1)",
    "INSERT INTO deliveries (message, agent, expires_at)"
    " SELECT :seq, key, :expires_at FROM agents WHERE room = :room AND name = :to",
)


def measure(stage: BenchStage, size: Size) -> Iterator[Ratio]:
    with_ledger, without = (build_room(stage.folder / name, stage.repository, Past(0)) for name in ("led", "plain"))
    table, *rows = PLAIN
    with without.writing(ME) as tx:
        tx.db.execute(table)
    numbers, keys = count(), count(1_000_000)

    def append(tx: Transaction) -> None:
        tx.append("message.sent", said(f"B{next(numbers):07d}", TO, tx.now))

    def insert(tx: Transaction) -> None:
        seq = next(keys)
        row = {**said(f"B{seq:07d}", TO, tx.now), "seq": seq, "room": tx.room, "at": tx.now}
        del row["recipients"], row["attachments"]
        for statement in rows:
            tx.db.execute(statement, row)

    def written(room: object, write: Callable[[Transaction], None], times: int) -> None:
        with room.writing(ME) as tx:  # type: ignore[attr-defined]
            for _ in range(times):
                write(tx)

    yield compare(
        "a durable event, hash and projection / its rows alone", timed(lambda: written(with_ledger, append, 1), 20),
        timed(lambda: written(without, insert, 1), 20), size.rounds, 1.5,
    )  # fmt: skip
    yield compare(
        "the same, a thousand in a transaction, processor alone",
        timed(lambda: written(with_ledger, append, 1000), clock=process_time),
        timed(lambda: written(without, insert, 1000), clock=process_time), size.rounds // 4 + 1,
    )  # fmt: skip
    written(with_ledger, append, size.events)
    with with_ledger.reading() as db:
        yield from proving(db, size.rounds // 4 + 1)
    for room in (with_ledger, without):
        room.store.close()
    yield from keeping(stage, Runner(stage, with_ledger.store.home))


def keeping(stage: BenchStage, run: Runner) -> Iterator[Ratio]:
    """How fast a ledger moves: whole commands, each once."""
    file = stage.folder / "led.ndjson"
    elsewhere = Runner(stage, str(stage.folder / "restored"))
    for runner in (run, elsewhere):
        runner.environ["RELAY_OPERATOR"] = "1"
    verified = run.command("log", "verify")()
    with run.room().reading() as db:
        (events,) = db.execute("SELECT count(*) FROM events").fetchone()
        (payload,) = db.execute("SELECT avg(length(payload)) FROM events").fetchone()
    for name, command in (
        ("relay export", run.command("export", str(file))),
        ("relay restore", elsewhere.command("restore", str(file))),
        ("relay log rebuild --check", run.command("log", "rebuild", "--check")),
    ):
        yield once(f"{name}, whole / relay log verify", events / command(), events / verified, None, "events/s")
    kept = os.path.getsize(os.path.join(elsewhere.home, "relay.db")) / events
    yield once("bytes of relay.db for a message of 150 / its event", kept, payload, None, "bytes")


def proving(db: sqlite3.Connection, rounds: int) -> Iterator[Ratio]:
    """`log verify` of a ledger, beside its payloads hashed and decoded by the standard library from memory; both by the
    time of their processor, for neither waits for anything."""
    payloads = [payload for (payload,) in db.execute("SELECT payload FROM events")]
    took: list[float] = []

    def prove() -> float:
        took.append(timed(lambda: verify(db), clock=process_time)())
        return took[-1]

    def alone() -> None:
        for payload in payloads:
            sha256(payload).digest()
            json.loads(payload)

    yield compare("log verify / SHA-256 and json alone", prove, timed(alone, clock=process_time), rounds, 2.5)
    speed = len(payloads) / statistics.median(took)
    yield once("log verify / 100,000 events a second of a core", speed, 100_000, 1, "events/s", at_least=True)
