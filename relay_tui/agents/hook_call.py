"""What a client's hook says on standard input, as one record for every client. Pure; knows no room.

The shapes are those of Claude Code and Codex, which differ in a few members; what is not known is ignored,
since both add fields often.
"""

from __future__ import annotations

from relay_tui.agents.session import ID_CHARACTERS
from relay_tui.base.canonical import decode
from relay_tui.base.errors import RelayError
from relay_tui.base.text import is_unicode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, NamedTuple
else:
    from relay_tui.base.record import NamedTuple

# Members of a tool's input that name the one file it writes, for the tools that write one.
_FILE_MEMBERS = ("file_path", "notebook_path", "filePath", "absolute_path")
_WRITING_TOOLS = frozenset((
    "Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch", "Bash", "shell", "edit", "write", "patch",
    "write_file", "replace",
))  # fmt: skip
_PATCH_BEGINS = "*** Begin Patch"
_PATCH_FILES = ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")


class HookCall(NamedTuple):
    """`session` is the client's own id, or the one that was set for it, and then `own` is the client's; `paths` are
    what the tool is about to write, as the client spelled them; `occasion` is what set the event off; `is_continuing`
    says that a hook made this turn go on."""

    client: str
    session: str
    folder: str
    paths: list[str]
    occasion: str
    text: str
    is_continuing: bool
    own: str | None = None


def read_call(document: str, client: str, environ: Mapping[str, str], folder: str) -> HookCall:
    """The call in a client's JSON; `folder` is where the hook itself stands. Raises `invalid` for anything else."""
    try:
        said = decode(document)
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise RelayError("invalid", "The hook got no JSON object on standard input.", "Let a client call it.")
    # Both are set where somebody gave the agent its name and session before its client began.
    given = environ.get("RELAY_SESSION", "") if environ.get("RELAY_AGENT") else ""
    own = _text(said, "session_id") or environ.get("CLAUDE_CODE_SESSION_ID", "")
    session = given or own
    if not _is_id(session):
        raise RelayError("invalid", "The hook's input names no session.", "Let a client call it.")
    where = _text(said, "cwd")
    return HookCall(
        client, session, folder if "\0" in where else where or folder, written_paths(said),
        _text(said, "source") or _text(said, "reason") or _text(said, "notification_type"),
        _text(said, "message"), said.get("stop_hook_active") is True,
        own if given and _is_id(own) else None,
    )  # fmt: skip


def written_paths(said: Mapping[str, Any]) -> list[str]:
    """The files that a tool call names as written, in order, each once.

    Where no member names one, a patch does in lines of its own, also where it goes through a shell; what else a
    shell writes cannot be known before.
    """
    given = said.get("tool_input")
    if _text(said, "tool_name") not in _WRITING_TOOLS or not isinstance(given, dict):
        return []
    named = [path for member in _FILE_MEMBERS if (path := _text(given, member))]
    return list(dict.fromkeys(named or [path for text in _texts(given) for path in patched_paths(text)]))


def patched_paths(text: str) -> Iterator[str]:
    """The files that a patch in the apply_patch form touches, wherever it stands in the text."""
    _, begins, patch = text.partition(_PATCH_BEGINS)
    for line in patch.split("\n") if begins else ():
        for opening in _PATCH_FILES:
            if line.startswith(opening):
                yield line[len(opening) :].strip()


def _is_id(text: str) -> bool:
    return 0 < len(text) <= ID_CHARACTERS and is_unicode(text)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _texts(member)


def _text(said: Mapping[str, Any], member: str) -> str:
    value = said.get(member)
    return value if isinstance(value, str) else ""
