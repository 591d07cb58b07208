"""Claims as rows and details. Pure functions of what was read and the moment."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.resources import spell
from relay_tui.base.text import inert
from relay_tui.base.times import age, heard_from, local_date
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import Words, facts, lines, one_line
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from relay_tui.room.handoffs import Handoff
    from relay_tui.room.held import Claim

    Offers = Mapping[str, Handoff]

COLUMNS = (
    Column("state", "state", width=12),
    Column("resource", "resource", minimum=18),
    Column("age", "age", width=4, number=True),
    Column("note", "note", minimum=16, drop=1),
)
# The scopes in the order of the list, with the words for them.
SCOPE_WORDS = {"project": "paths", "branch": "branches", "machine": "machine"}
_ORDER = list(SCOPE_WORDS)


def claim_rows(
    claims: Iterable[Claim], offers: Offers, here: str, now: int, glyphs: Glyphs
) -> list[tuple[Row, Claim | None]]:
    """By scope and holder under a heading each, in a scope those held first. `here` is the room that is shown."""
    listed: list[tuple[Row, Claim | None]] = []
    for _, group in groupby(sorted(claims, key=_place), key=_holding):
        held = list(group)
        listed.append((_heading(held[0], here, now, glyphs), None))
        listed += [(claim_row(claim, offers, here, now, glyphs), claim) for claim in held]
    return listed


def claim_row(claim: Claim, offers: Offers, here: str, now: int, glyphs: Glyphs) -> Row:
    since = f" {age(claim.holder_last_seen, now)}" if claim.stale and claim.holder_last_seen else ""
    cells: tuple[Words, ...] = (
        Content.assemble(glyphs.claim(claim.stale), (since, "$warning")), spell(claim.scope, claim.resource),
        age(claim.claimed_at, now), _note(claim, offers, here),
    )  # fmt: skip
    fields = {"scope": claim.scope, "holder": claim.holder, "line": " ".join(claim.waiting)}
    return Row(f"{claim.scope}:{claim.resource}", cells, fields=fields)


def claim_detail(
    claim: Claim, offer: Handoff | None, here: str, now: int, glyphs: Glyphs, width: int = 0
) -> Content:  # fmt: skip
    """Who holds it since when, what stale means, who waits for it, and whom it is offered to."""
    pairs: list[tuple[str, Words | None]] = [
        ("state", glyphs.claim(claim.stale)),
        ("holder", Content.assemble(inert(claim.person.seen_from(here)), "   ", _signs(claim, now, glyphs))),
        ("since", f"{local_date(claim.claimed_at)}, {age(claim.claimed_at, now)} ago"),
        ("note", claim.note),
        ("handover", _offered(claim, offer, here, now, glyphs)),
        ("in line", _queue(claim, here)),
        ("scope", claim.scope),
        ("room", claim.room),
        ("planned", "the branch is not there yet" if claim.planned else None),
    ]
    parts: list[Words] = [Content.styled(inert(spell(claim.scope, claim.resource)), "bold"), ""]
    parts.append(facts(pairs, width))
    if claim.stale:
        parts += ["", Content.styled("A stale claim stays until its holder or the operator releases it.", QUIET)]
    return lines(parts)


def _place(claim: Claim) -> tuple[object, ...]:
    scope = _ORDER.index(claim.scope) if claim.scope in _ORDER else len(_ORDER)
    return scope, claim.scope, claim.stale, claim.holder, claim.room, claim.resource


def _holding(claim: Claim) -> tuple[str, str, str]:
    return claim.scope, claim.holder, claim.room


def _heading(claim: Claim, here: str, now: int, glyphs: Glyphs) -> Row:
    """`paths · codex-3   ● live, heard from 6s ago`: the kind, the holder and its last sign."""
    scope = SCOPE_WORDS.get(claim.scope, claim.scope)
    words = Content.assemble(f"{inert(scope)} · {inert(claim.person.seen_from(here))}   ", _signs(claim, now, glyphs))
    return Row(f"heading:{':'.join(_holding(claim))}", (words,), heading=True)


def _signs(claim: Claim, now: int, glyphs: Glyphs) -> Content:
    return Content.assemble(glyphs.agent(claim.holder_state), f", {heard_from(claim.holder_last_seen, now)}")


def _queue(claim: Claim, here: str) -> str:
    return ", ".join(inert(person.seen_from(here)) for person in claim.queue)


def _note(claim: Claim, offers: Offers, here: str) -> Content:
    """What stands in the way of a release first: an offer, the line; then what its holder says."""
    parts: list[Content] = []
    if claim.handoff is not None:
        offer = offers.get(claim.handoff)
        to = inert(offer.recipient.seen_from(here)) if offer else "somebody"
        parts.append(Content.styled(f"offered to {to}", "$warning"))
    if claim.waiting:
        parts.append(Content.styled(f"in line: {_queue(claim, here)}", "$warning"))
    said = ["planned"] if claim.planned else []
    parts += [one_line(words) for words in [*said, claim.note or ""] if words]
    return Content(", ").join(parts)


def _offered(claim: Claim, offer: Handoff | None, here: str, now: int, glyphs: Glyphs) -> Words | None:
    if offer is None:
        return claim.handoff
    beside = len(offer.resources) - 1
    more = f", with {beside:,} more" if beside else ""
    words = f" for {age(offer.requested_at, now)}: {offer.id} to {inert(offer.recipient.seen_from(here))}{more}"
    return Content.assemble(glyphs.handoff(offer.state), words)
