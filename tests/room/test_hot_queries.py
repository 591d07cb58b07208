"""No query of a hot command scans a table: SQLite itself is asked for the plan of every statement that ran."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from relay_tui.base.times import DAY, MINUTE
from relay_tui.room import claims, held, journal, mailbox, receipts, registry
from relay_tui.room.ledger import Actor
from relay_tui.room.mail import Only
from relay_tui.room.pending import count_pending
from relay_tui.room.presence import note_reader
from relay_tui.room.watching import watch_inbox
from tests.room_fixture import House

# What a list of values or a single row is to SQLite, which reads no table, and the line of those that wait.
HARMLESS = re.compile(r"SCAN (r VIRTUAL TABLE INDEX|CONSTANT ROW|w$|waiting$)")
# Sorting, or walking everything that a room has, is a scan by another name where there are a million rows.
WALKS = re.compile(r"SCAN|SEARCH (m|messages|d|deliveries|e) .*\(room=\?\)$")
LATE = 2**62
LARGE = ("FROM events", "FROM messages", "FROM deliveries")


@pytest.fixture
def busy_house(house: House) -> House:
    """A room with mail, claims and a question."""
    a, b = house.join("a"), house.join("b")
    for number in range(9):
        house.send(a, "b", f"n{number}")
    house.ack(b, "M0000001")
    house.claim(a, "src/auth", "README.md", "machine:native")
    registry.report_status(house.room, b, {"status": "waiting"}, ("a", "Which base?"))
    return house


@contextmanager
def statements(house: House) -> Iterator[list[str]]:
    """Every statement that the room's connections run."""
    ran: list[str] = []
    house.room = house.enter(house.repository, keep_open=True)
    store = house.room.store
    with store.writing() as db:
        db.set_trace_callback(ran.append)
    store.reader.set_trace_callback(ran.append)
    yield ran
    store.close()


def scans(house: House, ran: list[str]) -> list[str]:
    found = []
    for sql in dict.fromkeys(ran):
        if not sql.lstrip().startswith(("SELECT", "INSERT", "UPDATE", "DELETE")):
            continue
        with house.room.store.writing() as db:
            plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}")]
        found += [f"{step} in {sql}" for step in plan if WALKS.match(step) and not HARMLESS.match(step)]
        found += [f"{step} in {sql}" for step in plan if "TEMP B-TREE" in step and any(one in sql for one in LARGE)]
    return found


def later(house: House, by: int) -> House:
    house.clock.advance(by)
    return house


def said_to_wait(house: House, me: Actor) -> Actor:
    registry.report_status(house.room, me, {"status": "waiting"}, None)
    return me


