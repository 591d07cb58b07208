"""Handovers as rows and details. Pure functions of what was read and the moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.resources import spell
from relay_tui.base.text import inert
from relay_tui.base.times import age, local_date
from relay_tui.tui.rows_of.subjects import about_handoff
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import Words, facts, lines
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs
from relay_tui.tui.widgets.rows import Row, heading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from relay_tui.room.agents import Agent
    from relay_tui.room.handoffs import Handoff, HandoffResource
    from relay_tui.room.held import Claim

# The first four are those of claims, so that both stand in one list.
COLUMNS = (
    Column("state", "state", width=12),
    Column("resource", "from → to", minimum=18),
    Column("age", "age", width=4, number=True),
    Column("note", "what", minimum=16),
    Column("reason", "reason", minimum=14, drop=1),
)


def handoff_rows(handoffs: Iterable[Handoff], here: str, now: int, glyphs: Glyphs) -> list[tuple[Row, Handoff | None]]:
    """Those that wait, then those that were answered, each part under its heading. `here` is the room that is shown."""
    found = list(handoffs)
    listed: list[tuple[Row, Handoff | None]] = []
    for is_waiting, words in ((True, "handovers that wait for an answer"), (False, "handovers answered")):
        part = [one for one in found if (one.state == "waiting") == is_waiting]
        listed += [(heading(words), None)] if part else []
        listed += [(handoff_row(one, here, now, glyphs), one) for one in part]
    return listed


def handoff_row(handoff: Handoff, here: str, now: int, glyphs: Glyphs) -> Row:
    parties = f"{handoff.giver.seen_from(here)} {glyphs.arrow} {handoff.recipient.seen_from(here)}"
    since = age(handoff.answered_at or handoff.requested_at, now)
    names = [spelled(one) for one in handoff.resources]
    what = names[0] if len(names) == 1 else f"{len(names):,}: {', '.join(names)}"
    cells: tuple[Words, ...] = (glyphs.handoff(handoff.state), parties, since, what, handoff.reason or "")
    return Row(handoff.id, cells, fields={"from": handoff.from_, "to": handoff.to})


def handoff_detail(
    handoff: Handoff, agents: Mapping[str, Agent], here: str, now: int, glyphs: Glyphs, width: int = 0
) -> Content:
    """Who offers what to whom and why, and what came of it; each party with its last sign."""
    giver, recipient = (inert(one.seen_from(here)) for one in (handoff.giver, handoff.recipient))
    title = Content.assemble((f"{giver} {glyphs.arrow} {recipient}", "bold"), "   ", glyphs.handoff(handoff.state))
    pairs: list[tuple[str, Words | None]] = [
        *about_handoff(handoff, agents, here, now, glyphs),
        ("since", f"{local_date(handoff.requested_at)}, {age(handoff.requested_at, now)} ago"),
        *_outcome(handoff, now),
        ("id", handoff.id),
    ]
    parts: list[Words] = [title, "", facts(pairs, width)]
    if handoff.state == "waiting":
        stays = f"It stays with {giver} until {recipient} accepts, the whole or a part."
        parts += ["", Content.styled(stays, QUIET)]
    return lines(parts)


def _outcome(handoff: Handoff, now: int) -> list[tuple[str, Words]]:
    """When it was answered, what was taken, and what stayed; nothing while it waits."""
    if handoff.answered_at is None:
        return []
    answered = f"{local_date(handoff.answered_at)}, {age(handoff.answered_at, now)} ago"
    pairs: list[tuple[str, Words]] = [("cancelled" if handoff.state == "cancelled" else "answered", answered)]
    for label, is_taken in (("taken", True), ("not taken", False)):
        names = [spelled(one) for one in handoff.resources if bool(one.accepted) == is_taken]
        if names and handoff.state == "partly":
            pairs.append((label, "\n".join(names)))
    return pairs


def spelled(one: Claim | HandoffResource) -> str:
    return inert(spell(one.scope, one.resource))
