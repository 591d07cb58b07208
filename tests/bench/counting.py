"""How often a send makes the disk write: counted with strace, which is left out where there is none."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from tests.bench.timing import Ratio, once
from tests.bench.whole_process import Runner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.bench.stage import BenchStage, Size

SENDS = """
import sys
from relay_tui.actions.perform import open_room
from relay_tui.room.ledger import Actor
from relay_tui.room.messages import Draft, send
from relay_tui.room.store import Store
room = open_room(Store(sys.argv[1], keep_open=True), sys.argv[2], None)
for number in range(int(sys.argv[3])):
    send(room, Actor("a"), Draft("hello", "b"))
"""


def measure(stage: BenchStage, size: Size) -> Iterator[Ratio]:
    """In a room that others have made; the floor is the one flush of one durable commit."""
    if shutil.which("strace") is None:
        return
    run = Runner(stage, stage.home)
    script = [stage.python, stage.script("sends.py", SENDS), stage.home, run.folder]
    told = run.command_line("send", "--as", "a", "--to", "b", "--message", "hello")
    held = run.room()
    with held.store.writing():
        pass  # so that its connection is open
    ten = _flushes(run, [*script, "11"]) - _flushes(run, [*script, "1"])
    yield once("flushes of a send, open connection / of one commit", ten / 10, 1, 1, "flushes")
    yield once("flushes of a send, fresh process / of one commit", _flushes(run, told), 1, 2, "flushes")
    held.store.close()
    yield once("flushes of a send, alone in the room / of one commit", _flushes(run, told), 1, 5, "flushes")


def _flushes(run: Runner, argv: Sequence[str]) -> int:
    """Calls of fsync and fdatasync by a command and whatever it starts."""
    strace = ["strace", "-f", "-e", "trace=fsync,fdatasync", *argv]
    done = subprocess.run(strace, env=run.environ, cwd=run.folder, capture_output=True, text=True, check=True)
    return sum(line.rstrip().endswith("= 0") and "sync(" in line for line in done.stderr.splitlines())
