from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relay_tui.base.errors import RelayError
from relay_tui.base.times import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    age,
    heard_from,
    iso,
    local_date,
    local_time,
    parse_age,
    system_clock,
)

moments = st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 31), timezones=st.just(UTC))


@given(moments)
def test_iso_is_what_datetime_says(moment: datetime) -> None:
    micros = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    assert iso(micros) == moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@pytest.mark.parametrize(
    ("elapsed", "shown"),
    [
        (-HOUR, "0s"), (0, "0s"), (59 * SECOND, "59s"), (MINUTE, "1m"), (HOUR - 1, "59m"), (HOUR, "1h"),
        (DAY - 1, "23h"), (DAY, "1d"), (400 * DAY, "400d"),
    ],
)  # fmt: skip
def test_ages_are_short_and_never_ahead_of_now(elapsed: int, shown: str) -> None:
    assert age(10 * DAY, 10 * DAY + elapsed) == shown


def test_a_sign_is_told_with_its_age_and_none_is_not_an_old_one() -> None:
    assert heard_from(0, 4 * MINUTE) == "heard from 4m ago"
    assert heard_from(None, 4 * MINUTE) == "never heard from"


@pytest.mark.parametrize(
    ("text", "micros"),
    [("0", 0), ("90", 90 * SECOND), ("90s", 90 * SECOND), ("15m", 15 * MINUTE), ("2h", 2 * HOUR), ("7d", 7 * DAY)],
)
def test_ages_that_people_type(text: str, micros: int) -> None:
    assert parse_age(text) == micros


@pytest.mark.parametrize("text", ["", "m", "-5m", "1.5h", "7w", "٣s", " 5s", "9999999999", "999999999d"])
def test_other_ages_are_refused(text: str) -> None:
    with pytest.raises(RelayError) as refused:
        parse_age(text)
    assert refused.value.code == "usage"


def test_local_times_are_those_of_the_clock_on_the_wall() -> None:
    now = system_clock()
    here = datetime.fromtimestamp(now // SECOND)
    assert local_time(now) == here.strftime("%H:%M:%S")
    assert local_date(now) == here.strftime("%Y-%m-%d %H:%M")
