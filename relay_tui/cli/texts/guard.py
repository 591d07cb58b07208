"""Text of the guard: silent where nobody else holds anything."""

from __future__ import annotations

from relay_tui.base.text import inert
from relay_tui.room.held import describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.room.guarding import Guarded


def guard(found: Guarded, now: int) -> Iterator[str]:
    for one in found.held:
        yield f"{inert(one.path)}: {describe(one.claim, now, found.room)}."
        yield f"  Ask for it: relay handoff ask {one.word} --as {found.asker or 'NAME'}"
