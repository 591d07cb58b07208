"""What needs the person, as rows and details. Pure functions of what was read and the moment."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import inert
from relay_tui.base.times import age
from relay_tui.tui.columns import Column
from relay_tui.tui.content import Words, block, facts, lines
from relay_tui.tui.glyphs import QUIET, Glyphs
from relay_tui.tui.rows import Row, heading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from relay_tui.room.attention import AttentionItem

    Pairs: TypeAlias = Sequence[tuple[str, Words]]

COLUMNS = (
    Column("kind", "needs you", width=16),
    Column("subject", "what", minimum=14),
    Column("text", "why", minimum=12, drop=1),
    Column("since", "since", width=5, number=True),
)
# What the keys do for a kind, by the bindings' ids; `{who}` is whoever `m` writes to.
DOES: Mapping[str, Mapping[str, str]] = {
    "question": {"act.reply": "answer", "act.message": "message {who}"},
    "contested": {"act.message": "message {who}", "act.decline": "diff", "list.open": "write"},
    "orphaned": {"act.force": "free it", "act.message": "message {who}", "act.decline": "diff"},
    "missing": {"act.claim": "claim it as planned", "act.force": "free it", "act.message": "message {who}"},
    "handoff": {"list.open": "do what is proposed", "act.decline": "decline", "act.message": "message {who}"},
    "mail": {"list.open": "read", "act.accept": "ack", "act.reply": "reply"},
    "unhandled": {"list.open": "receipt", "act.message": "message {who}"},
    "stale_claim": {"act.force": "free it", "act.message": "message {who}"},
    "blocked": {"list.open": "open", "act.status": "set status", "act.message": "message {who}"},
    "wrong_worktree": {"list.open": "write", "act.message": "message {who}"},
}
_OTHERS = {"list.open": "do what is proposed"}


def item_row(item: AttentionItem, now: int, glyphs: Glyphs) -> Row:
    since = age(item.since, now) if item.since else ""
    cells: tuple[Words, ...] = (glyphs.attention(item.kind), item.subject, item.text, since)
    return Row(item.id, cells, fields={"kind": item.kind})


def rest_rows(flags: Iterable[str], items: Iterable[AttentionItem]) -> list[Row]:
    """The line below the last thing: what was looked at and needs nobody."""
    clear, faults = sum(flag == "clear" for flag in flags), sum(item.kind == "fault" for item in items)
    branches = f"{clear:,} {'branch' if clear == 1 else 'branches'} clear"
    return [heading(" "), heading(f"nothing else: {branches}, {faults} faults")]


def keys_for(kind: str, who: str | None, held: bool) -> dict[str, str]:
    """What settles a thing of this kind, by the ids of the keys. Writing needs somebody, and freeing a holder."""
    does = dict(DOES.get(kind, _OTHERS))
    if not held:
        does.pop("act.force", None)
    return {id: words.format(who=who) for id, words in does.items() if who or "{who}" not in words}


def item_detail(
    item: AttentionItem, about: Pairs, keys: Sequence[tuple[str, str]], glyphs: Glyphs, width: int = 0
) -> Content:
    """What it is about, why it needs somebody, and the keys and the line that settle it."""
    title = Content.assemble(glyphs.attention(item.kind), "   ", (inert(item.subject), "bold"))
    does = Content("   ").join([Content.assemble((key, "$accent"), f" {inert(word)}") for key, word in keys])
    why: Pairs = [("why", block(item.text.replace("; ", "\n")))]
    todo: Pairs = [("do", does), ("Y copies", Content.styled(inert(shlex.join(item.command)), QUIET))]
    told: list[tuple[str, Words]] = []
    for part in (about, why, todo):
        kept = [(label, words) for label, words in part if words]
        told += [("", ""), *kept] if kept else []
    return lines([title, facts(told, width)])
