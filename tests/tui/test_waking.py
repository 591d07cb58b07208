"""Idle agents are woken while the screen is open, where relay.toml allows it, and the person is told."""

from __future__ import annotations

import threading
from pathlib import Path

from relay_tui.base.times import HOUR
from relay_tui.room.ledger import Actor
from relay_tui.tui.readings.wake_pulse import WakePulse
from tests.room_fixture import House
from tests.tui.visits import visit
from tests.wiring.test_waking import SESSION, codex

__all__ = ["codex"]


def leave_mail(house: House) -> None:
    house.join("codex-4", runner="codex", session=SESSION)
    house.send(Actor("codex-3"), "codex-4", "hello")


def allow(house: House) -> None:
    Path(house.home, "relay.toml").write_text('wake = ["codex-*"]\n', encoding="utf-8")


async def test_mail_for_an_idle_agent_wakes_it_once_and_is_told(house: House, codex: Path):
    leave_mail(house)
    async with visit(house, "agents") as here:
        WakePulse(here.app).look()
        assert house.events("wake") == [], "nobody has allowed it"
        allow(house)
        WakePulse(here.app).start()
        for _ in range(1000):
            await here.settle()
            if "woken" in here.toasts:
                break
        assert "codex-4: woken over Codex's queue, for 1 message" in here.toasts
        WakePulse(here.app).look()
        assert [event.kind for event in house.events("wake")] == ["wake.tried", "wake.ended"]


async def test_a_screen_that_only_looks_wakes_nobody(house: House):
    before = set(threading.enumerate())
    async with visit(house, "agents", read_only=True) as here:
        WakePulse(here.app).start()
        assert "relay-wake-pulse" not in [one.name for one in set(threading.enumerate()) - before]


async def test_a_screen_that_stands_open_is_no_sign_of_the_person(house: House, codex: Path):
    """Nor of a dormant one: whoever is away stays away while mail for others is due."""
    leave_mail(house)
    allow(house)
    async with visit(house, "agents") as here:
        before = house.rows("SELECT * FROM presence ORDER BY agent")
        house.clock.advance(HOUR)
        WakePulse(here.app).look()
        assert len(house.events("wake")) == 2
        assert house.rows("SELECT * FROM presence ORDER BY agent") == before
