"""The numbers above every screen: who is here, what is unhandled, and what needs the person.

What reads them is imported with the first reading, which comes after the first frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from relay_tui.base.errors import RelayError

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.attention import Attention
    from relay_tui.room.branches import BranchView
    from relay_tui.room.overlap import Contest
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class Tally(NamedTuple):
    """What a glance at the room costs nothing to know; `unhandled` is the person's own mail."""

    room: str
    live: int
    stored: int
    unhandled: int


class Survey(NamedTuple):
    """What takes git to know, read in a thread; `percent` is the roadmap's progress, None without one.

    `flags` says how each branch stands, by its short name; `branches` are their rows, in order; `contests` are
    the files that several have in hand.
    """

    attention: Attention
    percent: int | None
    flags: Mapping[str, str]
    branches: Sequence[BranchView] = ()
    contests: Sequence[Contest] = ()


def read_tally(room: Room, name: str) -> Tally:
    """Raises whatever reading raises; a person who is not an agent here has no mail."""
    from relay_tui.room.mailbox import peek_inbox
    from relay_tui.room.registry import list_agents

    counts = list_agents(room, []).counts
    try:
        unhandled = peek_inbox(room, name, limit=1).unhandled
    except RelayError as fault:
        if fault.code != "unknown_agent":
            raise
        unhandled = 0
    return Tally(room.row.name, counts.live, counts.stored, unhandled)


def read_survey(room: Room) -> Survey:
    from relay_tui.actions.attention import survey_branches
    from relay_tui.room.attention import read_attention
    from relay_tui.room.work import percent, read_progress

    branches, contests, doubts = survey_branches(room)
    flags = {branch.branch: branch.flag for branch in branches or ()}
    found = read_attention(room, branches, contests, doubts)
    return Survey(found, percent(*read_progress(room)), flags, branches or (), contests)


def badges(tally: Tally | None, survey: Survey | None) -> Mapping[str, str]:
    """What stands behind the name of a screen's tab; nothing where there is nothing to do."""
    found = {}
    if tally is not None and tally.unhandled:
        found["inbox"] = f"{tally.unhandled:,}"
    if survey is not None:
        from relay_tui.room.branches import UNSETTLED

        counts = survey.attention.counts
        unsettled = sum(counts.get(flag, 0) for flag in UNSETTLED)
        doubt = "?" if survey.attention.unknown else ""
        needs = f"{survey.attention.total:,}" if survey.attention.total else ""
        found |= {"attention": needs + doubt} if needs or doubt else {}
        found |= {"branches": f"!{unsettled}" if unsettled else doubt} if unsettled or doubt else {}
        found |= {"roadmap": f"{survey.percent}%"} if survey.percent is not None else {}
    return found
