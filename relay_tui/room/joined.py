"""Which of the sessions that run on this machine have joined, in whichever room of the home."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.store import Store
else:
    from relay_tui.base.record import NamedTuple


class Joined(NamedTuple):
    """The session and process of an agent that is here, each where it is known, and where it works."""

    runner: str | None
    session: str | None
    pid: int | None
    worktree: str | None


def read_joined(store: Store) -> list[Joined]:
    if not store.exists:
        return []
    with store.reading() as db:
        rows = db.execute("SELECT runner, session, pid, worktree FROM agents WHERE standing = 'here'").fetchall()
    return [Joined(*row) for row in rows]
