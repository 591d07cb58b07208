"""Moments as they are typed: local unless they say their zone, and never still to come."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from relay_tui.base.moments import parse_moment
from relay_tui.base.times import DAY, HOUR, MINUTE, SECOND
from tests.room_fixture import refusal

NOW = 1_796_047_200 * SECOND  # 2026-11-30T14:00:00Z


@pytest.fixture(params=["UTC", "Asia/Kolkata"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """How far the person's clock is ahead of UTC."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield {"UTC": 0, "Asia/Kolkata": 330 * MINUTE}[request.param]
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-30T13:02:03.000004Z", NOW - 58 * MINUTE + 3 * SECOND + 4),
        ("2026-11-30T15:00+02:00", NOW - HOUR),
        ("2h ago", NOW - 2 * HOUR),
        (" 2h", NOW - 2 * HOUR),
        ("90 s ago", NOW - 90 * SECOND),
        ("0s ago", NOW),
    ],
)
def test_a_moment_that_needs_no_zone(zone: int, text: str, moment: int) -> None:
    assert parse_moment(text, NOW) == moment


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("13:02", NOW - 58 * MINUTE), ("9:30:05", NOW - 4 * HOUR - 30 * MINUTE + 5 * SECOND),
        ("2026-11-29", NOW - 38 * HOUR), ("2026-11-29 14:00", NOW - DAY),
        ("2026-11-29T14:00:01.5", NOW - DAY + 1_500_000),
    ],
)  # fmt: skip
def test_a_moment_of_the_persons_own_clock(zone: int, text: str, local: int) -> None:
    assert parse_moment(text, NOW) == local - zone


def test_what_is_still_to_come_names_yesterdays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    later = refusal(parse_moment, "14:02", NOW)
    assert (later.code, later.hint) == ("usage", "Yesterday's is '2026-11-29 14:02'.")
    assert refusal(parse_moment, "2026-12-01", NOW).code == "usage"


@pytest.mark.parametrize(
    "text",
    [
        "", "soon", "5 minutes ago", "25:00", "1:2:3:4", "2026-13", "2026-W48-1", "20261129", "-2h", "2h ago now",
        "9e9h", "9999999999h",
    ],
)  # fmt: skip
def test_what_is_no_moment(text: str) -> None:
    fault = refusal(parse_moment, text, NOW)
    assert (fault.code, fault.message) == ("usage", f"'{text}' is not a moment.")
