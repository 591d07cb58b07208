"""The action that starts an agent's client in a worktree: an opt-in, which nothing else imports (DESIGN §1).

Here everything is checked and recorded; the door then becomes the client.
"""

from __future__ import annotations

import os
import shutil

from relay_tui.base.errors import RelayError
from relay_tui.base.places import HEADS
from relay_tui.base.resources import branch_resource, short_name
from relay_tui.room import claims, registry
from relay_tui.room.ledger import Actor
from relay_tui.room.registry import Joining

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, NamedTuple

    from relay_tui.repo.facts import Worktree
    from relay_tui.room.held import Claim
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class Launch(NamedTuple):
    """A client that is to be started: `argv` begins with the whole path of its program; `claimed` is what it did not
    hold before."""

    client: str
    agent: str
    session: str
    worktree: str
    branch: str | None
    claimed: list[Claim]
    argv: list[str]
    doubts: list[str]


def launch(
    room: Room,
    me: Actor | None,
    client: Literal["claude", "codex", "opencode", "gemini"],
    args: list[str] | None = None,
    *,
    worktree: str | None = None,
    claim: bool = False,
) -> Launch:
    """Start a client in a worktree, as an agent of this room. --as NAME names it, else it is the next CLIENT-N.

    relay launch claude --worktree feat/auth --claim -- --continue
    """
    program = shutil.which(client)
    if program is None:
        raise RelayError("no_file", f"'{client}' was not found on PATH.", "Install it, or change PATH.")
    tree = _find_worktree(room, worktree)
    branch = short_name(tree.branch)
    if claim and branch is None:
        raise RelayError("unknown_branch", f"{tree.path} stands on no branch to claim.", "Leave --claim out.")
    asked = me or Actor(f"{client}-%", None, "cli")
    asked = asked._replace(session=asked.session or room.new_id("S"))  # a live agent's own is not for another client
    # The client keeps the pid of the process that becomes it.
    said = Joining(client, os.getpid(), "%" in asked.name, branch, tree.path)
    agent = asked._replace(name=registry.join(room, asked, said).agent.agent)
    held, doubts = _claim(room, agent, branch) if claim and branch else ([], [])
    argv = [os.path.abspath(program), *(args or [])]
    return Launch(client, agent.name, agent.session or "", tree.path, branch, held, argv, doubts)


def _claim(room: Room, agent: Actor, branch: str) -> tuple[list[Claim], list[str]]:
    """The branch for the new agent, which leaves again where somebody else has it."""
    if room.store.dry_run:
        return [], [f"The branch {branch} would be claimed too; a dry run joins nobody who could."]
    try:
        taken = claims.take(room, agent, [branch_resource(branch)])
    except RelayError as fault:
        registry.leave(room, agent)
        way_out = "Start it without --claim, so that it can ask for the branch, or free it first."
        raise RelayError(fault.code, fault.message, way_out, fault.details) from fault
    return taken.claimed, []


def _find_worktree(room: Room, wanted: str | None) -> Worktree:
    """The worktree at a path, or the one that a branch is checked out in. Raises `no_file`."""
    from relay_tui.actions.branches import read_facts

    trees = [tree for tree in read_facts(room).worktrees if not (tree.bare or tree.missing or tree.elsewhere)]
    here = room.place.worktree if room.place else None
    path = os.path.realpath(os.path.join(room.folder, wanted)) if wanted is not None else here
    by_path = [tree for tree in trees if os.path.realpath(tree.path) == path]
    by_branch = [tree for tree in trees if wanted is not None and tree.branch == HEADS + wanted]
    if not by_path and not by_branch:
        what = wanted if wanted is not None else room.folder
        raise RelayError(
            "no_file", f"{what} is no worktree of this repository, and no branch that one stands on.",
            "Run: relay branches, or: git worktree add PATH BRANCH",
        )  # fmt: skip
    return (by_path or by_branch)[0]
