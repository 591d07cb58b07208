"""Branches as rows and details. Pure functions of what was read and the moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import inert
from relay_tui.base.times import age
from relay_tui.tui.columns import Column
from relay_tui.tui.content import Words, facts, lines
from relay_tui.tui.glyphs import Glyphs
from relay_tui.tui.rows import Row

if TYPE_CHECKING:
    from relay_tui.room.branches import BranchView

COLUMNS = (
    Column("flag", "flag", width=11),
    Column("branch", "branch", minimum=16),
    Column("holder", "holder", width=12),
    Column("agents", "agents", width=16, drop=2),
    Column("age", "age", width=4, number=True, drop=1),
)


def branch_row(branch: BranchView, now: int, glyphs: Glyphs) -> Row:
    holder = branch.claim.holder if branch.claim else ""
    agents = ", ".join(one.agent for one in branch.agents)
    old = age(branch.committed_at, now) if branch.committed_at else ""
    return Row(branch.branch, (glyphs.branch(branch.flag), branch.branch, holder, agents, old))


def branch_detail(branch: BranchView, now: int, glyphs: Glyphs, width: int = 0) -> Content:
    """Why the branch has its flag, and everybody and everything on it."""
    pairs: list[tuple[str, Words | None]] = [
        ("holder", f"{branch.claim.holder}, {branch.claim.holder_state}" if branch.claim else "nobody"),
        ("agents", ", ".join(f"{one.agent} {one.state} ({one.source})" for one in branch.agents)),
        ("worktree", branch.worktree.path if branch.worktree else None),
        ("tasks", "\n".join(f"{one.id} {one.status} {one.title}" for one in branch.tasks)),
        ("commit", branch.head[:12] if branch.head else None),
    ]
    title = Content.assemble(glyphs.branch(branch.flag), "   ", (inert(branch.branch), "bold"))
    reasons: list[Words] = list(branch.reasons)
    return lines([title, "", *reasons, "", facts([(label, value) for label, value in pairs if value], width)])
