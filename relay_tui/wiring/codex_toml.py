"""relay's block in Codex's config.toml. Pure: text in, text out.

Every table of it has a header of its own, so it stands at the end of the file and no line of the person's is
touched; `tomllib` decides whether the file with it still means what it did.
"""

from __future__ import annotations

import re
import tomllib

from relay_tui.base.errors import RelayError
from relay_tui.wiring.json_text import refuse_mark
from relay_tui.wiring.marked_block import TOML, find_block, put_block, take_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Event, the tools that it is asked for, and what relay does then.
_HOOKS = (
    ("SessionStart", "", "session-start"),
    ("UserPromptSubmit", "", "prompt"),
    ("PreToolUse", "Bash|apply_patch", "guard"),
    ("PostToolUse", "Bash|apply_patch", "check"),
    ("Stop", "", "stop"),
    ("SessionEnd", "", "session-end"),
)
_SECONDS = 10
_END_SECONDS = 3  # the most that Codex gives; it complains at each start of more
# What Codex hands to its servers only where it is told to: where the room is, and who was launched.
_HANDED = ('"RELAY_HOME"', '"XDG_DATA_HOME"', '"RELAY_ROOM"', '"RELAY_AGENT"', '"RELAY_SESSION"')
_KEYS = ("mcp_servers", *(f"hooks.{event}" for event, _, _ in _HOOKS))
_SHOWN = {"mcp_servers": "[mcp_servers.NAME]", "hooks": "[[hooks.EVENT]]"}


def _tables() -> list[str]:
    """What relay writes, a table at a time."""
    tables = [f'[mcp_servers.relay]\ncommand = "relay"\nargs = ["mcp"]\nenv_vars = [{", ".join(_HANDED)}]']
    for event, matcher, does in _HOOKS:
        tables.append(f"[[hooks.{event}]]" + (f'\nmatcher = "{matcher}"' if matcher else ""))
        command = f'command = "relay hook {does} --client codex"'
        timeout = f"timeout = {_END_SECONDS if event == 'SessionEnd' else _SECONDS}"
        tables.append("\n".join([f"[[hooks.{event}.hooks]]", 'type = "command"', command, timeout]))
    return tables


# Whatever is one of these to the letter is relay's; a later version must go on knowing those of earlier ones.
_TABLES = _tables()
_BODY = "\n\n".join(_TABLES)
_HEADERS = {table.partition("\n")[0] for table in _TABLES}
_LINES = {line for table in _TABLES for line in table.split("\n")}


def put_codex(text: str, name: str) -> str:
    """The configuration with relay's block. Raises `invalid`, and `file_exists` for a server or hooks called
    relay that relay did not write."""
    _read(text, name)
    rest = take_codex(text, name)
    others = _read(rest, name)
    servers = others.get("mcp_servers")
    if (isinstance(servers, dict) and "relay" in servers) or "relay hook " in str(others.get("hooks")):
        raise RelayError(
            "file_exists", f"{name} has a server or hooks of relay's that relay did not write.",
            "Take them out; nothing was written.",
        )  # fmt: skip
    if set(_TABLES) <= set(_tables_inside(text, name)):
        return text
    put = put_block(rest, name, TOML, _BODY)
    try:
        tomllib.loads(put)
    except tomllib.TOMLDecodeError:
        raise _no_table(rest, name) from None
    return put


def take_codex(text: str, name: str) -> str:
    """The configuration without relay's tables; others that stand in its block stay, as Codex itself may put
    them there. Raises `file_exists` for a line of relay's tables, or among them, that relay did not write."""
    left = [table for table in _tables_inside(text, name) if table not in _TABLES]
    for table in left:
        header = table.partition("\n")[0]
        if not header.startswith("[") or header in _HEADERS:
            raise RelayError(
                "file_exists", f"{name}: relay's block is not as relay wrote it: {_odd_line(table)}",
                "Move lines of your own out of it, or take the block out; nothing was written.",
            )  # fmt: skip
    newline = "\r\n" if "\r\n" in text else "\n"
    return take_block(text, name, TOML, "".join(f"{table}\n" for table in left).replace("\n", newline))


def _tables_inside(text: str, name: str) -> list[str]:
    """What stands between the marks, cut before each header, without empty lines at the ends."""
    found = find_block(text, name, TOML)
    if found is None:
        return []
    body = text[slice(*found)].replace("\r\n", "\n").strip("\n").split("\n")[1:-1]
    return [table for part in re.split(r"^(?=\[)", "\n".join(body), flags=re.MULTILINE) if (table := part.strip())]


def _odd_line(table: str) -> str:
    """The first line that no table of relay's has; the header where one is missing."""
    header, *lines = table.split("\n")
    return next((line for line in lines if line not in _LINES), header)


def _no_table(text: str, name: str) -> RelayError:
    """Which of relay's tables cannot be added to what is TOML without it, and the line that is in its way if found."""
    key = next(key for key in _KEYS if not _takes(text, key))
    first, _, last = key.partition(".")
    lines = text.split("\n")
    found = (
        (f"{name}, line {number}", named) for named, part in ((key, last or first), (first, first))
        for number, line in enumerate(lines, 1) if re.match(rf"[^=#]*\b{part}\b", line)
    )  # fmt: skip
    place, named = next(found, (name, first))
    return RelayError(
        "invalid", f"{place}: '{named}' is written so that no table can be added to it.",
        f"Write it as tables, such as {_SHOWN[first]}; nothing was written.",
    )  # fmt: skip


def _takes(text: str, key: str) -> bool:
    try:
        tomllib.loads(f"{text}\n[[{key}{'' if '.' in key else '.relay'}]]\n")
    except tomllib.TOMLDecodeError:
        return False
    return True


def _read(text: str, name: str) -> dict[str, Any]:
    refuse_mark(text, name)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise RelayError("invalid", f"{name} is not TOML: {fault}.", "Correct it; nothing was written.") from None
