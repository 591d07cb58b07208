"""`kill -9` at random moments of every command that writes: what was answered is there, and the ledger holds.

Each line runs in a child that is forked when everything is loaded, so that the moment is one of the command's own
and not of Python's start.
"""

from __future__ import annotations

import os
import random
import select
import shlex
import signal
import sys
import time
from typing import NamedTuple

from relay_tui.actions.perform import open_room
from relay_tui.cli.main import run
from relay_tui.room.chains import verify
from relay_tui.room.rebuild import check_rebuild
from relay_tui.room.store import Store
from tests.bench.timing import clean_environment
from tests.gauntlet.killing import TRIALS, Scene, Trial
from tests.gauntlet.stage import Stage

SPARED = 0.15  # of all, to learn how long each takes
FIRST_GUESS = 0.03  # seconds


class Killed(NamedTuple):
    """How often a command was killed or answered, and how many of the killed ones had written already."""

    kills: int
    answered: int
    written: int


def kill_commands(folder: str, kills: int, seed: int) -> Killed:
    """Kill so many; raises AssertionError at the first that left the home other than it should be."""
    stage = Stage(folder)
    environ = clean_environment(stage.home)
    os.environ.clear()
    os.environ.update(environ)
    scene, chance = Scene(stage.home, stage.repository), random.Random(seed)
    lasts: dict[Trial, float] = {}
    killed = answered = written = number = 0
    while killed < kills:
        trial = TRIALS[number % len(TRIALS)]
        token = f"t{number:05}x"
        said = scene.prepare(trial, token)
        before = 0 if trial.back else _last_seq(stage)
        spare = chance.random() < SPARED
        delay = 60.0 if spare else chance.uniform(0, 1.2 * lasts.get(trial, FIRST_GUESS))
        began = time.monotonic()
        died, told = _run_and_kill(_folder_for(trial, stage, token), shlex.split(said(trial.line)), delay)
        if not died:
            lasts[trial] = time.monotonic() - began
        stands = _check(stage, before, said(trial.proof))
        assert stands or died, f"{said(trial.line)} answered and left nothing: {told}"
        killed, answered, written = killed + died, answered + (not died), written + (died and stands)
        number += 1
    return Killed(killed, answered, written)


def _folder_for(trial: Trial, stage: Stage, token: str) -> str:
    if not trial.apart:
        return stage.repository
    folder = os.path.join(os.path.dirname(stage.home), token)
    os.mkdir(folder)
    return folder


def _run_and_kill(folder: str, argv: list[str], delay: float) -> tuple[bool, str]:
    """Whether it died before it was done, and what it said. A command that fails fails the gauntlet."""
    source, sink = os.pipe()
    pid = os.fork()
    if pid == 0:
        _become(folder, argv, sink)
    os.close(sink)
    ends, told = time.monotonic() + delay, b""
    while select.select([source], [], [], max(ends - time.monotonic(), 0))[0]:
        came = os.read(source, 65536)
        told += came
        if not came:
            break
    else:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(source)
    died = os.WIFSIGNALED(status)
    assert died or os.waitstatus_to_exitcode(status) == 0, (argv, told.decode())
    return died, told.decode()


def _become(folder: str, argv: list[str], sink: int) -> None:
    """The child: the command line in this process, with both streams on the pipe."""
    status = 1
    try:
        os.chdir(folder)
        for stream in (1, 2):
            os.dup2(sink, stream)
        status = run(argv)
        sys.stdout.flush()
    finally:
        os._exit(status)


def _last_seq(stage: Stage) -> int:
    with Store(stage.home).reading() as db:
        return int(db.execute("SELECT max(seq) FROM events").fetchone()[0])


def _check(stage: Stage, before: int, proof: str) -> bool:
    """Whether an event behind `before` says it; the file, every chain and every table must hold."""
    room = open_room(Store(stage.home), stage.repository, None)
    with room.reading() as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert verify(db).first_bad is None
        assert check_rebuild(db).equal
        found = db.execute("SELECT count(*) FROM events WHERE seq > ? AND instr(payload, ?)", (before, proof.encode()))
        stands = found.fetchone()[0] > 0
    room.store.close()
    return bool(stands)
