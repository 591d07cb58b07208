"""Texts of the registry's actions."""

from __future__ import annotations

from relay_tui.base.text import clip, counted, inert
from relay_tui.base.times import age, heard_from
from relay_tui.cli.texts.layout import TEXT_SHOWN, ago, columns, of_any_moment
from relay_tui.room.presence import STATES
from relay_tui.room.sweep_records import Sweep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.actions.discovery import AgentsAndSeen
    from relay_tui.room.agents import Agent, AgentCounts
    from relay_tui.room.pending import Pending
    from relay_tui.room.registry import AgentChange, AgentList
    from relay_tui.wiring.sessions import Seen


def join(change: AgentChange, now: int) -> Iterator[str]:
    agent = change.agent
    if "state" in change.changed:
        yield f"{inert(agent.agent)} joined (session {inert(agent.session or '')})."
    elif change.changed:
        yield f"{inert(agent.agent)} is here; recorded {', '.join(change.changed)}."
    else:
        yield f"{inert(agent.agent)} is here already; nothing changed."
    if agent.unhandled:
        yield f"{counted(agent.unhandled, 'message')} to handle: relay inbox --as {inert(agent.agent)}"


def status(change: AgentChange, now: int) -> Iterator[str]:
    agent = change.agent
    said = agent.status or "no status"
    yield f"{inert(agent.agent)}: {said}" + (f" · {inert(clip(agent.text, TEXT_SHOWN))}" if agent.text else "")
    if agent.question:
        yield f"asks {inert(agent.question.whom)} ({agent.question.id}): {inert(agent.question.text)}"
    if not change.changed:
        yield "Nothing changed."


def leave(done: AgentChange | Sweep, now: int) -> Iterator[str]:
    if isinstance(done, Sweep):
        yield from _sweep(done, now, "recorded as left")
        return
    agent = done.agent
    yield f"{inert(agent.agent)} left." if done.changed else f"{inert(agent.agent)} had left already."
    if agent.claims:
        claims = counted(agent.claims, "claim stays and shows", "claims stay and show")
        yield f"{claims} as stale: relay claims --holder {inert(agent.agent)}"


@of_any_moment
def agents(found: AgentList | AgentsAndSeen, now: int) -> Iterator[str]:
    yield _totals(found.counts)
    yield from columns([_row(agent, now) for agent in found.agents], "  ")
    if not found.agents:
        yield "  Nobody in these states. An agent comes in with: relay join --as NAME"
    seen = getattr(found, "seen", None)
    if seen:
        yield "Seen on this machine, not joined (relay setup wires their clients):"
        yield from columns([_seen_row(one, now) for one in seen], "  ")
    elif seen is not None:
        yield "No session of a client was seen on this machine that has not joined."


def whoami(change: AgentChange, now: int) -> Iterator[str]:
    agent = change.agent
    session = inert(agent.session or "none")
    yield f"{inert(agent.agent)} · {agent.state}, {heard_from(agent.last_seen, now)} · session {session}"
    yield f"{counted(agent.unhandled, 'message')} to handle, {counted(agent.claims, 'claim')} held"


def _seen_row(seen: Seen, now: int) -> list[str]:
    return [seen.client, f"pid {seen.pid}", age(seen.since, now), seen.branch or "", seen.folder or ""]


def _totals(counts: AgentCounts) -> str:
    said = [f"{getattr(counts, state):,} {state}" for state in STATES if getattr(counts, state)]
    return " · ".join([f"{counts.stored:,} stored", *said])


def _row(agent: Agent, now: int) -> list[str]:
    where = agent.observed_branch or agent.branch or ""
    if agent.branch and agent.observed_branch and agent.branch != agent.observed_branch:
        where = f"{agent.observed_branch} (reports {agent.branch})"
    return [
        agent.agent, agent.state, ago(agent.last_seen, now), agent.status or "", where,
        counted(agent.claims, "claim") if agent.claims else "",
        f"{agent.unhandled:,} unhandled" if agent.unhandled else "", clip(agent.text or "", TEXT_SHOWN),
    ]  # fmt: skip


def retire(done: AgentChange | Sweep, now: int) -> Iterator[str]:
    if isinstance(done, Sweep):
        yield from _sweep(done, now, "retired")
        return
    agent = done.agent
    yield f"{inert(agent.agent)} is retired." if done.changed else f"{inert(agent.agent)} was retired already."


def revive(change: AgentChange, now: int) -> Iterator[str]:
    agent = change.agent
    yield (
        f"{inert(agent.agent)} is back, {agent.state}."
        if change.changed
        else f"{inert(agent.agent)} is not retired; nothing changed."
    )


def prune(done: Sweep, now: int) -> Iterator[str]:
    yield from _sweep(done, now, "set aside as dormant")


def pending(found: Pending, now: int) -> Iterator[str]:
    rows = [(state, getattr(found, state)) for state in (*STATES, "expired")]
    yield from columns(
        [
            [state, counted(one.deliveries, "delivery", "deliveries"), counted(one.agents, "agent")]
            for state, one in rows
        ]
    )


def _sweep(done: Sweep, now: int, act: str) -> Iterator[str]:
    verb = f"{counted(len(done.candidates), 'agent')} {act}" if done.applied else f"Would be {act}"
    names = [f"{inert(one.agent)} ({ago(one.last_seen, now)})" for one in done.candidates]
    yield f"{verb}: {', '.join(names) or 'nobody'}"
    for skipped in done.skipped:
        yield f"  {inert(skipped.agent)} stays: {', '.join(skipped.reasons)}"
    if not done.applied and done.candidates:
        yield "Nothing was changed; add --apply to do it."
