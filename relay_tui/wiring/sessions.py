"""Sessions of agents' clients that run on this machine, as far as the machine shows them. Only ever reads.

Claude Code keeps a file for each session, which it does not document: what has another shape is passed over.
Codex keeps none, so its running processes are what there is to see.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import psutil

from relay_tui.base.canonical import decode
from relay_tui.base.places import checked_out_branch, find_repository
from relay_tui.base.processes import identify
from relay_tui.base.times import SECOND
from relay_tui.wiring.target import client_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NamedTuple
else:
    from relay_tui.base.record import NamedTuple

_CLAUDE_SESSIONS = "sessions"  # in the folder that Claude Code keeps for a person
# What Codex's program does that is no session: servers for others, and short errands.
_NO_SESSIONS = frozenset("app-server mcp-server mcp queue login logout proxy sandbox completion features".split())


class Seen(NamedTuple):
    """A session that runs: `session` is the client's own id, None where it shows none; `since` is the moment
    at which its process began, in microseconds UTC."""

    client: str
    session: str | None
    pid: int
    folder: str | None
    branch: str | None
    since: int


def find_sessions(person: str) -> list[Seen]:
    """Those of the person whose home this is, the longest first."""
    return sorted([*_claude_sessions(person), *_codex_sessions()], key=lambda seen: seen.since)


def running_claudes(person: str) -> Iterator[dict[str, Any]]:
    """What Claude Code says of each of its sessions that runs: `pid` a number, `sessionId` and `cwd` texts, and
    more that a later version may say in another way."""
    folder = os.path.join(client_folder(".claude", person), _CLAUDE_SESSIONS)
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        said = _read_object(os.path.join(folder, name))
        pid = said.get("pid")
        if not isinstance(pid, int) or name != f"{pid}.json":
            continue
        if not isinstance(said.get("sessionId"), str) or not isinstance(said.get("cwd"), str):
            continue
        if _is_same(pid, str(said.get("procStart"))):
            yield said


def _claude_sessions(person: str) -> Iterator[Seen]:
    for said in running_claudes(person):
        if seen := _seen("claude", said["sessionId"], said["pid"], said["cwd"]):
            yield seen


def _codex_sessions() -> Iterator[Seen]:
    for process in psutil.process_iter(["name", "uids", "cmdline", "cwd"]):
        facts = process.info
        is_ours = facts["name"] == "codex" and facts["uids"] is not None and facts["uids"].real == os.getuid()
        errand = is_ours and _NO_SESSIONS.intersection((facts["cmdline"] or [])[1:2])
        if is_ours and not errand and (seen := _seen("codex", None, process.pid, facts["cwd"])):
            yield seen


def _seen(client: str, session: str | None, pid: int, folder: str | None) -> Seen | None:
    """None where the process has ended meanwhile."""
    try:
        since = int(psutil.Process(pid).create_time() * SECOND)
    except psutil.Error:
        return None
    place = find_repository(folder) if folder else None
    branch = checked_out_branch(place.worktree) if place and place.worktree else None
    return Seen(client, session, pid, folder, branch, since)


def _is_same(pid: int, start: str) -> bool:
    """Whether the process still runs, and is the one that began at `start` where that is in the system's unit."""
    try:
        running = identify(pid)
    except PermissionError:
        return False
    return running is not None and (not start.isdigit() or int(start) == running.start)


def _read_object(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            said = decode(file.read())
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}
