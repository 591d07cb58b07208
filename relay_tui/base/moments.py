"""Moments as people write them: `14:02`, `2026-11-30`, an ISO time, `2h ago`; for what looks back at one.

No hot command does, so that `datetime` may be loaded here.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip
from relay_tui.base.times import DAY, SECOND, local_date, parse_age

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_HINT = "Write 14:02, 2026-11-30, '2026-11-30 14:02', an ISO time with Z, or '2h ago'."


def parse_moment(text: str, now: int) -> int:
    """Microseconds UTC of a moment that is past at `now`; without a zone it is local, without a date today's.

    Raises `usage` for what is no moment, and for what is still to come.
    """
    said = text.strip()
    moment = _ago(said, now) or _today(said, now) or _dated(said)
    if moment is None:
        raise RelayError("usage", f"'{clip(text, 40)}' is not a moment.", _HINT)
    if moment > now:
        hint = f"Yesterday's is '{local_date(moment - DAY)}'." if len(said) <= len("14:02:30") else _HINT
        raise RelayError("usage", f"{said} is still to come; it is {local_date(now)}.", hint)
    return moment


def _ago(said: str, now: int) -> int | None:
    length, ago, rest = said.partition(" ago")
    if rest or not said[:1].isdecimal() or not (ago or said[-1] in "smhd"):
        return None
    try:
        return now - parse_age(length.replace(" ", ""))
    except RelayError:
        return None


def _today(said: str, now: int) -> int | None:
    hours, colon, rest = said.partition(":")
    if not colon or not hours.isdecimal() or len(hours) > 2:
        return None
    return _dated(f"{local_date(now)[:10]} {hours:0>2}:{rest}")


def _dated(said: str) -> int | None:
    """A day is its first moment here."""
    try:
        written = datetime.fromisoformat(said) if said[4:5] == said[7:8] == "-" else None
        return None if written is None else _microseconds(written)
    except (ValueError, OverflowError, OSError):
        return None


def _microseconds(written: datetime) -> int:
    if written.tzinfo is None:
        seconds = int(written.replace(microsecond=0).timestamp())
        return seconds * SECOND + written.microsecond
    return (written - _BEGINNING) // timedelta(microseconds=1)
