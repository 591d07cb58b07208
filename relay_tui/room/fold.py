"""What an event means for the tables: the one dispatcher that writing and rebuilding share (DESIGN §3.1).

A fold takes a connection, the event's seq, its room's key, its time and its data, and needs nothing else:
no clock, no presence, no git. Each job's folds stand in a module of their own and are loaded when met.
"""

from __future__ import annotations

from relay_tui.base.loading import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Fold: TypeAlias = Callable[[sqlite3.Connection, int, int, int, dict[str, Any]], None]

# The first word of an event's kind, and the module whose FOLDS know that word.
_MODULES = {
    "room": "registry_fold",
    "agent": "registry_fold",
    "question": "registry_fold",
    "message": "messages_fold",
    "claim": "claims_fold",
    "handoff": "handoffs_fold",
    "work": "work_fold",
    "wake": "wakes_fold",
}


_loaded: dict[str, Fold] = {}


def fold(db: sqlite3.Connection, seq: int, room: int, kind: str, at: int, data: dict[str, Any]) -> None:
    """Bring the projections from before this event to after it. Unknown kinds change nothing (DESIGN §11)."""
    find_fold(kind)(db, seq, room, at, data)


def find_fold(kind: str) -> Fold:
    if kind not in _loaded and (module := _MODULES.get(kind.partition(".")[0])) is not None:
        _loaded.update(import_module(f"relay_tui.room.{module}").FOLDS)
    return _loaded.get(kind, _change_nothing)


def _change_nothing(db: sqlite3.Connection, seq: int, room: int, at: int, data: dict[str, Any]) -> None:
    """A kind from a later relay: readers accept what they do not know."""
