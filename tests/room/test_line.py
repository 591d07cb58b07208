"""The line in front of the writers' lock: who came first goes first, and nothing about it keeps anybody out."""

from __future__ import annotations

import fcntl
import os
import signal
import sys
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


def test_somebody_stopped_at_any_step_in_line_keeps_nobody_from_a_free_lock(tmp_path: Path) -> None:
    steps, done = 0, False
    while not done:
        steps += 1
        stopped = _fork(partial(_enter_and_stop_at, tmp_path, steps))
        os.waitpid(stopped, os.WUNTRACED)
        lock = WriterLock(str(tmp_path), deadline=0.05)
        lock.acquire()
        lock.release()
        done = (tmp_path / "entered").exists()
        os.kill(stopped, signal.SIGKILL)
        os.waitpid(stopped, 0)
    assert steps > 5


def _enter_and_stop_at(home: Path, step: int) -> None:
    """Stopped in front of that call to the system, or behind all of them."""
    left = step

    def count(_frame: object, event: str, function: object) -> None:
        nonlocal left
        if event == "c_call" and getattr(function, "__name__", "") in ("lockf", "pread", "pwrite"):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGSTOP)

    sys.setprofile(count)
    Place(str(home)).enter(60)
    (home / "entered").touch()
    os.kill(os.getpid(), signal.SIGSTOP)


def test_whoever_cannot_draw_a_number_leaves_the_next_to_draw_one(tmp_path: Path) -> None:
    """A damaged file gives a number that somebody has."""
    (tmp_path / FILE).write_bytes((1).to_bytes(8, "big"))
    taken = os.open(tmp_path / FILE, os.O_RDWR)
    fcntl.lockf(taken, fcntl.LOCK_EX, 1, 3)

    def draw_in_vain() -> None:
        place = Place(str(tmp_path))
        place.enter(60)
        os.kill(os.getpid(), signal.SIGSTOP)

    other = _fork(draw_in_vain)
    os.waitpid(other, os.WUNTRACED)
    fcntl.lockf(taken, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 0)  # as who draws does
    os.close(taken)
    os.kill(other, signal.SIGKILL)
    os.waitpid(other, 0)


def test_whoever_writes_has_left_the_line(tmp_path: Path) -> None:
    """The next waits for the lock itself, so that it is awake when that is let go."""
    lock = WriterLock(str(tmp_path), deadline=60)
    lock.acquire()
    assert os.waitpid(_fork(partial(_take_all_at_once, tmp_path)), 0)[1] == 0
    lock.release()


@pytest.mark.parametrize("kept", [lambda home: Place(home).enter(60), lambda home: WriterLock(home).acquire()])
def test_whoever_is_interrupted_in_line_has_left_it(tmp_path: Path, kept: Callable[[str], None]) -> None:
    waiter = os.getpid()

    def write_meanwhile() -> None:
        kept(str(tmp_path))
        (tmp_path / "writes").touch()
        _see_drawn(tmp_path, 2)
        os.kill(waiter, signal.SIGINT)
        signal.pause()

    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever ran git has one that ends all children
    other = _fork(write_meanwhile)
    while not (tmp_path / "writes").exists():
        time.sleep(0.001)
    lock = WriterLock(str(tmp_path), deadline=60)
    try:
        with pytest.raises(KeyboardInterrupt):
            lock.acquire()
    finally:
        signal.signal(signal.SIGINT, handler)
    os.kill(other, signal.SIGKILL)
    os.waitpid(other, 0)
    assert os.waitpid(_fork(partial(_take_all_at_once, tmp_path)), 0)[1] == 0


def _take_all_at_once(home: Path) -> None:
    """In another process, whose locks meet those that are left."""
    file = os.open(home / FILE, os.O_RDWR)
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


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
            os._exit(0)
        finally:
            os._exit(1)
    return child


def _see_drawn(home: Path, number: int) -> None:
    """The file stays open, for closing it would free every place of this process."""
    file = os.open(home / FILE, os.O_RDONLY)
    while int.from_bytes(os.pread(file, 8, 0), "big") < number:
        time.sleep(0.001)
