"""Agents as rows and details. Pure functions of what was read and the moment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.resources import spell
from relay_tui.base.text import inert, quote
from relay_tui.base.times import age, local_date
from relay_tui.room.presence import STATES
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import LINE_SHOWN, Words, block, facts, hung, lines, one_line
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.agents import Agent, AgentCounts, Transport
    from relay_tui.room.held import Claim
else:
    from relay_tui.base.record import NamedTuple

COLUMNS = (
    Column("state", "state", width=9),
    Column("agent", "agent", minimum=10),
    Column("does", "does or waits for", minimum=18, drop=2),
    Column("where", "branch", minimum=10, drop=4),
    Column("heard", "heard", width=8, number=True),
    Column("claims", "holds", width=5, number=True, drop=3),
    Column("unhandled", "mail", width=5, number=True, drop=1),
)
VIEWS = ("live and quiet", "dormant", "left", "retired", "all")
STATES_OF_VIEW = (("live", "quiet"), ("dormant",), ("left",), ("retired",), STATES)


class Wait(NamedTuple):
    """A place in the line for a claim; 1 is next."""

    resource: str
    holder: str
    place: int


def waits_by_agent(claims: Iterable[Claim], here: str) -> dict[str, list[Wait]]:
    """What each agent of room `here` stands in line for, by its name."""
    found: dict[str, list[Wait]] = {}
    for claim in claims:
        for place, person in enumerate(claim.queue, 1):
            if person.room == here:
                wait = Wait(spell(claim.scope, claim.resource), claim.person.seen_from(here), place)
                found.setdefault(person.name, []).append(wait)
    return found


def agent_row(agent: Agent, waits: Sequence[Wait], now: int, glyphs: Glyphs) -> Row:
    cells: tuple[Words, ...] = (
        glyphs.agent(agent.state), agent.agent, _doing(agent, waits), _where(agent),
        f"{age(agent.last_seen, now)} {agent.source}" if agent.last_seen else "never",
        f"{agent.claims:,}" if agent.claims else "", f"{agent.unhandled:,}" if agent.unhandled else "",
    )  # fmt: skip
    asks = {"asks": agent.question.whom} if agent.question else {}
    return Row(agent.agent, cells, fields={"runner": agent.runner or "", "status": agent.status or "", **asks})


def _doing(agent: Agent, waits: Sequence[Wait]) -> Words:
    """A question before a place in line, and both before what the agent says of itself."""
    if agent.question:
        return Content.assemble((f"? asks {inert(agent.question.whom)}: ", "$accent"), one_line(agent.question.text))
    if waits:
        return Content.styled(f"in line for {inert(waits[0].resource)}", "$warning")
    return status_words(agent)


def status_words(agent: Agent) -> str:
    """What it reports of itself."""
    return " · ".join(said for said in (agent.status, agent.text) if said)


def chips(counts: AgentCounts, view: int) -> Content:
    """The views with how many agents each has: `4 live · 2 quiet   1,391 dormant   1,410 stored`."""
    views = (
        (counts.live + counts.quiet, f"{counts.live:,} live · {counts.quiet:,} quiet"),
        (counts.dormant, f"{counts.dormant:,} dormant"), (counts.left, f"{counts.left:,} left"),
        (counts.retired, f"{counts.retired:,} retired"), (counts.stored, f"{counts.stored:,} stored"),
    )  # fmt: skip
    shown = [(place, words) for place, (count, words) in enumerate(views) if count or place == view]
    return Content("   ").join(
        [Content.styled(word, "$accent bold" if place == view else QUIET) for place, word in shown]
    )


def agent_detail(
    agent: Agent, claims: Sequence[Claim], waits: Sequence[Wait], now: int, glyphs: Glyphs, width: int = 0
) -> Content:
    """Everything that the room knows of an agent, with its question, what it waits for and what it holds."""
    parts: list[Words] = [Content.assemble((inert(agent.agent), "bold"), "   ", glyphs.agent(agent.state)), ""]
    if agent.question:
        parts += [*_question(agent, now), ""]
    parts += [facts(_facts(agent, now), width), ""]
    if waits:
        parts += [Content.styled("in line for", QUIET), *(_waited(wait, width) for wait in waits), ""]
    parts.append(Content.styled("holds" if claims else "holds nothing", QUIET))
    parts += [_held(claim, now, width) for claim in claims]
    return lines(parts)


def _question(agent: Agent, now: int) -> list[Content]:
    assert agent.question is not None
    asked = agent.question
    who = f"asks {inert(asked.whom)} ({asked.id}, {age(asked.asked_at, now)} ago)"
    return [Content.assemble((who, "$accent"), ("   R answers", QUIET)), block(asked.text)]


def _facts(agent: Agent, now: int) -> list[tuple[str, Words | None]]:
    heard = f"{age(agent.last_seen, now)} ago ({agent.source})" if agent.last_seen else "never"
    return [
        ("heard", heard),
        ("transport", _transport(agent.transport, now) if agent.transport else None),
        ("status", status_words(agent) or "not reported"),
        ("task", agent.task),
        *_branches(agent),
        ("worktree", agent.worktree),
        ("mail", f"{agent.unhandled:,} unhandled"),
        ("runner", agent.runner or "not said"),
        ("session", agent.session or "none"),
        ("process", str(agent.pid) if agent.pid else "unknown"),
        ("joined", local_date(agent.joined_at)),
        ("left", local_date(agent.left_at) if agent.left_at else None),
        ("mark", "ephemeral" if agent.ephemeral else None),
    ]


def _branches(agent: Agent) -> list[tuple[str, Words]]:
    """What it reports, and what git says is checked out in its worktree; in one line where the two agree."""
    reported, observed = agent.branch, agent.observed_branch
    if reported is None and observed is None:
        return [("branch", "not reported")]
    if reported == observed:
        return [("branch", f"{reported} (reported, and so git says)")]
    found: list[tuple[str, Words]] = [("reports", reported)] if reported else []
    if observed:
        return [*found, ("stands on", Content.styled(inert(observed), "$warning" if reported else ""))]
    return [*found, ("stands on", "not known: no worktree reported")] if not agent.worktree else found


def _transport(transport: Transport, now: int) -> str:
    said = "connected" if transport.connected else "not connected"
    since = f", reported {age(transport.reported_at, now)} ago" if transport.reported_at is not None else ""
    return f"{transport.name}, {said}{since}"


def _where(agent: Agent) -> str:
    """Where git says it stands; what it reports is added where the two differ."""
    if agent.branch and agent.observed_branch and agent.branch != agent.observed_branch:
        return f"{agent.observed_branch} (reports {agent.branch})"
    return agent.observed_branch or agent.branch or ""


def _waited(wait: Wait, width: int) -> Content:
    place = "next" if wait.place == 1 else f"{wait.place - 1:,} before it"
    told = Content.assemble(inert(wait.resource), (f"   {inert(wait.holder)} holds it, {place}", QUIET))
    return hung(Content("  "), told, width)


def _held(claim: Claim, now: int, width: int) -> Content:
    note = f"   {quote(claim.note, LINE_SHOWN)}" if claim.note else ""
    since = age(claim.claimed_at, now)
    offered = ", offered to somebody" if claim.handoff else ""
    line = f", {len(claim.waiting):,} in line" if claim.waiting else ""
    told = Content.assemble(inert(spell(claim.scope, claim.resource)), (f"   {since}{offered}{line}", QUIET), note)
    return hung(Content("  "), told, width)
