"""The processes of the gauntlet: `python -m tests.gauntlet.workers JOB HOME FOLDER …`.

Each says `ready`, waits for a line on standard input so that all begin at once, and prints a line an answer.
"""

from __future__ import annotations

import fcntl
import os
import random
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from relay_tui.actions.perform import open_room
from relay_tui.base.resources import Resource
from relay_tui.base.times import SECOND
from relay_tui.room.bell import Bell
from relay_tui.room.claims import give_back, take
from relay_tui.room.ledger import Actor
from relay_tui.room.mailbox import peek_inbox, poll_inbox
from relay_tui.room.messages import Draft, acknowledge, send
from relay_tui.room.registry import Joining, join, report_status
from relay_tui.room.rooms import Room
from relay_tui.room.store import Store

PATIENCE = 300 * SECOND  # for mail that somebody else is yet to send


def room_of(home: str, folder: str) -> Room:
    return open_room(Store(home, deadline=120.0), folder, None)


def begin() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


def answer(act: str, what: str, began: int) -> None:
    sys.stdout.write(f"{act} {what} {(time.perf_counter_ns() - began) // 1000}\n")
    sys.stdout.flush()


def send_one(room: Room, name: str, to: str, body: str) -> None:
    began = time.perf_counter_ns()
    answer("sent", send(room, Actor(name), Draft(body, to)).id, began)


def handle_some(room: Room, name: str) -> list[str]:
    """Fetch what came and say that it was handled; the ids."""
    came = [one.id for one in poll_inbox(room, Actor(name)).messages]
    if came:
        began = time.perf_counter_ns()
        handled = acknowledge(room, Actor(name), came, None).handled
        assert handled == came
        answer("acked", ",".join(came), began)
    return came


def pipeline(home: str, folder: str, name: str, to: str, count: str) -> None:
    """Fetch, acknowledge and send on, until so many messages went through."""
    room = room_of(home, folder)
    begin()
    left, ends = int(count), time.monotonic() + PATIENCE / SECOND
    with Bell(home) as bell:
        while left:
            came = handle_some(room, name)
            for one in came:
                send_one(room, name, to, f"{name} sends on {one}")
            left -= len(came)
            if not came:
                assert time.monotonic() < ends, "the mail never came"
                bell.wait(1.0)


def send_and_ack(home: str, folder: str, name: str, to: str, count: str) -> None:
    """Send so many to the neighbour and handle as many of the other neighbour's."""
    room = room_of(home, folder)
    begin()
    handled = 0
    for number in range(int(count)):
        send_one(room, name, to, f"{name} {number}")
        handled += len(handle_some(room, name))
    while handled < int(count):
        handled += len(handle_some(room, name))
        time.sleep(0.01)


def in_threads(count: int, act: Callable[[int], Any]) -> None:
    """So many threads that begin at one moment; a fault in one of them ends the process with it."""
    start = threading.Barrier(count + 1)

    def run(number: int) -> None:
        start.wait()
        act(number)

    with ThreadPoolExecutor(count) as pool:
        threads = [pool.submit(run, number) for number in range(count)]
        begin()
        start.wait()
    for thread in threads:
        thread.result()


def join_at_once(home: str, folder: str, name: str, count: str) -> None:
    """So many threads that all are one session of one agent."""

    def enter(_number: int) -> None:
        began = time.perf_counter_ns()
        joined = join(room_of(home, folder), Actor(name, "s-1"), Joining(task="everything at once"))
        answer("joined", joined.agent.agent, began)

    in_threads(int(count), enter)


def crowd(home: str, folder: str, name: str, to: str, sends: str, reads: str) -> None:
    """So many threads that send one message each, and so many that look into the mailbox, all at once."""

    def act(number: int) -> None:
        room = room_of(home, folder)
        if number < int(sends):
            send_one(room, name, to, f"{name} {os.getpid()} {number}")
        else:
            began = time.perf_counter_ns()
            answer("read", str(len(peek_inbox(room, to).messages)), began)
        room.store.close()

    in_threads(int(sends) + int(reads), act)


def write_for(home: str, folder: str, name: str, to: str, seconds: str, pause: str) -> None:
    """Send for so long, with a pause between; `to` names several with commas."""
    room = room_of(home, folder)
    begin()
    ends, number = time.monotonic() + float(seconds), 0
    readers = to.split(",")
    while time.monotonic() < ends:
        send_one(room, name, readers[number % len(readers)], f"{name} {number}")
        handle_some(room, name)
        number += 1
        time.sleep(float(pause))


def send_for(home: str, folder: str, name: str, to: str, seconds: str) -> None:
    """Send for so long without a pause, over a connection that stays open."""
    room = open_room(Store(home, keep_open=True, deadline=120.0), folder, None)
    again_and_again(float(seconds), lambda number: send(room, Actor(name), Draft(f"{name} {number}", to)).id)
    room.store.close()


def rows_for(home: str, folder: str, seconds: str) -> None:
    """As `send_for`, of bare rows behind a bare lock, in a file beside the home."""
    lock = os.open(f"{home}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    db = sqlite3.connect(f"{home}.db", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE IF NOT EXISTS rows (number INTEGER)")
    fcntl.flock(lock, fcntl.LOCK_UN)

    def write_one(number: int) -> str:
        fcntl.flock(lock, fcntl.LOCK_EX)
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO rows VALUES (?)", (number,))
        db.execute("COMMIT")
        fcntl.flock(lock, fcntl.LOCK_UN)
        return str(number)

    again_and_again(float(seconds), write_one)
    db.close()


def loops_for(home: str, folder: str, seconds: str) -> None:
    """As `send_for`, of nothing but computing: a millisecond or so at a time."""
    again_and_again(float(seconds), lambda number: str(sum(range(20_000)) + number))


def again_and_again(seconds: float, act: Callable[[int], str]) -> None:
    """For so long without a pause; the answers are printed at the end, so that nobody has to read them meanwhile."""
    begin()
    ends, took = time.monotonic() + seconds, []
    while time.monotonic() < ends:
        began = time.perf_counter_ns()
        took.append((act(len(took)), (time.perf_counter_ns() - began) // 1000))
    sys.stdout.writelines(f"sent {what} {spent}\n" for what, spent in took)


def mix_for(home: str, folder: str, name: str, to: str, seconds: str) -> None:
    """What an agent does all day, without a pause."""
    room, me, chance = room_of(home, folder), Actor(name), random.Random(name)
    begin()
    ends, number = time.monotonic() + float(seconds), 0
    while time.monotonic() < ends:
        number += 1
        act, began = chance.choice(("send", "send", "mail", "claim", "status")), time.perf_counter_ns()
        if act == "send":
            send_one(room, name, to, f"{name} {number}")
        elif act == "mail":
            handle_some(room, name)
        elif act == "claim":
            claim_and_release(room, me, f"src/{name}/{number}")
            answer("claimed", str(number), began)
        else:
            report_status(room, me, {"status": "working", "text": f"step {number}"}, None)
            answer("said", str(number), began)


def claim_and_release(room: Room, me: Actor, path: str) -> None:
    wanted = [Resource("project", path, path)]
    take(room, me, wanted)
    give_back(room, me, wanted)


JOBS: dict[str, Callable[..., None]] = {
    "pipeline": pipeline,
    "send_and_ack": send_and_ack,
    "join_at_once": join_at_once,
    "crowd": crowd,
    "write_for": write_for,
    "send_for": send_for,
    "rows_for": rows_for,
    "loops_for": loops_for,
    "mix_for": mix_for,
}

if __name__ == "__main__":
    JOBS[sys.argv[1]](*sys.argv[2:])
