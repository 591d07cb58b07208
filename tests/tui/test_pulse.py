from __future__ import annotations

import threading
import time

from textual.message import Message

from relay_tui.room.ledger import Actor
from relay_tui.tui.readings.pulse import APART, Gate, Pulse, Rang
from tests.room_fixture import House


def test_the_gate_keeps_refreshes_apart():
    gate = Gate()
    assert gate.delay(100.0) == 0
    gate.passed(100.0, 100.01)
    assert 0 < gate.delay(100.04) <= APART
    assert gate.delay(100.0 + APART) == 0


def test_slow_refreshes_leave_half_of_the_time_to_keys():
    gate = Gate()
    gate.passed(100.0, 102.0)
    assert gate.delay(102.0) == 2.0 and gate.delay(104.0) == 0


def test_a_write_rings_at_once_and_nothing_rings_after_the_end(house: House):
    heard: list[Message] = []
    rang = threading.Event()
    pulse = Pulse(house.home, lambda message: (heard.append(message), rang.set()))
    pulse.start()
    rang.wait(2)
    time.sleep(0.2)
    rang.clear()
    house.send(Actor("codex-3"), "claude-1", "hi")
    assert rang.wait(0.9), "the fallback alone would take a second"
    assert isinstance(heard[-1], Rang)
    pulse.stop()
    _wait_for_the_thread()
    count = len(heard)
    house.send(Actor("codex-3"), "claude-1", "hi again")
    time.sleep(0.1)
    assert len(heard) == count


def test_before_there_is_a_home_it_polls(tmp_path):
    heard: list[Rang] = []
    pulse = Pulse(str(tmp_path / "home"), heard.append)
    pulse.start()
    time.sleep(0.1)
    assert heard[-1].polling
    (tmp_path / "home").mkdir()
    time.sleep(0.6)
    pulse.stop()
    _wait_for_the_thread()
    assert not heard[-1].polling


def _wait_for_the_thread() -> None:
    for thread in threading.enumerate():
        if thread.name == "relay-pulse":
            thread.join(3)
            assert not thread.is_alive()
