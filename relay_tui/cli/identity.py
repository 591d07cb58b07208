"""Who acts on this line (DESIGN §7): said, set, remembered by session, or the person at the keyboard."""

from __future__ import annotations

from relay_tui.actions.perform import check_text
from relay_tui.room.agents import name_of_session
from relay_tui.room.ledger import Actor
from relay_tui.room.rooms import DEFAULT_OPERATOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from relay_tui.actions.call import Call
    from relay_tui.room.rooms import Room


def identify_actor(call: Call, room: Room, environ: Mapping[str, str], *, at_terminal: bool) -> Actor | None:
    """`--as`, else `$RELAY_AGENT`, else the session's agent, else the operator; None where nobody is known."""
    at_keyboard = at_terminal or environ.get("RELAY_OPERATOR") == "1"
    session = call.session or environ.get("RELAY_SESSION") or None
    name = call.as_ or environ.get("RELAY_AGENT") or environ.get("AGENT_RELAY_AGENT_ID")
    check_text("name", name)
    check_text("session", session)
    if not name and session:
        name = _agent_of_session(room, session)
    if not name and at_keyboard:
        name = room.row.operator if room.exists else DEFAULT_OPERATOR
    return Actor(name, session, "cli", at_keyboard) if name else None


def _agent_of_session(room: Room, session: str) -> str | None:
    if not room.exists:
        return None
    with room.reading() as db:
        return name_of_session(db, room.row.key, session)
