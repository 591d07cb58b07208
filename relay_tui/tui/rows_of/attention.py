"""What needs the person, as rows and details. Pure functions of what was read and the moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import counted, inert, shell_line
from relay_tui.base.times import age
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import Words, block, facts, key_words, lines
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs
from relay_tui.tui.widgets.rows import Row, heading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from relay_tui.room.attention import Attention
    from relay_tui.room.attention_items import AttentionItem

    Pairs: TypeAlias = Sequence[tuple[str, Words | None]]

COLUMNS = (
    Column("kind", "needs you", width=16),
    Column("subject", "what", minimum=14),
    Column("text", "why", minimum=12, drop=1),
    Column("since", "since", width=5, number=True),
)
OTHERS_HANDOVER = "handoff between others"  # which only its recipient can answer
# What the keys do for a kind, by the bindings' ids; `{who}` is whoever `m` writes to.
DOES: Mapping[str, Mapping[str, str]] = {
    "question": {"act.reply": "answer", "act.message": "message {who}"},
    "contested": {"act.message": "message {who}", "act.decline": "diff", "list.open": "write"},
    "orphaned": {"act.force": "free it", "act.message": "message {who}", "act.decline": "diff"},
    "missing": {"act.claim": "claim it as planned", "act.force": "free it", "act.message": "message {who}"},
    "handoff": {"act.accept": "accept", "act.decline": "decline", "act.message": "message {who}"},
    OTHERS_HANDOVER: {"list.open": "write", "act.message": "message {who}"},
    "mail": {"list.open": "read", "act.accept": "ack", "act.reply": "reply"},
    "unhandled": {"list.open": "receipt", "act.message": "message {who}"},
    "stale_claim": {"act.force": "free it", "act.message": "message {who}"},
    "blocked": {"list.open": "open", "act.status": "set status", "act.message": "message {who}"},
    "wrong_worktree": {"list.open": "write", "act.message": "message {who}"},
    "overlap": {"list.open": "write", "act.message": "message {who}"},
    "fault": {"list.open": "ask the doctor", "act.accept": "forget it"},
}
_OTHERS = {"list.open": "do what is proposed"}
_BLANK = ("", " ")  # a line between groups of facts


def item_row(item: AttentionItem, now: int, glyphs: Glyphs) -> Row:
    since = age(item.since, now) if item.since else ""
    cells: tuple[Words, ...] = (glyphs.attention(item.kind), item.subject, item.text, since)
    return Row(item.id, cells, fields={"kind": item.kind})


def rest_rows(flags: Iterable[str] | None, found: Attention) -> list[Row]:
    """Below the last thing: how much more mail there is, and which branches were looked at and need nobody.

    `flags` is None where the branches were not, or could not be, looked at.
    """
    more = found.unlisted_mail
    rest = [f"and {counted(more, 'more message', 'more messages')} to you in the Inbox"] if more else []
    if flags is not None:
        clear = sum(flag == "clear" for flag in flags)
        rest.append(f"nothing else: {counted(clear, 'branch', 'branches')} clear")
    return [heading(line) for line in (" ", *rest)] if rest else []


def keys_for(kind: str, who: str | None, held: bool) -> dict[str, str]:
    """What settles a thing of this kind, by the ids of the keys. Writing needs somebody, and freeing a holder."""
    does = dict(DOES.get(kind, _OTHERS))
    if not held:
        does.pop("act.force", None)
    return {id: words.format(who=who) for id, words in does.items() if who or "{who}" not in words}


def item_detail(
    item: AttentionItem,
    about: Pairs,
    keys: Sequence[tuple[str, str]],
    glyphs: Glyphs,
    width: int = 0,
    reasons: Sequence[str] = (),
) -> Content:
    """What it is about, why it needs somebody, and the keys and the line that settle it.

    Where there are `reasons`, each has a line of its own.
    """
    title = Content.assemble(glyphs.attention(item.kind), "   ", (inert(item.subject), "bold"))
    why: Pairs = [("why", block("\n".join(map(inert, reasons)) or item.text))]
    todo: Pairs = [("do", key_words(keys)), ("Y copies", Content.styled(shell_line(item.command), QUIET))]
    told = [pair for part in (about, why, todo) if part for pair in (_BLANK, *part)]
    return lines([title, facts(told, width)])
