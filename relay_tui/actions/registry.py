"""Actions of the registry: who is here and what they say of themselves."""

from __future__ import annotations

from relay_tui.base.errors import RelayError, check_choices, check_number
from relay_tui.base.places import checked_out_branch
from relay_tui.base.times import DAY, HOUR
from relay_tui.room import registry
from relay_tui.room.permissions import nobody_acts, require_allowed
from relay_tui.room.presence import STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from relay_tui.actions.discovery import AgentsAndSeen
    from relay_tui.room.agents import Agent
    from relay_tui.room.ledger import Actor
    from relay_tui.room.past import AsOf
    from relay_tui.room.pending import Pending
    from relay_tui.room.registry import AgentChange, AgentList
    from relay_tui.room.rooms import Room
    from relay_tui.room.sweep_records import Sweep


def join(
    room: Room, me: Actor, *, runner: str | None = None, pid: int | None = None, ephemeral: bool = False,
    branch: str | None = None, worktree: str | None = None, task: str | None = None, takeover: bool = False,
) -> AgentChange:  # fmt: skip
    """Join the room under a name, or update what it knows of you.

    relay join --as codex-3 --runner codex --branch feat/auth
    """
    if takeover:
        require_allowed(me, "join --takeover", room.operator)
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


def leave(
    room: Room, me: Actor | None, *, stale: bool = False, idle_hours: int | None = None, apply: bool = False
) -> AgentChange | Sweep:
    """Leave the room. What you hold stays claimed, and is shown as stale.

    relay leave --as codex-3
    """
    if stale:
        from relay_tui.room.sweeps import LEAVE, sweep

        return sweep(room, me, LEAVE, _idle(room, idle_hours), apply=apply)
    if me is None:
        raise nobody_acts("leave", room.operator)
    _refuse_sweep_options(idle_hours, apply)
    return _observed(registry.leave(room, me))


def retire(
    room: Room,
    me: Actor | None,
    name: str | None = None,
    *,
    relinquish: bool = False,
    reason: str | None = None,
    stale: bool = False,
    idle_hours: int | None = None,
    apply: bool = False,
) -> AgentChange | Sweep:
    """Retire a name for good. Its history stays, and only the operator can revive it.

    relay retire codex-3 --relinquish --reason "its work is merged"
    """
    if stale == (name is not None):
        raise RelayError("usage", "Say whom to retire.", "Give a name, or --stale for a list of candidates.")
    from relay_tui.room import sweeps

    if stale:
        if relinquish or reason is not None:
            raise RelayError("usage", "--relinquish and --reason go with a name.", "Retire them one by one.")
        return sweeps.sweep(room, me, sweeps.RETIRE, _idle(room, idle_hours), apply=apply)
    if me is None:
        raise nobody_acts("retire", room.operator)
    _refuse_sweep_options(idle_hours, apply)
    return _observed(sweeps.retire(room, me, name or "", relinquish=relinquish, reason=reason))


def revive(room: Room, me: Actor, name: str) -> AgentChange:
    """Bring a retired name back (operator).

    relay revive codex-3
    """
    from relay_tui.room import sweeps

    return _observed(sweeps.revive(room, me, name))


def prune(room: Room, me: Actor | None, *, days: int | None = None, apply: bool = False) -> Sweep:
    """Set agents aside that nobody heard from. It lists them with reasons until you add --apply.

    relay prune --days 14
    """
    from relay_tui.room.sweeps import PRUNE, sweep

    if days is not None:
        check_number("--days", days)
    idle = room.settings.prune_after if days is None else days * DAY
    return sweep(room, me, PRUNE, idle, apply=apply)


def pending(room: Room, *, by: Literal["state"]) -> Pending:
    """How many deliveries wait for agents in each state.

    relay pending --by state
    """
    from relay_tui.room.pending import count_pending

    return count_pending(room, by)


def agents(
    room: Room, *, state: list[str] | None = None, discover: bool = False, at: str | None = None
) -> AgentList | AgentsAndSeen | AsOf:
    """Who is here: live and quiet agents, or those in other states.

    relay agents --state live --state left
    """
    states = state or ["live", "quiet"]
    if at is not None:
        if discover:
            raise RelayError("usage", "--discover looks at what runs now.", "Leave out --at.")
        from relay_tui.actions.past import BY_EVENTS, look_back

        check_choices(states, "state", STATES)
        return look_back(room, at, lambda past: registry.list_agents(past, states), doubts=[BY_EVENTS])
    found = list_observed(room, states)
    if not discover:
        return found
    from relay_tui.actions.discovery import with_seen

    return with_seen(room, found)


def list_observed(room: Room, states: list[str]) -> AgentList:
    """The agents in these states, with the branch that git says each stands on. Raises `usage`."""
    check_choices(states, "state", STATES)
    found = registry.list_agents(room, states)
    return found._replace(agents=[_with_observed(agent) for agent in found.agents])


def whoami(room: Room, me: Actor) -> AgentChange:
    """Which agent this shell acts as, and what the room knows of it.

    relay whoami
    """
    return _observed(registry.who_am_i(room, me))


def _idle(room: Room, hours: int | None) -> int:
    if hours is not None:
        check_number("--idle-hours", hours)
    return room.settings.idle_after if hours is None else hours * HOUR


def _refuse_sweep_options(idle_hours: int | None, apply: bool) -> None:
    if idle_hours is not None or apply:
        raise RelayError("usage", "--idle-hours and --apply go with --stale.", "Add --stale.")


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
