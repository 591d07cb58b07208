"""relay's hooks and its server in the JSON settings of Claude Code and Gemini CLI. Pure: text in, text out.

JSON has no comments, so what relay wrote is known by being just that. What runs `relay hook …` or `relay mcp`
in another way is the person's: it does the same, so nothing is added beside it, and it is never taken out.
"""

from __future__ import annotations

import os

from relay_tui.base.errors import RelayError
from relay_tui.wiring.json_text import append_element, drop, put_member, read_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeAlias

    Groups: TypeAlias = Mapping[str, list[dict[str, Any]]]

SERVERS = "mcpServers"
SERVER = "relay"


def put_hooks(text: str, name: str, wanted: Groups) -> str:
    """The settings with relay's hooks, an event's at the end of its list; where an event has a hook that does the
    same already, with whatever options, it stays as it is.

    Raises `invalid` where the settings, or the hooks in them, have another shape.
    """
    hooks = read_object(text, name).get("hooks", {})
    _require(isinstance(hooks, dict), f"{name}: 'hooks' must be an object of lists.")
    for event in wanted:
        _require(isinstance(hooks.get(event, []), list), f"{name}: 'hooks.{event}' must be a list.")
    for event, groups in wanted.items():
        there = {_does(handler) for group in hooks.get(event, []) for handler in _handlers(group)}
        for group in groups:
            missing = [handler for handler in group["hooks"] if _does(handler) not in there]
            if missing:
                text = append_element(text, ["hooks", event], {**group, "hooks": missing})
    return text


def take_hooks(text: str, name: str, written: Groups) -> str:
    """The settings without the hooks that relay wrote, and without the lists that only held those."""
    ours = [handler for groups in written.values() for group in groups for handler in group["hooks"]]
    while path := next(_paths_of(ours, read_object(text, name).get("hooks")), None):
        text = drop(text, path)
    return text


def put_server(text: str, name: str, wanted: dict[str, Any]) -> str:
    """The settings with relay's server; one that runs `relay mcp` stays as it is, with its options.

    Raises `file_exists` where another server has its name.
    """
    servers = read_object(text, name).get(SERVERS, {})
    _require(isinstance(servers, dict), f"{name}: '{SERVERS}' must be an object.")
    there = servers.get(SERVER)
    if there is None:
        return put_member(text, [SERVERS, SERVER], wanted)
    if _words(there)[:2] != ["relay", "mcp"]:
        raise RelayError(
            "file_exists", f"{name} has a server '{SERVER}' that is not relay's.", "Rename it; nothing was written."
        )
    return text


def take_server(text: str, name: str, written: dict[str, Any]) -> str:
    """The settings without the server that relay wrote; one that a person wrote or changed stays."""
    servers = read_object(text, name).get(SERVERS)
    if not isinstance(servers, dict) or servers.get(SERVER) != written:
        return text
    return drop(text, [SERVERS] if len(servers) == 1 else [SERVERS, SERVER])


def _paths_of(ours: list[object], hooks: object) -> Iterator[list[str | int]]:
    """Where a handler of relay's stands, or whatever holds nothing else than it."""
    if not isinstance(hooks, dict):
        return
    for event, groups in hooks.items():
        for place, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = _handlers(group)
            for number, handler in enumerate(handlers):
                if handler in ours:
                    path: list[str | int] = ["hooks", event, place, "hooks", number]
                    yield path[: _depth(len(handlers), len(groups), len(hooks))]


def _depth(handlers: int, groups: int, events: int) -> int:
    """How much of a handler's path to drop, so that no list is left that held only it."""
    for siblings, depth in ((handlers, 5), (groups, 3), (events, 2)):
        if siblings > 1:
            return depth
    return 1


def _handlers(group: object) -> list[object]:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else []


def _does(handler: object) -> str | None:
    """What a handler has relay do; None for those of others."""
    program, *rest = _words(handler) or [""]
    return rest[1] if program == "relay" and rest[:1] == ["hook"] and len(rest) > 1 else None


def _words(entry: object) -> list[str]:
    """The command line of an entry, with its program's bare name: `args` where there are some, else one string."""
    command, arguments = (entry.get("command"), entry.get("args")) if isinstance(entry, dict) else (None, None)
    if not isinstance(command, str):
        return []
    words = [command, *map(str, arguments)] if isinstance(arguments, list) else command.split()
    return [os.path.basename(words[0]), *words[1:]] if words else []


def _require(is_right: bool, told: str) -> None:
    if not is_right:
        raise RelayError("invalid", told, "Correct it; nothing was written.")
