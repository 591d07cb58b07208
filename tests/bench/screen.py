"""The screen in a real terminal: how soon it stands, and how soon it shows what another process did."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from relay_tui.actions.perform import open_room
from relay_tui.room.ledger import Actor
from relay_tui.room.messages import Draft, acknowledge, send
from relay_tui.room.store import Store
from tests.bench.stage import MINIMAL_APP
from tests.bench.terminal import Terminal
from tests.bench.timing import Ratio, clean_environment, compare, within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.bench.stage import BenchStage, Size


def measure(stage: BenchStage, size: Size) -> Iterator[Ratio]:
    environ = clean_environment(stage.home)
    yield first_frame(stage, environ, size.rounds)
    took = commit_to_pixels(stage, environ, size.rounds)
    yield within("commit to pixels, the middle one / 50 ms", took, 0.05)
    yield within("commit to pixels, nine of ten / 150 ms", took, 0.15, 0.9)


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


def commit_to_pixels(stage: BenchStage, environ: dict[str, str], rounds: int) -> list[float]:
    """Seconds from the commit of another process's send to its summary on the screen.

    Each message is acked once it was seen, so that the next one is not below the fold.
    """
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
    return took
