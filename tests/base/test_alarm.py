"""A call that has no limit of its own ends in time, whenever its alarm rings and whatever a parent left behind."""

from __future__ import annotations

import operator
import os
import signal
import threading
import zlib
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from relay_tui.base.alarm import ends_within

LONG_AFTER = 10.0  # seconds


@pytest.fixture
def wait() -> Iterator[Callable[[], object]]:
    """A read that blocks; one that is not given up ends after all, and fails the test."""
    source, sink = os.pipe()
    rescue = threading.Timer(LONG_AFTER, os.write, (sink, b"x"))
    rescue.start()
    yield partial(os.read, source, 1)
    given_up = rescue.is_alive()
    rescue.cancel()
    rescue.join()
    os.close(source)
    os.close(sink)
    assert given_up


def test_an_alarm_that_rings_just_before_the_wait_is_not_lost(wait: Callable[[], object]) -> None:
    """Between Python's last look at signals and the kernel: here as long as a checksum takes."""
    late = partial(zlib.crc32, bytes(20_000_000)), wait
    assert not ends_within(0.001, lambda: list(map(operator.methodcaller("__call__"), late)))


def test_no_time_is_given_up_at_once_and_leaves_nothing_behind(wait: Callable[[], object]) -> None:
    before = signal.getsignal(signal.SIGALRM)
    assert not ends_within(1e-9, wait)
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_alarm_that_a_parent_blocked_rings_all_the_same(wait: Callable[[], object]) -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    try:
        assert not ends_within(0.001, wait)
        assert signal.SIGALRM in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def test_what_ends_in_time_has_ended() -> None:
    assert ends_within(LONG_AFTER, int)