HOT: dict[str, Callable[[House, Actor, Actor], object]] = {
    "send": lambda house, a, b: house.send(a, "b", "x", request="r-1"),
    "send again": lambda house, a, b: (house.send(a, "b", "x", request="r"), house.send(a, "b", "x", request="r")),
    "broadcast": lambda house, a, b: house.send(a, "*all", "x"),
    "reply": lambda house, a, b: house.send(b, None, "x", reply_to="M0000002"),
    "answer": lambda house, a, b: house.send(a, None, "main", reply_to="Q0000001"),
    "inbox": lambda house, a, b: house.poll(b),
    "inbox narrowed": lambda house, a, b: house.poll(b, only=Only("a", "M0000002", house.clock.now + 1), after=1),
    "inbox peek and count": lambda house, a, b: mailbox.peek_inbox(house.room, "b", limit=1),
    "show": lambda house, a, b: mailbox.show_message(house.room, b, "M0000002"),
    "find by beginning": lambda house, a, b: mailbox.show_message(house.room, house.operator, "M000001"),
    "ack": lambda house, a, b: house.ack(b, "M0000002", "M0000003", note="x"),
    "receipt": lambda house, a, b: receipts.read_receipts(house.room, "M0000002", "operator"),
    "thread": lambda house, a, b: mailbox.read_thread(house.room, "b", "M0000002"),
    "outbox": lambda house, a, b: mailbox.read_outbox(house.room, "a", limit=3),
    "thread size": lambda house, a, b: mailbox.thread_size(house.room, "b", "M0000002"),
    "peek": lambda house, a, b: mailbox.peek_message(house.room, "b", "M0000002"),
    "history": lambda house, a, b: mailbox.read_history(house.room, "b", limit=3),
    "history narrowed": lambda house, a, b: mailbox.read_history(house.room, "b", only=Only("a", "M0000002", LATE)),
    "archive": lambda house, a, b: mailbox.read_archive(later(house, 40 * DAY).room, "b", limit=3),
    "watch": lambda house, a, b: list(watch_inbox(house.room, b, after=None, timeout=0)),
    "expiry": lambda house, a, b: (later(house, 40 * DAY).join("b"), later(house, DAY).join("c")),
    "claim": lambda house, a, b: house.claim(b, "src/app/x.py", "machine:gpu", "branch:feat/x"),
    "claims": lambda house, a, b: held.list_claims(house.room),
    "claims over": lambda house, a, b: held.list_claims(house.room, over=house.resources("src")),
    "release": lambda house, a, b: claims.give_back(house.room, a, house.resources("src/auth")),
    "release all": lambda house, a, b: claims.give_back_all(house.room, a),
    "force": lambda house, a, b: claims.force_release(house.room, house.operator, house.resources("src/auth"), "x"),
    "status": lambda house, a, b: registry.report_status(house.room, b, {"status": "done"}, ("a", "And now?")),
    "works again": lambda house, a, b: registry.take_back_waiting(house.room, said_to_wait(house, a)),
    "join": lambda house, a, b: registry.join(house.room, Actor("worker-%", "s-9"), registry.Joining(task="x")),
    "leave": lambda house, a, b: registry.leave(house.room, b),
    "agents": lambda house, a, b: registry.list_agents(house.room, ["live"]),
    "whoami": lambda house, a, b: registry.who_am_i(house.room, a),
    "a reader's sign": lambda house, a, b: note_reader(later(house, MINUTE).room, "a", "cli"),
    "pending": lambda house, a, b: count_pending(later(house, 40 * DAY).room, "state"),
    "log": lambda house, a, b: journal.read_newest(house.room, None, kind=None, limit=5),
    "log since": lambda house, a, b: journal.read_log(house.room, None, after=3, kind="message", limit=5),
}


@pytest.mark.parametrize("name", HOT)
def test_no_hot_command_scans_a_table(busy_house: House, name: str) -> None:
    with statements(busy_house) as ran:
        HOT[name](busy_house, Actor("a"), Actor("b"))
    assert len(ran) > 1, "nothing was traced"
    assert scans(busy_house, ran) == []


def test_finding_the_room_scans_nothing(busy_house: House) -> None:
    for clause in ("repository = 'x' AND own = 0", "root = 'x' AND own = 1 AND attached = 1", "name = 'x'", "id = 'x'"):
        assert scans(busy_house, [f"SELECT key FROM rooms WHERE {clause} ORDER BY key LIMIT 1"]) == []


def test_the_unread_count_touches_one_covering_index(busy_house: House) -> None:
    with statements(busy_house) as ran:
        mailbox.peek_inbox(busy_house.room, "b")
    (count,) = [sql for sql in ran if sql.startswith("SELECT count(*) FROM deliveries")]
    with busy_house.room.store.reading() as db:
        (plan,) = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {count}")]
    assert plan == "SEARCH d USING COVERING INDEX deliveries_open (agent=?)"


def test_recipients_are_looked_up_one_by_one(busy_house: House) -> None:
    with statements(busy_house) as ran:
        busy_house.send(Actor("a"), "*all", "x")
    (insert,) = [sql for sql in ran if "INTO deliveries" in sql]
    with busy_house.room.store.writing() as db:
        plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {insert}")]
    assert plan[0].startswith("SCAN r VIRTUAL TABLE")
    assert plan[1].endswith("(room=? AND name=?)")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM deliveries WHERE note = 'x'",
        "SELECT * FROM messages WHERE room = 1 AND summary = 'x'",
        "SELECT * FROM events WHERE room = 1 ORDER BY seq",
    ],
)
def test_a_walk_over_a_table_would_be_seen(busy_house: House, sql: str) -> None:
    assert scans(busy_house, [sql])
