"""Real processes for the tests of faults: `python -m tests.room.workers JOB HOME FOLDER …`.

Each job prints what it was answered, flushed at once, so that whoever kills it knows what was promised.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import IO

from relay_tui.actions.perform import open_room
from relay_tui.base.errors import RelayError
from relay_tui.base.resources import Resource, parse_resource
from relay_tui.base.times import SECOND
from relay_tui.room.claims import force_release, give_back, take
from relay_tui.room.handoffs import list_handoffs, request, respond
from relay_tui.room.held import list_claims
from relay_tui.room.ledger import Actor
from relay_tui.room.messages import Draft, send
from relay_tui.room.queueing import take_in_turn
from relay_tui.room.registry import Joining, join
from relay_tui.room.rooms import Room
from relay_tui.room.store import Store

REPOSITORY_OF_RELAY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def start(job: str, *arguments: object) -> subprocess.Popen[str]:
    """Run a job of this module."""
    command = [sys.executable, "-m", "tests.room.workers", job, *map(str, arguments)]
    return subprocess.Popen(command, cwd=REPOSITORY_OF_RELAY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> str:
    """What a job printed; a job that failed fails the test."""
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return out


def fork(job: str, *arguments: object) -> tuple[int, str]:
    """Run a job to its end in a fork of this process, which starts at once; its exit code and what it printed.

    The home must not be open here, because SQLite's locks are not those of a fork.
    """
    source, sink = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            sys.stdout = os.fdopen(sink, "w")
            JOBS[job](*map(str, arguments))
            os._exit(0)
        finally:
            os._exit(1)
    os.close(sink)
    with os.fdopen(source) as pipe:
        out = pipe.read()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), out


def send_many(home: str, folder: str, name: str, count: str) -> None:
    """Send so many messages and print each id once it was answered."""
    room = open_room(Store(home), folder, None)
    for number in range(int(count)):
        say(send(room, Actor(name), Draft(f"{name} {os.getpid()} {number}", "operator")).id)


def send_once_and_die_at(home: str, folder: str, name: str, step: str) -> None:
    """Send one message, but be killed in front of the given call into SQLite or the lock file."""
    room = open_room(Store(home), folder, None)
    _die_at(int(step))
    sent = send(room, Actor(name), Draft(f"step {step}", "operator"))
    sys.setprofile(None)
    say(sent.id)


def accept_and_die_at(home: str, folder: str, name: str, handoff: str, step: str) -> None:
    """Accept an offer, but be killed in front of the given call into SQLite or the lock file."""
    room = open_room(Store(home), folder, None)
    _die_at(int(step))
    answered = respond(room, Actor(name), handoff, accept=True, only=[], reason=None)
    sys.setprofile(None)
    say(answered.handoff.state)


def claim_in_turn(home: str, folder: str, name: str, resource: str, seconds: str) -> None:
    """Stand in line for a machine resource; say when it is held."""
    room = open_room(Store(home), folder, None)
    wanted = [Resource("machine", resource, resource)]
    patience = int(float(seconds) * SECOND)
    try:
        take_in_turn(room, Actor(name), wanted, note=None, measure=list, patience=patience)
    except RelayError as fault:
        say(f"{fault.code} {fault.exit_code}")
    else:
        say("held")


def take_and_give(home: str, folder: str, name: str, seed: str, count: str) -> None:
    """Claim, release, offer and answer overlapping paths at random; say how often somebody else stood in the way."""
    room = open_room(Store(home), folder, None)
    me, chance, refused = Actor(name), random.Random(int(seed)), 0
    for _ in range(int(count)):
        path = chance.choice(("", "src", "src/a", "src/a/b.py", "src/c", "docs"))
        wanted = [Resource("project", path or ".", path)]
        try:
            _move_something(room, me, wanted, chance)
        except RelayError as fault:
            refused += fault.code == "claim_conflict"
    say(str(refused))


def _move_something(room: Room, me: Actor, wanted: list[Resource], chance: random.Random) -> None:
    act = chance.choice((*("claim",) * 4, *("release",) * 2, *("offer",) * 3, *("answer",) * 4, "force"))
    if act == "claim":
        take(room, me, wanted)
    elif act == "release":
        give_back(room, me, wanted)
    elif act == "force":
        force_release(room, Actor("operator"), wanted, "needed")
    elif act == "offer":
        held = [
            parse_resource(one.resource, room.folder, room.folder) for one in list_claims(room, holder=me.name).claims
        ]
        request(room, me, held or wanted, chance.choice(("w0", "w1", "w2", "w3")), None)
    else:
        for one in list_handoffs(room).handoffs:
            if one.to == me.name:
                respond(room, me, one.id, accept=chance.random() < 0.7, only=[], reason=None)


def migrate_and_die_at(home: str, step: str) -> None:
    store = Store(home)
    _die_at(int(step))
    store.ensure()
    sys.setprofile(None)
    say("done")


def migrate(home: str) -> None:
    Store(home).ensure()
    say("done")


def join_pool(home: str, folder: str) -> None:
    say(join(open_room(Store(home), folder, None), Actor("worker-%"), Joining()).agent.agent)


def hold_lock(home: str, folder: str) -> None:
    """Begin a write, say so, and stop in the middle of it."""
    room = open_room(Store(home), folder, None)
    with room.writing(Actor("operator")):
        say("held")
        os.kill(os.getpid(), signal.SIGSTOP)
    say("released")


def _die_at(step: int) -> None:
    left = step

    def count(_frame: object, event: str, function: object) -> None:
        nonlocal left
        if event == "c_call" and getattr(function, "__name__", "") in _STEPS:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
                time.sleep(60)

    sys.setprofile(count)


_STEPS = ("execute", "executescript", "executemany", "flock", "lockf", "pwrite")


def say(text: str) -> None:
    print(text, flush=True)


def read_line(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline().strip()


JOBS: dict[str, Callable[..., None]] = {
    "send_many": send_many,
    "send_once_and_die_at": send_once_and_die_at,
    "accept_and_die_at": accept_and_die_at,
    "claim_in_turn": claim_in_turn,
    "take_and_give": take_and_give,
    "migrate": migrate,
    "migrate_and_die_at": migrate_and_die_at,
    "join_pool": join_pool,
    "hold_lock": hold_lock,
}

if __name__ == "__main__":
    JOBS[sys.argv[1]](*sys.argv[2:])
