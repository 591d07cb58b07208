"""relay's block in Codex's config.toml. Pure: text in, text out.

Every table of it has a header of its own, so it stands at the end of the file and no line of the person's is
touched; `tomllib` decides whether the file with it still means what it did.
"""

from __future__ import annotations

import tomllib

from relay_tui.base.errors import RelayError
from relay_tui.wiring.marked_block import TOML, put_block, take_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SERVER = '[mcp_servers.relay]\ncommand = "relay"\nargs = ["mcp"]\n'
# Event, the tools that it is asked for, and what relay does then.
_HOOKS = (
    ("SessionStart", "", "session-start"),
    ("UserPromptSubmit", "", "prompt"),
    ("PreToolUse", "Bash|apply_patch", "guard"),
    ("Stop", "", "stop"),
    ("SessionEnd", "", "session-end"),
)
_SECONDS = 10


def put_codex(text: str, name: str) -> str:
    """The configuration with relay's block. Raises `invalid`, and `file_exists` for a server or hooks called
    relay that stand outside of the block."""
    _read(text, name)
    others = _read(take_block(text, name, TOML), name)
    if "relay" in others.get("mcp_servers", {}) or "relay hook " in str(others.get("hooks")):
        raise RelayError(
            "file_exists", f"{name} has a server or hooks of relay's that relay did not write.",
            "Take them out; nothing was written.",
        )  # fmt: skip
    text = put_block(text, name, TOML, "\n".join([_SERVER, *(_hook(*hook) for hook in _HOOKS)]))
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise RelayError(
            "invalid", f"{name} writes 'mcp_servers' or 'hooks' as a value, which no table can be added to.",
            "Write it as tables, such as [mcp_servers.NAME]; nothing was written.",
        ) from None  # fmt: skip
    return text


def take_codex(text: str, name: str) -> str:
    return take_block(text, name, TOML)


def _read(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise RelayError("invalid", f"{name} is not TOML: {fault}.", "Correct it; nothing was written.") from None


def _hook(event: str, matcher: str, does: str) -> str:
    return "\n".join([
        f"[[hooks.{event}]]",
        *([f'matcher = "{matcher}"'] if matcher else []),
        f"[[hooks.{event}.hooks]]",
        'type = "command"',
        f'command = "relay hook {does} --client codex"',
        f"timeout = {_SECONDS}",
        "",
    ])  # fmt: skip
