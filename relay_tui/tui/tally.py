"""The numbers above every screen: who is here, what is unhandled, and what needs the person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from relay_tui.actions.attention import attention
from relay_tui.actions.work import tree
from relay_tui.base.errors import RelayError
from relay_tui.room.mailbox import peek_inbox
from relay_tui.room.registry import list_agents

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.attention import Attention
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

# Flags of branches that somebody has to settle.
_UNSETTLED = ("contested", "orphaned", "missing")


class Tally(NamedTuple):
    """What a glance at the room costs nothing to know; `unhandled` is the person's own mail."""

    room: str
    live: int
    stored: int
    unhandled: int


class Survey(NamedTuple):
    """What takes git to know, read in a thread; `percent` is the roadmap's progress, None without one."""

    attention: Attention
    percent: int | None


def read_tally(room: Room, name: str) -> Tally:
    """Raises whatever reading raises; a person who is not an agent here has no mail."""
    counts = list_agents(room, []).counts
    try:
        unhandled = peek_inbox(room, name, limit=1).unhandled
    except RelayError as fault:
        if fault.code != "unknown_agent":
            raise
        unhandled = 0
    return Tally(room.row.name, counts.live, counts.stored, unhandled)


def read_survey(room: Room) -> Survey:
    roots = tree(room).items
    leaves, done = sum(item.leaves for item in roots), sum(item.done for item in roots)
    return Survey(attention(room), done * 100 // leaves if leaves else None)


def badges(tally: Tally | None, survey: Survey | None) -> Mapping[str, str]:
    """What stands behind the name of a screen's tab; nothing where there is nothing to do."""
    found = {}
    if tally is not None and tally.unhandled:
        found["inbox"] = f"{tally.unhandled:,}"
    if survey is not None:
        counts = survey.attention.counts
        unsettled = sum(counts.get(flag, 0) for flag in _UNSETTLED)
        found |= {"attention": str(len(survey.attention.items))} if survey.attention.items else {}
        found |= {"branches": f"!{unsettled}"} if unsettled else {}
        found |= {"roadmap": f"{survey.percent}%"} if survey.percent is not None else {}
    return found
