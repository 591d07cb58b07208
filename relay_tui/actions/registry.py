"""Actions of the registry: who is here and what they say of themselves."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.places import checked_out_branch
from relay_tui.room import registry
from relay_tui.room.presence import STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from relay_tui.room.agents import Agent
    from relay_tui.room.ledger import Actor
    from relay_tui.room.registry import AgentChange, AgentList
    from relay_tui.room.rooms import Room


def join(
    room: Room, me: Actor, *, runner: str | None = None, pid: int | None = None, ephemeral: bool = False,
    branch: str | None = None, worktree: str | None = None, task: str | None = None, takeover: bool = False,
) -> AgentChange:  # fmt: skip
    """Join the room under a name, or update what it knows of you.

    relay join --as codex-3 --runner codex --branch feat/auth
    """
    if takeover and not me.at_keyboard:
        raise RelayError("not_operator", "Only the operator may take over a live name.", "Join under another name.")
    said = registry.Joining(runner, pid, ephemeral, branch, _real_path(room, worktree), task)
    return _observed(registry.join(room, me, said, takeover=takeover))


def status(
    room: Room, me: Actor, status: Literal["working", "waiting", "blocked", "idle", "done"] | None = None, *,
    text: str | None = None, task: str | None = None, branch: str | None = None, worktree: str | None = None,
    needs: str | None = None, question: str | None = None,
) -> AgentChange:  # fmt: skip
    """Say what you are doing, and ask somebody if you cannot go on.

    relay status waiting --needs operator --question "Which base?"
    """
    if (needs is None) != (question is None):
        raise RelayError("usage", "--needs and --question go together.", 'Add --needs NAME --question "…".')
    said = {
        "status": status, "text": text, "task": task, "branch": branch, "worktree": _real_path(room, worktree),
    }  # fmt: skip
    facts = {fact: value for fact, value in said.items() if value is not None}
    asked = (needs, question) if needs is not None and question is not None else None
    return _observed(registry.report_status(room, me, facts, asked))


def leave(room: Room, me: Actor) -> AgentChange:
    """Leave the room; what you hold stays claimed, and is shown as stale.

    relay leave --as codex-3
    """
    return _observed(registry.leave(room, me))


def agents(room: Room, *, state: list[str] | None = None) -> AgentList:
    """Who is here: live and quiet agents, or those in the states you name.

    relay agents --state live --state left
    """
    for one in state or ():
        if one not in STATES:
            raise RelayError("usage", f"'{one}' is not a state.", f"Use one of {', '.join(STATES)}.")
    found = registry.list_agents(room, state or ["live", "quiet"])
    return found._replace(agents=[_with_observed(agent) for agent in found.agents])


def whoami(room: Room, me: Actor) -> AgentChange:
    """Which agent this shell acts as, and what the room knows of it.

    relay whoami
    """
    return _observed(registry.who_am_i(room, me))


def _observed(change: AgentChange) -> AgentChange:
    return change._replace(agent=_with_observed(change.agent))


def _with_observed(agent: Agent) -> Agent:
    """The branch that git says is checked out where the agent says it works."""
    if agent.worktree is None:
        return agent
    return agent._replace(observed_branch=checked_out_branch(agent.worktree))


def _real_path(room: Room, worktree: str | None) -> str | None:
    import os

    return None if worktree is None else os.path.realpath(os.path.join(room.folder, worktree))
