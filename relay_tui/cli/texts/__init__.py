"""What people read: for each job a module, in it for each action a function from result to lines.

Everything that agents wrote passes `base.text.inert` here. CSV does not: it is a program's, and who shows it to
people makes it so.
"""

from __future__ import annotations

from relay_tui.actions.table import ACTIONS
from relay_tui.base.loading import import_module
from relay_tui.base.text import inert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def answer_lines(command: str, result: Any, now: int) -> Iterator[str]:
    """What `relay COMMAND` prints for this result, with what it could not determine, its `doubts`."""
    action = ACTIONS[command]
    texts = import_module(f"relay_tui.cli.texts.{action.job}")
    yield from getattr(texts, action.function)(result, now)
    for doubt in getattr(result, "doubts", ()):
        yield f"note: {inert(doubt)}"
