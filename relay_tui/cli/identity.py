"""Who acts on this line (DESIGN §7): said, set, remembered by session, or the person at the keyboard."""

from __future__ import annotations

from relay_tui.actions.perform import check_text
from relay_tui.base.text import is_unicode
from relay_tui.room.agents import name_of_session
from relay_tui.room.ledger import Actor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from relay_tui.actions.call import Call
    from relay_tui.room.rooms import Room


# Where a client tells the shells it opens which of its sessions they belong to.
CLIENT_SESSIONS = ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID")


def identify_actor(call: Call, room: Room, environ: Mapping[str, str], *, at_terminal: bool) -> Actor | None:
    """`--as`, else `$RELAY_AGENT`, else the session's agent, else the operator; None where nobody is known.

    A client's session that has an agent goes before a name and a session that may be of the client around it.
    """
    at_keyboard = at_terminal or environ.get("RELAY_OPERATOR") == "1"
    session = call.session or environ.get("RELAY_SESSION") or None
    name = call.as_ or environ.get("RELAY_AGENT") or environ.get("AGENT_RELAY_AGENT_ID")
    check_text("name", name)
    check_text("session", session)
    if not name and session:
        name = _agent_of_session(room, session)
    elif not name or _is_handed_on(call, environ):
        nearest = _agent_of_client(room, environ)
        name, session = nearest if nearest[0] else (name, session)
    if not name and at_keyboard:
        name = room.operator
    return Actor(name, session, "cli", at_keyboard) if name else None


def _is_handed_on(call: Call, environ: Mapping[str, str]) -> bool:
    """Whether name and session are as `relay launch` sets them: a client that was started further down has its own."""
    return not (call.as_ or call.session) and bool(environ.get("RELAY_AGENT") and environ.get("RELAY_SESSION"))


def _agent_of_client(room: Room, environ: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The agent that a client's session has joined as, with that session."""
    for variable in CLIENT_SESSIONS:
        session = environ.get(variable)
        name = _agent_of_session(room, session) if session and is_unicode(session) else None
        if name:
            return name, session
    return None, None


def _agent_of_session(room: Room, session: str) -> str | None:
    if not room.exists:
        return None
    with room.reading() as db:
        return name_of_session(db, room.row.key, session)
