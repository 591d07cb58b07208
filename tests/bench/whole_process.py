"""`relay` commands as whole processes, from spawn to reap, against the least that a process with SQLite can do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from relay_tui.actions.perform import open_room
from relay_tui.base.resources import parse_resource
from relay_tui.room import claims, registry
from relay_tui.room.ledger import Actor
from relay_tui.room.messages import Draft, send
from relay_tui.room.store import Store
from tests.bench.stage import FLOOR, TYPER_HELLO
from tests.bench.timing import Ratio, clean_environment, compare, process

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from relay_tui.room.rooms import Room
    from tests.bench.stage import BenchStage, Size

CLAIMS, STAGED = 5000, 2000
STAGED_NAMES = "".join(f"src/{number:04}.py\0" for number in range(STAGED))


def measure(stage: BenchStage, size: Size) -> Iterator[Ratio]:
    """Hot commands in a small room, the guard of a commit, and what the first cold command adds."""
    rounds, run = size.rounds, Runner(stage, stage.home)
    room = run.room()
    commit = process([stage.python, stage.script("floor.py", FLOOR), stage.floor_db], run.environ, run.folder)
    fresh = iter([send(room, Actor("a"), Draft("hello", "b")).id for _ in range(rounds + 1)])
    paths = iter([f"src/{number:04}.py" for number in range(rounds + 1)])
    room.store.close()
    for name, goal, command in (
        ("send", 1.5, run.command("send", "--as", "a", "--to", "b", "--message", "hello")),
        ("inbox", 1.5, run.command("inbox", "--as", "b", "--limit", "10")),
        ("ack", 1.5, lambda: run.command("ack", "--as", "b", next(fresh))()),
        ("claim", 1.5, lambda: run.command("claim", "--as", "a", next(paths))()),
        ("claims", 2.0, run.command("claims")),
        ("guard PATH", 1.5, run.command("guard", "--as", "b", "docs/a.md")),
    ):
        yield compare(f"relay {name} / import sqlite3 + one commit", command, commit, rounds, goal)
    yield guard_of_many(stage, rounds)
    yield from hooks(stage, run, commit, rounds)
    hello = process([stage.python, stage.script("hello.py", TYPER_HELLO)], run.environ, run.folder)
    yield compare("relay send --help / a Typer hello", run.command("send", "--help"), hello, rounds, 1.3)


def hooks(stage: BenchStage, run: Runner, commit: Callable[[], float], rounds: int) -> Iterator[Ratio]:
    """What a client waits for at every prompt, edit and command, with nothing to say: somebody else holds another
    file than the one that is edited, and nobody anything where `check` looks."""
    floor = process([stage.python, "-I", "-c", "import sqlite3, json"], run.environ, run.folder)
    said = {"session_id": "bench", "cwd": run.folder, "tool_name": "Edit", "tool_input": {"file_path": "docs/a.md"}}
    stdin = Path(stage.script("said.json", json.dumps(said)))
    run.command("hook", "session-start", "--client", "claude", stdin=stdin)()
    free = Runner(stage, str(stage.folder / "nothing-held"))
    free.command("hook", "session-start", "--client", "claude", stdin=stdin)()
    prompt, guard = (run.command("hook", event, "--client", "claude", stdin=stdin) for event in ("prompt", "guard"))
    check = free.command("hook", "check", "--client", "claude", stdin=stdin)
    yield compare("relay hook prompt / import sqlite3 + one commit", prompt, commit, rounds, 1.5)
    yield compare("relay hook guard / import sqlite3, json", guard, floor, rounds, 1.5)
    yield compare("relay hook check, nothing held / import sqlite3, json", check, floor, rounds, 1.5)


def guard_of_many(stage: BenchStage, rounds: int) -> Ratio:
    """A commit of many files where others hold many paths beside them, and where nobody holds any."""
    name = f"guard of {STAGED:,} files among {CLAIMS:,} claims / none"
    return compare(name, _guard_among(stage, CLAIMS), _guard_among(stage, 0), rounds, 2.0)


def _guard_among(stage: BenchStage, held: int) -> Callable[[], float]:
    run = Runner(stage, str(stage.folder / f"held-{held}"))
    room = run.room()
    registry.join(room, Actor("a"), registry.Joining())
    wanted = [parse_resource(f"held/{number:04}.py", run.folder, run.folder, "project") for number in range(held)]
    if wanted:
        claims.take(room, Actor("a"), wanted, note=None)
    room.store.close()
    return run.command("guard", "--stdin0", stdin=Path(stage.script("staged", STAGED_NAMES)))


class Runner:
    """`relay` of the stage in its repository, with a home."""

    def __init__(self, stage: BenchStage, home: str) -> None:
        self.relay = stage.relay
        self.home = home
        self.folder = str(stage.repository)
        self.environ = clean_environment(home)

    def command(self, *words: str, stdin: Path | None = None) -> Callable[[], float]:
        return process(self.command_line(*words), self.environ, self.folder, stdin)

    def command_line(self, *words: str) -> list[str]:
        return [self.relay, *words]

    def room(self) -> Room:
        return open_room(Store(self.home, keep_open=True), self.folder, None)
