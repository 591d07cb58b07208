"""Becoming an agent's client: this process turns into it, so that its exit code and signals are its own."""

from __future__ import annotations

import os
import signal
import sys

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import branch_resource
from relay_tui.room.claims import give_back
from relay_tui.room.ledger import Actor
from relay_tui.room.registry import leave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

    from relay_tui.actions.launch import Launch
    from relay_tui.room.rooms import Room

# What says which client a shell belongs to; the new client is another one.
_OF_THE_STARTER = ("CLAUDE_CODE_SESSION_ID", "CLAUDE_PID", "CODEX_THREAD_ID")
# Python ignores these; a client is to get them as from a shell.
_IGNORED = (signal.SIGPIPE, signal.SIGXFSZ)


def become_client(launch: Launch, room: Room, environ: Mapping[str, str]) -> NoReturn:
    """Never comes back. Where the program cannot be started its agent gives back what it claimed for it and leaves
    again: raises `storage`."""
    names = {"RELAY_AGENT": launch.agent, "RELAY_SESSION": launch.session, "RELAY_ROOM": room.row.id}
    kept = {name: value for name, value in environ.items() if name not in _OF_THE_STARTER}
    room.store.close()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
    try:
        os.chdir(launch.worktree)
    except OSError as fault:
        raise _undone(launch, room, f"The worktree {launch.worktree} cannot be entered", fault) from fault
    try:
        for number in _IGNORED:
            signal.signal(number, signal.SIG_DFL)
        os.execve(launch.argv[0], [launch.client, *launch.argv[1:]], {**kept, **names})
    except OSError as fault:
        raise _undone(launch, room, f"{launch.argv[0]} cannot be started", fault, "Install it anew.") from fault


def _undone(launch: Launch, room: Room, what: str, fault: OSError, hint: str = "") -> RelayError:
    me = Actor(launch.agent, launch.session, "cli")
    if launch.claimed:
        give_back(room, me, [branch_resource(one.resource) for one in launch.claimed])
    leave(room, me)
    return RelayError("storage", f"{what} ({fault.strerror}).", hint)
