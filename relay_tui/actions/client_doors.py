"""Actions that agents' clients call, not people. What they do stands in the door for agents."""

from __future__ import annotations

from relay_tui.base.errors import RelayError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from relay_tui.room.rooms import Room


def hook(
    room: Room,
    event: Literal["session-start", "prompt", "guard", "check", "stop", "watch", "notification", "session-end"],
    *,
    client: Literal["claude", "codex", "gemini", "opencode"],
    advise: bool = False,
) -> None:
    """What an agent's client calls at its events. Its JSON comes on standard input; `relay setup` wires it.

    relay hook prompt --client claude
    """
    del room, event, client, advise
    raise RelayError("usage", "A hook answers a client, which speaks JSON to it.", "Run: relay setup")


def mcp(room: Room, *, channel: bool = False) -> None:
    """The MCP server that an agent's client starts. `relay setup` wires it.

    relay mcp
    """
    del room, channel
    raise RelayError("usage", "The MCP server answers a client, which starts it.", "Run: relay setup")
