"""Claims as rows and details. Pure functions of what was read and the moment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.resources import spell
from relay_tui.base.text import inert
from relay_tui.base.times import age, local_date
from relay_tui.tui.columns import Column
from relay_tui.tui.content import Words, facts, lines
from relay_tui.tui.glyphs import QUIET, Glyphs
from relay_tui.tui.rows import Row, heading

if TYPE_CHECKING:
    from relay_tui.room.held import Claim

COLUMNS = (
    Column("state", "state", width=7),
    Column("resource", "resource", minimum=16),
    Column("holder", "holder", width=14),
    Column("age", "age", width=4, number=True),
    Column("note", "note", minimum=12, drop=1),
)


def claim_rows(claims: Iterable[Claim], now: int, glyphs: Glyphs) -> list[tuple[Row, Claim | None]]:
    """Held first, then those whose holder is not live."""
    found = list(claims)
    listed: list[tuple[Row, Claim | None]] = []
    for is_stale, words in ((False, "held"), (True, "stale: the holder is not live, the claim stays")):
        part = [claim for claim in found if claim.stale == is_stale]
        if part:
            listed.append((heading(words), None))
            listed += [(claim_row(claim, now, glyphs), claim) for claim in part]
    return listed


def claim_row(claim: Claim, now: int, glyphs: Glyphs) -> Row:
    resource = spell(claim.scope, claim.resource)
    note = "planned" + (f", {claim.note}" if claim.note else "") if claim.planned else claim.note or ""
    cells: tuple[Words, ...] = (
        glyphs.claim(claim.stale), resource, claim.holder, age(claim.claimed_at, now), note
    )  # fmt: skip
    return Row(f"{claim.scope}:{claim.resource}", cells, fields={"scope": claim.scope})


def claim_detail(claim: Claim, now: int, glyphs: Glyphs, width: int = 0) -> Content:
    """Who holds it since when, what stale means, and who waits for it."""
    heard = f"heard from {age(claim.holder_last_seen, now)} ago" if claim.holder_last_seen else "never heard from"
    pairs: list[tuple[str, Words | None]] = [
        ("state", glyphs.claim(claim.stale)),
        ("holder", Content.assemble(inert(claim.holder), "   ", glyphs.agent(claim.holder_state), f", {heard}")),
        ("since", f"{local_date(claim.claimed_at)}, {age(claim.claimed_at, now)} ago"),
        ("note", claim.note),
        ("scope", claim.scope),
        ("room", claim.room),
        ("planned", "the branch is not there yet" if claim.planned else None),
        ("handover", claim.handoff),
        ("waiting", ", ".join(claim.waiting)),
    ]
    parts: list[Words] = [Content.styled(inert(spell(claim.scope, claim.resource)), "bold"), ""]
    parts.append(facts([(label, value) for label, value in pairs if value], width))
    if claim.stale:
        parts += ["", Content.styled("A stale claim stays until its holder or the operator releases it.", QUIET)]
    return lines(parts)
