"""relay's hooks and its server in the JSON settings of Claude Code and Gemini CLI. Pure: text in, text out.

JSON has no comments, so what is relay's is known by its command: `relay hook …` and `relay mcp`.
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
    """The settings with relay's groups of hooks, an event's at the end of its list; others' stay as they are.

    Raises `invalid` where the settings, or the hooks in them, have another shape.
    """
    hooks = read_object(text, name).get("hooks", {})
    _require(isinstance(hooks, dict), name, "hooks")
    for event in wanted:
        _require(isinstance(hooks.get(event, []), list), name, f"hooks.{event}")
    right = [event for event, groups in wanted.items() if _ours_at(hooks.get(event)) == groups]
    text = _without(text, name, keep=right)
    for event, groups in wanted.items():
        for group in groups if event not in right else ():
            text = append_element(text, ["hooks", event], group)
    return text


def take_hooks(text: str, name: str) -> str:
    """The settings without any hook of relay's, and without the lists that only held those."""
    return _without(text, name, keep=())


def put_server(text: str, name: str, wanted: dict[str, Any]) -> str:
    """The settings with relay's server. Raises `file_exists` where another one has its name."""
    servers = read_object(text, name).get(SERVERS, {})
    _require(isinstance(servers, dict), name, SERVERS)
    there = servers.get(SERVER)
    if there is not None and not _is_our_server(there):
        raise RelayError(
            "file_exists", f"{name} has a server '{SERVER}' that is not relay's.", "Rename it; nothing was written."
        )
    return text if there == wanted else put_member(text, [SERVERS, SERVER], wanted)


def take_server(text: str, name: str) -> str:
    """The settings without relay's server; one that relay did not write stays."""
    servers = read_object(text, name).get(SERVERS)
    if not isinstance(servers, dict) or not _is_our_server(servers.get(SERVER)):
        return text
    return drop(text, [SERVERS] if len(servers) == 1 else [SERVERS, SERVER])


def _without(text: str, name: str, keep: list[str] | tuple[()]) -> str:
    while path := next(_paths_of_ours(read_object(text, name).get("hooks"), keep), None):
        text = drop(text, path)
    return text


def _paths_of_ours(hooks: object, keep: list[str] | tuple[()]) -> Iterator[list[str | int]]:
    """Where a handler of relay's stands, or whatever holds nothing else than it."""
    if not isinstance(hooks, dict):
        return
    for event, groups in hooks.items():
        if event in keep or not isinstance(groups, list):
            continue
        for place, group in enumerate(groups):
            handlers = _handlers(group)
            for number, handler in enumerate(handlers):
                if not _is_our_hook(handler):
                    continue
                path: list[str | int] = ["hooks", event, place, "hooks", number]
                for siblings, above in ((len(handlers), 3), (len(groups), 2), (len(hooks), 1)):
                    if siblings > 1:
                        break
                    path = path[:above]
                yield path


def _ours_at(groups: object) -> list[object]:
    """The groups that hold a handler of relay's."""
    return [group for group in groups if any(map(_is_our_hook, _handlers(group)))] if isinstance(groups, list) else []


def _handlers(group: object) -> list[object]:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else []


def _is_our_hook(handler: object) -> bool:
    return _words(handler)[:2] == ["relay", "hook"]


def _is_our_server(server: object) -> bool:
    return _words(server)[:2] == ["relay", "mcp"]


def _words(entry: object) -> list[str]:
    """The command line of an entry, with its program's bare name: `args` where there are some, else one string."""
    command, arguments = (entry.get("command"), entry.get("args")) if isinstance(entry, dict) else (None, None)
    if not isinstance(command, str):
        return []
    words = [command, *map(str, arguments)] if isinstance(arguments, list) else command.split()
    return [os.path.basename(words[0]), *words[1:]] if words else []


def _require(is_right: bool, name: str, member: str) -> None:
    if not is_right:
        raise RelayError("invalid", f"{name}: '{member}' has another shape.", "Correct it; nothing was written.")
