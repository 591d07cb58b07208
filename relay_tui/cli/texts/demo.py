"""Text of the demo: what needs attention once it was played."""

from __future__ import annotations

from relay_tui.cli.texts.attention import attention

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.room.attention import Attention


def demo(found: Attention, now: int) -> Iterator[str]:
    yield from attention(found, now)
    yield "The demo's room is gone; these lines are examples. relay demo shows it on a screen."
