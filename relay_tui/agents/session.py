"""Which agent a client's session is, and how it comes into the room by itself (DESIGN §9).

A session keeps its name for as long as it lives: the one that somebody set, else the name that it joined
under before, else one made of the client, its folder and the session's id. Hooks and the MCP server share this,
so a session is one agent through both.
"""

from __future__ import annotations

import os

from relay_tui.base.digest import hex_digest
from relay_tui.base.errors import RelayError
from relay_tui.base.ids import is_id
from relay_tui.base.places import checked_out_branch
from relay_tui.base.processes import identify, is_ancestor, is_running, is_same_program
from relay_tui.room.agents import KnownAgent, agent_of_process, find_agent, name_of_session
from relay_tui.room.ledger import Actor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

ID_CHARACTERS = 200  # of a client's id for a session, which is stored with every event: a cut one may be another's
_FOLDER_CHARACTERS = 32
_SUFFIXES = (4, 8, 16)  # hexadecimal digits of the session's id; more where fewer are taken


class ClientSession(NamedTuple):
    """One session of a client at one of the doors. `id` is the client's own, None where it has none; `name` is
    the one that somebody set for it; `pid` is the client's process where that is known. `own` is the client's own id
    where another was set with the name."""

    client: str
    id: str | None
    folder: str
    door: str
    name: str | None = None
    pid: int | None = None
    own: str | None = None


def own_session(room: Room, who: ClientSession) -> ClientSession:
    """The session itself, where its name and id are those of a client that started it in a shell and runs on: it is
    another agent. Where the system does not tell, as for clients that do not say their process, they are its own."""
    known = _find_named(room, who) if who.name and who.own else None
    return who._replace(name=None, id=who.own) if known is not None and _runs_within(known, who) else who


def _runs_within(known: KnownAgent, who: ClientSession) -> bool:
    """Whether the client is another one than the agent's, which started it; what only starts a client is none."""
    process = known.row.process
    if process is None or not is_running(process) or not is_ancestor(process.pid):
        return False
    if who.client and known.row.runner not in (None, who.client):
        return True
    return who.pid not in (None, process.pid) and is_same_program(who.pid or 0, process.pid)


def find_session(room: Room, who: ClientSession) -> KnownAgent | None:
    """The agent that this session acts for, where it has joined; reads only."""
    return _in_session(_find_named(room, who), who)


def actor_of(known: KnownAgent, who: ClientSession) -> Actor:
    return Actor(known.row.name, who.id, who.door)


def join_session(room: Room, who: ClientSession, *, replaces: bool = False) -> str:
    """Join, or bring what the room knows up to date; returns the name. With `replaces` a session that is new takes
    the place of the one that its process was in before.

    Raises `session_conflict` where the name that was set is live in another client's session, and `unknown_room`
    outside a repository.
    """
    from relay_tui.room.registry import Joining, join

    named = _find_named(room, who)
    known = _in_session(named, who)
    before = _name_of_process(room, who) if replaces and known is None else None
    takes_over = (before is not None and who.name in (None, before)) or _joined_by_hand(named)
    given = who.name or before or (known.row.name if known else _name_of_left(room, who))
    said = Joining(
        runner=who.client or None, pid=who.pid, ephemeral=given is None, branch=observed_branch(room),
        worktree=observed_worktree(room),
    )  # fmt: skip
    names = [given] if given else made_names(who)
    for name in names:
        try:
            return join(room, Actor(name, who.id, who.door), said, takeover=takes_over).agent.agent
        except RelayError as fault:
            if fault.code not in ("session_conflict", "retired") or name == names[-1]:
                raise
    raise AssertionError("there is always a name to try")


def _find_named(room: Room, who: ClientSession) -> KnownAgent | None:
    """The agent of the name that was set or of this session, whichever session it is in."""
    if not room.exists:
        return None
    with room.reading() as db:
        name = who.name or (name_of_session(db, room.row.key, who.id) if who.id else None)
        return find_agent(db, room.row.key, name, room.clock(), room.settings) if name else None


def _in_session(known: KnownAgent | None, who: ClientSession) -> KnownAgent | None:
    return known if known is not None and who.id in (None, known.row.session) else None


def _joined_by_hand(known: KnownAgent | None) -> bool:
    """Whether relay drew the agent's session for a line such as `relay join --as NAME`: no client is in it, so one that
    is started under the name goes on in its own."""
    if known is None or known.row.session is None or not is_id(known.row.session, "S"):
        return False
    process = known.row.process
    return process is None or not is_running(process)


def _name_of_process(room: Room, who: ClientSession) -> str | None:
    """The agent that the client's process was until now."""
    process = identify(who.pid) if who.pid else None
    if process is None or not room.exists:
        return None
    with room.reading() as db:
        found = agent_of_process(db, room.row.key, process, who.client)
        return found[0] if found else None


def _name_of_left(room: Room, who: ClientSession) -> str | None:
    """The name that a session which begins again had when it left."""
    if who.id is None or not room.exists:
        return None
    with room.reading() as db:
        return name_of_session(db, room.row.key, who.id, ("left",))


def observed_worktree(room: Room) -> str | None:
    """Where the session stands, as its client says."""
    return room.place.worktree if room.place else None


def observed_branch(room: Room) -> str | None:
    """What is checked out there; None outside a worktree and for a detached one."""
    worktree = observed_worktree(room)
    return checked_out_branch(worktree) if worktree else None


def made_names(who: ClientSession) -> list[str]:
    """Names for a session that nobody named, the shortest first; the same session always gets the same ones."""
    folder = os.path.basename(os.path.realpath(who.folder)).lower()
    kept = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "-" for char in folder)
    middle = kept.strip("-._")[:_FOLDER_CHARACTERS]
    digest = hex_digest((who.id or "").encode())
    return ["-".join(filter(None, (who.client, middle, digest[:size]))) for size in _SUFFIXES]
