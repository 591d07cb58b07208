"""What a sweep answers; records only, so that a text can know one without loading the sweeps themselves."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple


class Candidate(NamedTuple):
    agent: str
    last_seen: int | None


class Skipped(NamedTuple):
    agent: str
    reasons: list[str]


class Sweep(NamedTuple):
    """Who would be, or was, set aside, and who was not and why."""

    applied: bool
    candidates: list[Candidate]
    skipped: list[Skipped]
