"""Who a call over MCP acts as: known from the connection, never from an argument (DESIGN §9).

Codex names the thread in each call's `_meta`, Claude Code its session in the environment at the start. A
session that is new to the room joins it by its first call. Knows nothing of the SDK.
"""

from __future__ import annotations

import os

from relay_tui.agents.session import ID_CHARACTERS, ClientSession, actor_of, find_session, join_session, own_session
from relay_tui.base.errors import RelayError
from relay_tui.base.processes import ProcessIdentity, identify
from relay_tui.base.text import is_unicode
from relay_tui.room.agents import agent_of_process
from relay_tui.room.ledger import Actor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple

    from relay_tui.actions.call import Call
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

DOOR = "mcp"
# Where clients put the id of a tool call, by which a repeated one is known.
_CALL_IDS = ("claudecode/toolUseId", "callId")


class Standing(NamedTuple):
    """What holds for a whole connection. `name` was set by somebody, `session` is of the environment or the
    line, `process` is the client where it is this server's parent; `is_followed` says that the client may go on
    in another session, and `own` is the client's session where another one was set."""

    name: str | None
    session: str | None
    is_followed: bool
    client: str
    folder: str
    process: ProcessIdentity | None
    own: str | None = None


def read_standing(call: Call, environ: Mapping[str, str], folder: str, parent: int) -> Standing:
    """What the line and the environment say, for a server in `folder` that the process `parent` started."""
    claude, name = _text(environ.get("CLAUDE_CODE_SESSION_ID")), _text(environ.get("RELAY_AGENT"))
    said = call.session or _text(environ.get("RELAY_SESSION"))
    given = said if name else None  # with its name before the client began, so that hooks know it too
    return Standing(
        call.as_ or name, given or claude or said, bool(claude) and not given, "claude" if claude else "", folder,
        identify(parent) if parent > 1 else None, claude if given else None,
    )  # fmt: skip


def enter(room: Room, standing: Standing, meta: Mapping[str, Any]) -> Actor:
    """The agent that a call acts as; a session that is not in the room joins it by this.

    Raises `usage` where neither the call nor the connection says who it is, `session_conflict` where a name
    that was set is live in another session, and `reserved_name` for a person's.
    """
    who = session_of(room, standing, meta)
    known = find_session(room, who)
    if known is not None and known.row.standing == "here":
        return actor_of(known, who)
    return Actor(join_session(room, who), who.id, DOOR)


def session_of(room: Room, standing: Standing, meta: Mapping[str, Any]) -> ClientSession:
    """The session that a call comes from. Raises `usage` where nothing says it."""
    pid = standing.process.pid if standing.process else None
    thread = _text(meta.get("threadId"))
    if thread:
        set_ = standing.session if standing.name else None
        who = ClientSession("codex", set_ or thread, room.folder, DOOR, standing.name, pid, thread if set_ else None)
        return own_session(room, who)
    if not standing.name and not standing.session:
        raise RelayError(
            "usage", "This client does not say which session calls.",
            "Start the server as: relay mcp --as NAME, or set RELAY_AGENT for it.",
        )  # fmt: skip
    session = _session_now(room, standing)
    return own_session(
        room, ClientSession(standing.client, session, room.folder, DOOR, standing.name, pid, standing.own)
    )


def folder_of(standing: Standing, meta: Mapping[str, Any]) -> str:
    """The one folder that a Codex thread says it works in; else where the server was started."""
    turn = meta.get("x-codex-turn-metadata")
    folders = turn.get("workspaces") if isinstance(turn, dict) else None
    (folder,) = folders if isinstance(folders, dict) and len(folders) == 1 else ("",)
    inside = f"{standing.folder}/".startswith(f"{folder}/")
    return folder if os.path.isabs(folder) and os.path.isdir(folder) and not inside else standing.folder


def key_of_call(meta: Mapping[str, Any]) -> str | None:
    """A retry key from the client's own id of this tool call, where it gives one."""
    ids = [said for name in _CALL_IDS if (said := _text(meta.get(name)))]
    return f"call:{ids[0]}" if ids else None


def _session_now(room: Room, standing: Standing) -> str | None:
    """The client's session as its hooks saw it last: the one of the environment is over once it is cleared."""
    if standing.process is None or not standing.is_followed or not room.exists:
        return standing.session
    with room.reading() as db:
        name, session = agent_of_process(db, room.row.key, standing.process, standing.client) or (None, None)
    return session if name is not None and standing.name in (None, name) else standing.session


def _text(said: object) -> str | None:
    """A short text that can be stored; None for anything else."""
    return said if isinstance(said, str) and 0 < len(said) <= ID_CHARACTERS and is_unicode(said) else None
