"""Times: integer microseconds UTC inside, ISO 8601 `…Z` in JSON, short ages and local time for people.

Nothing here reads the clock; callers hand the moment in (DESIGN §5).
"""

from __future__ import annotations

import time

from relay_tui.base.errors import RelayError

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
LONGEST_AGE = 36_500 * DAY  # so that a moment and an age together still fit a SQLite integer

_UNITS = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY}


def system_clock() -> int:
    """The wall clock in microseconds since 1970 UTC; the default of every injected clock."""
    return time.time_ns() // 1000


def iso(moment: int) -> str:
    """`2026-11-30T09:41:07.123456Z`."""
    seconds, micros = divmod(moment, SECOND)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{micros:06d}Z"


def age(then: int, now: int) -> str:
    """A short age for people: `6s`, `4m`, `2h`, `3d`. A moment ahead of `now` is `0s`."""
    elapsed = max(now - then, 0)
    for unit, size in (("d", DAY), ("h", HOUR), ("m", MINUTE)):
        if elapsed >= size:
            return f"{elapsed // size}{unit}"
    return f"{elapsed // SECOND}s"


def heard_from(last_seen: int | None, now: int) -> str:
    """`heard from 6s ago`, or `never heard from`."""
    return "never heard from" if last_seen is None else f"heard from {age(last_seen, now)} ago"


def local_time(moment: int) -> str:
    """`09:54:07` in the person's time zone."""
    return time.strftime("%H:%M:%S", time.localtime(moment // SECOND))


def local_date(moment: int) -> str:
    """`2026-11-30 09:54` in the person's time zone."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment // SECOND))


def local_moment(moment: int, now: int) -> str:
    """`09:54:07` of the same local day as `now`, `11-30 09:54` of the same year, else the whole date."""
    here, there = local_date(now), local_date(moment)
    if there[:10] == here[:10]:
        return local_time(moment)
    return there[5:] if there[:4] == here[:4] else there


def parse_age(text: str) -> int:
    """`90s`, `15m`, `2h`, `7d` or plain seconds, as microseconds (CONTRACT, AGE). Raises `usage`."""
    number, unit = (text[:-1], text[-1]) if text and text[-1] in _UNITS else (text, "s")
    written = number.isdecimal() and number.isascii() and len(number) <= 9
    elapsed = int(number) * _UNITS[unit] if written else LONGEST_AGE + 1
    if elapsed > LONGEST_AGE:
        raise RelayError("usage", f"'{text}' is not a length of time.", "Write 90s, 15m, 2h, 7d or plain seconds.")
    return elapsed
