"""Text of what needs the operator."""

from __future__ import annotations

from relay_tui.base.text import clip, counted, shell_line
from relay_tui.base.times import age
from relay_tui.cli.texts.layout import columns
from relay_tui.room.attention import BRANCHES_UNKNOWN, ELSE_SETTLED, kind_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.room.attention import Attention
    from relay_tui.room.attention_items import AttentionItem

_TEXT = 90


def attention(found: Attention, now: int) -> Iterator[str]:
    if not found.items:
        yield ELSE_SETTLED if found.unknown else "Nothing needs you."
        return
    unknown = f". {BRANCHES_UNKNOWN}" if found.unknown else ""
    yield f"{counted(found.total, 'thing needs', 'things need')} you{unknown}"
    for item, line in zip(found.items, columns([_row(item, now) for item in found.items], "  "), strict=True):
        yield line
        yield f"      {shell_line(item.command)}"
    if found.unlisted_mail:
        yield f"  and {counted(found.unlisted_mail, 'more message', 'more messages')} to you: relay inbox"


def _row(item: AttentionItem, now: int) -> list[str]:
    since = age(item.since, now) if item.since else ""
    return [kind_words(item.kind), item.subject, clip(item.text, _TEXT), since]
