"""What the room knows by name: the words that fields and command lines are completed with.

Read once when a bar or a form opens. Which word belongs where is said in `completion`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from relay_tui.actions.registry import list_observed
from relay_tui.base.resources import spell
from relay_tui.room.held import list_claims
from relay_tui.room.mailbox import peek_inbox, read_outbox

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.rooms import Room
    from relay_tui.tui.readings.path_tree import PathTree
else:
    from relay_tui.base.record import NamedTuple

FILES_SHOWN = 50


class Known(NamedTuple):
    """Names in the order in which they are offered; `live` and `here` are how many others a broadcast reaches.

    `machines` are those with a gate of their own; `tree` has the paths where somebody waits for git.
    """

    agents: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    folder: str = "."
    live: int = 0
    here: int = 0
    machines: tuple[str, ...] = ()
    tree: PathTree | None = None


def read_known(room: Room, reader: str, git_branches: Iterable[str] = ()) -> Known:
    """The names of a room as `reader` may see them, and of the branches that git has."""
    if not room.exists:
        return Known(folder=room.folder)
    here = list_observed(room, ["live", "quiet", "dormant"]).agents
    claims = list_claims(room).claims
    is_here = any(one.agent == reader for one in here)
    mail = (*peek_inbox(room, reader).messages, *read_outbox(room, reader).messages) if is_here else ()
    reported = [branch for one in here for branch in (one.observed_branch, one.branch) if branch]
    held = [claim.resource for claim in claims if claim.scope == "branch"]
    return Known(
        tuple(one.agent for one in here),
        tuple(message.id for message in mail),
        tuple(spell(claim.scope, claim.resource) for claim in claims),
        tuple(dict.fromkeys([*held, *reported, *git_branches])),
        room.folder,
        sum(one.state == "live" for one in here if one.agent != reader),
        sum(one.agent != reader for one in here),
        tuple(name for name, _ in room.settings.gates if name.startswith("machine:")),
    )


def list_paths(folder: str, typed: str) -> list[str]:
    """Paths that begin as typed, folders with a slash; what cannot be read offers nothing."""
    above, _, beginning = typed.rpartition("/")
    prefix = typed[: len(typed) - len(beginning)]
    try:
        with os.scandir(os.path.join(folder, above or ("/" if typed.startswith("/") else "."))) as entries:
            found = sorted(_offered(entries, beginning))
    except OSError:
        return []
    return [prefix + name for name in found[:FILES_SHOWN]]


def _offered(entries: Iterable[os.DirEntry[str]], beginning: str) -> Iterable[str]:
    for entry in entries:
        hidden = entry.name.startswith(".") and not beginning.startswith(".")
        if entry.name.startswith(beginning) and not hidden:
            yield f"{entry.name}/" if entry.is_dir() else entry.name
