"""`python -m tests.bench [--quick] [--json]`: relay's figures as ratios to their floors, in one run."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench import in_process
from tests.bench.stage import FLOOR, MINIMAL_APP, TYPER_HELLO, BenchStage, describe_machine
from tests.bench.terminal import Terminal
from tests.bench.timing import Ratio, clean_environment, compare, process

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def main(arguments: list[str]) -> None:
    rounds = 5 if "--quick" in arguments else 40
    with tempfile.TemporaryDirectory(prefix="relay-bench-") as folder:
        found = []
        stage = BenchStage(Path(folder))
        messages = in_process.QUICK if "--quick" in arguments else in_process.MESSAGES
        inside = in_process.measure(Path(folder), stage.repository, messages, rounds)
        for ratio in chain(measure(stage, rounds), inside):
            found.append(ratio)
            if "--json" not in arguments:
                print(ratio.line(), flush=True)
    if "--json" in arguments:
        print(json.dumps({"machine": describe_machine(), "ratios": [ratio._asdict() for ratio in found]}, indent=2))
    else:
        print(f"medians of {rounds} rounds taken in turn; {describe_machine()}")


def measure(stage: BenchStage, rounds: int) -> Iterator[Ratio]:
    environ = clean_environment(stage.home)
    folder = str(stage.repository)

    def relay(*words: str) -> Callable[[], float]:
        return process([stage.relay, *words], environ, folder)

    for name in ("a", "b"):
        relay("join", "--as", name)()
    floor = process([stage.python, stage.script("floor.py", FLOOR), stage.floor_db], environ, folder)
    for name, words in {
        "send": ("send", "--as", "a", "--to", "b", "--message", "hello"),
        "inbox": ("inbox", "--as", "b", "--limit", "10"),
        "claims": ("claims",),
    }.items():
        yield compare(f"relay {name} / sqlite3 + one commit", relay(*words), floor, rounds, 2.0)
    hello = process([stage.python, stage.script("hello.py", TYPER_HELLO)], environ, folder)
    yield compare("relay send --help / a Typer hello", relay("send", "--help"), hello, rounds, 1.3)
    yield first_frame(stage, environ, max(rounds // 4, 3))
    yield commit_to_pixels(stage, environ, rounds)


def first_frame(stage: BenchStage, environ: dict[str, str], rounds: int) -> Ratio:
    minimal = [stage.python, stage.script("minimal.py", MINIMAL_APP)]

    def frame(argv: list[str], text: str) -> Callable[[], float]:
        def run() -> float:
            with Terminal(argv, environ, str(stage.repository)) as terminal:
                return terminal.see(text)

        return run

    return compare(
        "first frame of relay / a minimal Textual app", frame([stage.relay], "Attention"),
        frame(minimal, "minimal-first-frame"), rounds, 1.3,
    )  # fmt: skip


def commit_to_pixels(stage: BenchStage, environ: dict[str, str], rounds: int) -> Ratio:
    """From the commit of another process's send to its summary on the screen; the floor is 50 ms.

    Each message is acked once it was seen, so that the next one is not below the fold.
    """
    import time

    from relay_tui.actions.perform import open_room
    from relay_tui.room.ledger import Actor
    from relay_tui.room.messages import Draft, acknowledge, send
    from relay_tui.room.store import Store

    room = open_room(Store(stage.home, keep_open=True), str(stage.repository), None)
    took = []
    with Terminal([stage.relay], environ, str(stage.repository)) as terminal:
        terminal.see("Attention")
        terminal.type("5")
        time.sleep(1.0)
        for number in range(rounds):
            time.sleep(0.15)
            mark = f"pixel-{number:04d}-x"
            sent = send(room, Actor("a"), Draft(body=mark, to="operator"))
            began = time.perf_counter() - terminal.began
            took.append(terminal.see(mark) - began)
            acknowledge(room, Actor("operator", at_keyboard=True), [sent.id], None)
    room.store.close()
    median, p90 = statistics.median(took), sorted(took)[int(len(took) * 0.9)]
    return Ratio("commit to pixels / 50 ms (p90 / 50 ms: goal 3)", 1000 * median, 50.0, median / 0.05, p90 / 0.05, 1.0)


if __name__ == "__main__":
    main(sys.argv[1:])
