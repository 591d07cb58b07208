"""The doctor's findings on agents' clients: on PATH, wired, trusted as far as can be told, and last seen here."""

from __future__ import annotations

import shutil
from functools import partial

from relay_tui.actions.setup import state_of_client, target_of
from relay_tui.base.times import age
from relay_tui.room.presence import STATES
from relay_tui.room.registry import list_agents
from relay_tui.wiring.clients import NAMES
from relay_tui.wiring.plan import PARTLY, UNWIRED, WIRED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.rooms import Room

_UNSEEN = {"codex": "Run /hooks in Codex and trust relay's: it skips others in silence."}


def _client(client: str, room: Room) -> tuple[bool | None, str, str]:
    in_git = room.place is not None and room.place.worktree is None  # where there is nothing to wire
    here = UNWIRED if in_git else state_of_client(client, target_of(room))
    everywhere = state_of_client(client, target_of(room, user=True))
    found = shutil.which(client) is not None
    if not found and here == everywhere == UNWIRED:
        return None, "not on PATH, not wired", ""
    seen = _last_seen(client, room)
    wired = f"{here} here" if everywhere == UNWIRED else f"{here} here, {everywhere} for every project"
    text = f"{'on PATH' if found else 'not on PATH'}, {wired}, {seen or 'never seen in this room'}"
    if here == everywhere == WIRED:
        return False, f"{text}: each hook runs twice", f"Run: relay setup {client} --user --undo"
    if PARTLY in (here, everywhere):
        return None, text, f"Run: relay setup {client}{' --user' if everywhere == PARTLY else ''}"
    if here == everywhere:
        return None, text, f"Run: relay setup {client}"
    return seen is not None or None, text, "" if seen else _UNSEEN.get(client, "Begin a session of it here.")


def _last_seen(client: str, room: Room) -> str | None:
    """When, and through which door, an agent that this client runs was last heard of."""
    agents = list_agents(room, list(STATES)).agents if room.exists else []
    signs = [(one.last_seen, one.source) for one in agents if one.runner == client and one.last_seen is not None]
    if not signs:
        return None
    last_seen, source = max(signs)
    return f"last seen {age(last_seen, room.clock())} ago over {source}"


CHECKS = {client: partial(_client, client) for client in NAMES}
