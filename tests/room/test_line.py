"""The line in front of the writers' lock: who came first goes first, and nothing about it keeps anybody out."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from relay_tui.room.line import FILE, Place
from relay_tui.room.lock import WriterLock


def test_who_left_and_comes_again_stands_behind_who_waits(tmp_path: Path) -> None:
    first = Place(str(tmp_path))
    first.enter(60)

    def wait_and_say_so() -> None:
        waiting = Place(str(tmp_path))
        waiting.enter(60)
        time.sleep(0.05)  # long enough to be overtaken
        (tmp_path / "was there").touch()
        waiting.leave()

    other = _fork(wait_and_say_so)
    _see_drawn(tmp_path, 2)
    first.leave()
    first.enter(60)
    assert (tmp_path / "was there").exists()
    first.leave()
    os.waitpid(other, 0)


def test_somebody_stopped_in_line_keeps_nobody_from_a_free_lock(tmp_path: Path) -> None:
    def stand() -> None:
        Place(str(tmp_path)).enter(60)
        os.kill(os.getpid(), signal.SIGSTOP)

    stopped = _fork(stand)
    os.waitpid(stopped, os.WUNTRACED)
    lock = WriterLock(str(tmp_path), deadline=0.1)
    lock.acquire()
    lock.release()
    os.kill(stopped, signal.SIGKILL)
    os.waitpid(stopped, 0)


@pytest.mark.parametrize("make", [Path.mkdir, partial(Path.write_bytes, data=b"\xff" * 100)])
def test_a_line_that_cannot_be_is_done_without(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / FILE)
    lock = WriterLock(str(tmp_path), deadline=60)
    for _ in range(2):
        lock.acquire()
        lock.release()


def _fork(act: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(0)
    return child


def _see_drawn(home: Path, number: int) -> None:
    while int.from_bytes((home / FILE).read_bytes(), "big") < number:
        time.sleep(0.001)
