"""What the rooms of one repository say about branches: claims, agents and open tasks, as of one moment."""

from __future__ import annotations

import os

from relay_tui.base.places import HEADS, find_repository
from relay_tui.base.resources import short_name
from relay_tui.room.agents import read_agents
from relay_tui.room.branches import BranchTask, RoomFacts, TaskView
from relay_tui.room.held import held_claims
from relay_tui.room.standing import Witness

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from relay_tui.room.rooms import Room

_FAMILY_ROOMS = "SELECT key, name FROM rooms WHERE family = ?"
_OPEN_TASKS = """
SELECT i.id, i.title, i.status, r.name, i.branch FROM items AS i INDEXED BY items_by_branch
JOIN rooms AS r ON r.key = i.room
WHERE r.family = ? AND i.branch IS NOT NULL AND i.removed_at IS NULL AND i.status NOT IN ('done', 'cancelled')
ORDER BY i.room, i.id
"""


def read_room_facts(room: Room) -> RoomFacts:
    """Branch claims of the repository, and agents and open tasks of every room that it has."""
    now = room.clock()
    if not room.exists:
        return RoomFacts([], [], [], now)
    with room.reading() as db:
        claims = [held.claim for held in held_claims(db, room, now, ["branch"])]
        rows = db.execute(_OPEN_TASKS, (room.row.family,))
        tasks = [BranchTask(TaskView._make(task), ref.removeprefix(HEADS)) for *task, ref in rows]
        return RoomFacts(claims, _witnesses(db, room, now), tasks, now, room.row.name)


def _witnesses(db: sqlite3.Connection, room: Room, now: int) -> list[Witness]:
    return [
        Witness(
            name, known.row.name, known.state, short_name(known.row.branch), known.row.worktree,
            _is_elsewhere(known.row.worktree, room.row.repository),
            known.row.worktree is not None and not os.path.isdir(known.row.worktree),
        )
        for key, name in db.execute(_FAMILY_ROOMS, (room.row.family,)).fetchall()
        for known in read_agents(db, key, now, room.settings)
        if known.state in ("live", "quiet") and (known.row.branch or known.row.worktree)
    ]  # fmt: skip


def _is_elsewhere(worktree: str | None, repository: str | None) -> bool:
    """Whether a folder belongs to another repository: a clone or a submodule may lie inside a worktree of ours."""
    place = find_repository(worktree) if worktree else None
    return place is not None and place.common_dir != repository
