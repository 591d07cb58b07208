"""Those who wait: how soon another process knows of a commit, and what waiting costs."""

from __future__ import annotations

import statistics
import subprocess
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from relay_tui.room.ledger import Actor
from relay_tui.room.messages import Draft, send
from tests.bench.stage import MINIMAL_APP
from tests.bench.terminal import Terminal
from tests.bench.timing import Ratio, at, once, within
from tests.bench.whole_process import Runner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.bench.stage import BenchStage, Size

PERCENT = 100
UNIT = 2000  # numbers to add up, some 20 microseconds
SETTLED = 3.0  # seconds after which whatever begins has begun
PAUSE = 0.03
PATIENCE = 120.0  # seconds for all that one process is to tell


def measure(stage: BenchStage, size: Size) -> Iterator[Ratio]:
    """A follower only reads. A watcher records that it told before it tells, so that nobody is told twice."""
    run = Runner(stage, stage.home)
    minimal = [stage.python, stage.script("minimal.py", MINIMAL_APP)]
    with (
        _started(run, "watch", "--as", "b") as watcher,
        Terminal([stage.relay], run.environ, run.folder) as screen,
        Terminal(minimal, run.environ, run.folder) as floor,
    ):
        screen.see("Attention")
        watched, shown, least = _idle([watcher.pid, screen.pid, floor.pid], size.seconds)
        watcher.terminate()
    for name, words in (("log --follow", ("log", "--follow")), ("watch", ("watch", "--as", "b"))):
        with _started(run, *words) as process:
            overdue = threading.Timer(PATIENCE, process.kill)
            overdue.start()
            took = _seen(run, process, 5 * size.rounds)
            overdue.cancel()
            process.terminate()
        yield within(f"commit → relay {name}, the middle one / 10 ms", took, 0.01)
        yield within(f"commit → relay {name}, 99 of 100 / 10 ms", took, 0.01, 0.99)
    alone = 1000 * at(_compute(statistics.median(took), len(took)), 0.99)
    yield once("computing alone for as long as the middle one, 99 of 100 / 10 ms", alone, 10, None, "ms")
    yield once("relay watch, idle / a thousandth of a core", watched, 0.1, 1, "%")
    yield once("the screen, idle / a hundredth of a core", shown, 1, 1, "%")
    yield once("the screen, idle / a minimal Textual app, idle", shown, least, None, "%")


def _started(run: Runner, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(run.command_line(*words), env=run.environ, cwd=run.folder, stdout=subprocess.PIPE)


def _seen(run: Runner, process: subprocess.Popen[bytes], times: int) -> list[float]:
    """Seconds from the return of a send to the line that tells of it."""
    assert process.stdout is not None
    room, took = run.room(), []
    for _ in range(times + 1):
        time.sleep(PAUSE)
        sent = send(room, Actor("a"), Draft("something new", "b")).id.encode()
        began = time.perf_counter()
        while sent not in (line := process.stdout.readline()):  # what was there before the first of them
            if not line:
                raise SystemExit(f"{process.args} told nothing of a message")
        took.append(time.perf_counter() - began)
    room.store.close()
    return took[1:]


def _compute(seconds: float, times: int) -> list[float]:
    """What takes so long for the most part, of this process alone and with the same pauses: how even the machine is."""

    def count(units: int) -> float:
        began = time.perf_counter()
        for _ in range(units):
            sum(range(UNIT))
        return time.perf_counter() - began

    units = max(1, round(seconds / statistics.median(count(1) for _ in range(100))))
    took = []
    for _ in range(times):
        time.sleep(PAUSE)
        took.append(count(units))
    return took


def _idle(pids: Sequence[int], seconds: float) -> list[float]:
    """The share of a core that each takes while nothing happens, in percent."""
    time.sleep(SETTLED)
    began, before = time.perf_counter(), [_processor_time(pid) for pid in pids]
    time.sleep(seconds)
    passed, after = time.perf_counter() - began, [_processor_time(pid) for pid in pids]
    return [PERCENT * (now - then) / passed for now, then in zip(after, before, strict=True)]


def _processor_time(pid: int) -> float:
    """Seconds that a process's threads were on a core; the scheduler counts them in nanoseconds."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9
