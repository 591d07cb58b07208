"""Sessions of clients that run on this machine and have not joined any room: seen, and nothing more."""

from __future__ import annotations

import os

from relay_tui.base.places import find_repository
from relay_tui.room.joined import read_joined
from relay_tui.wiring.sessions import find_sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from relay_tui.room.agents import Agent, AgentCounts
    from relay_tui.room.joined import Joined
    from relay_tui.room.registry import AgentList
    from relay_tui.room.rooms import Room
    from relay_tui.wiring.sessions import Seen
else:
    from relay_tui.base.record import NamedTuple


class AgentsAndSeen(NamedTuple):
    """The agents of a room, and beside them the sessions that are none."""

    agents: list[Agent]
    counts: AgentCounts
    seen: list[Seen]


def with_seen(room: Room, found: AgentList) -> AgentsAndSeen:
    joined = read_joined(room.store)
    seen = [one for one in find_sessions(os.path.expanduser("~")) if not has_joined(one, joined)]
    return AgentsAndSeen(found.agents, found.counts, seen)


def has_joined(seen: Seen, joined: Sequence[Joined]) -> bool:
    """By its session or its process. An agent of that client whose process is not known counts for whatever
    of it runs in its worktree."""
    place = find_repository(seen.folder) if seen.folder else None
    worktree = place.worktree if place else None
    return any(
        one.pid == seen.pid
        or (seen.session is not None and one.session == seen.session)
        or (seen.session is None and one.pid is None and one.runner == seen.client
            and worktree is not None and one.worktree == worktree)
        for one in joined
    )  # fmt: skip
