"""Agents as rows and details. Pure functions of what was read and the moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.resources import spell
from relay_tui.base.text import inert
from relay_tui.base.times import age, local_date
from relay_tui.room.presence import STATES
from relay_tui.tui.columns import Column
from relay_tui.tui.content import Words, block, facts, lines
from relay_tui.tui.glyphs import QUIET, Glyphs
from relay_tui.tui.rows import Row

if TYPE_CHECKING:
    from relay_tui.room.agents import Agent, AgentCounts
    from relay_tui.room.held import Claim

COLUMNS = (
    Column("state", "state", width=9),
    Column("agent", "agent", minimum=12),
    Column("status", "status", width=9, drop=1),
    Column("where", "branch", minimum=12, drop=2),
    Column("seen", "seen", width=4, number=True),
    Column("claims", "holds", width=5, number=True, drop=3),
    Column("unhandled", "mail", width=5, number=True, drop=4),
)
VIEWS = ("live and quiet", "dormant", "left", "retired", "all")
STATES_OF_VIEW = (("live", "quiet"), ("dormant",), ("left",), ("retired",), STATES)


def agent_row(agent: Agent, now: int, glyphs: Glyphs) -> Row:
    asks = "? " if agent.question else ""
    cells: tuple[Words, ...] = (
        glyphs.agent(agent.state), asks + agent.agent, agent.status or "", _where(agent),
        age(agent.last_seen, now) if agent.last_seen else "never",
        f"{agent.claims:,}" if agent.claims else "", f"{agent.unhandled:,}" if agent.unhandled else "",
    )  # fmt: skip
    return Row(agent.agent, cells, fields={"runner": agent.runner or "", "text": agent.text or ""})


def chips(counts: AgentCounts, view: int) -> Content:
    """The views with how many agents each has: `4 live · 2 quiet   1,391 dormant   1,410 stored`."""
    words = [
        f"{counts.live:,} live · {counts.quiet:,} quiet", f"{counts.dormant:,} dormant", f"{counts.left:,} left",
        f"{counts.retired:,} retired", f"{counts.stored:,} stored",
    ]  # fmt: skip
    shown = [(place, word) for place, word in enumerate(words) if place == view or not word.startswith("0 ")]
    return Content("   ").join(
        [Content.styled(word, "$accent bold" if place == view else QUIET) for place, word in shown]
    )


def agent_detail(agent: Agent, claims: Sequence[Claim], now: int, glyphs: Glyphs, width: int = 0) -> Content:
    """Everything that the room knows of an agent, with its question and what it holds."""
    parts: list[Words] = [Content.assemble((inert(agent.agent), "bold"), "   ", glyphs.agent(agent.state)), ""]
    if agent.question:
        parts += [*_question(agent, now), ""]
    parts += [facts(_facts(agent, now), width), ""]
    parts.append(Content.styled("holds" if claims else "holds nothing", QUIET))
    parts += [_held(claim, now) for claim in claims]
    return lines(parts)


def _question(agent: Agent, now: int) -> list[Content]:
    assert agent.question is not None
    asked = agent.question
    who = f"asks {inert(asked.whom)} ({asked.id}, {age(asked.asked_at, now)} ago)"
    return [Content.styled(who, "$accent"), block(asked.text)]


def _facts(agent: Agent, now: int) -> list[tuple[str, Words]]:
    heard = f"{age(agent.last_seen, now)} ago ({agent.source})" if agent.last_seen else "never"
    pairs: list[tuple[str, Words | None]] = [
        ("heard", heard),
        ("status", " · ".join(said for said in (agent.status, agent.text) if said) or "not reported"),
        ("task", agent.task),
        ("branch", _where(agent)),
        ("worktree", agent.worktree),
        ("mail", f"{agent.unhandled:,} unhandled"),
        ("runner", agent.runner),
        ("session", agent.session),
        ("process", str(agent.pid) if agent.pid else None),
        ("joined", local_date(agent.joined_at)),
        ("left", local_date(agent.left_at) if agent.left_at else None),
        ("mark", "ephemeral" if agent.ephemeral else None),
    ]
    return [(label, value) for label, value in pairs if value]


def _where(agent: Agent) -> str:
    """Where git says it stands; what it reports is added where the two differ."""
    if agent.branch and agent.observed_branch and agent.branch != agent.observed_branch:
        return f"{agent.observed_branch} (reports {agent.branch})"
    return agent.observed_branch or agent.branch or ""


def _held(claim: Claim, now: int) -> Content:
    note = f'   "{inert(claim.note)}"' if claim.note else ""
    since = (f"   {age(claim.claimed_at, now)}", QUIET)
    return Content.assemble("  ", inert(spell(claim.scope, claim.resource)), since, note)
