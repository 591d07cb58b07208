"""The door of the screen: work that is done for it ends in an answer, whatever happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from relay_tui.base.errors import RelayError, internal_fault

T = TypeVar("T")


def attempt(work: Callable[[], T]) -> tuple[T | None, RelayError | None]:
    """What `work` returns, or why it could not."""
    try:
        return work(), None
    except RelayError as refused:
        return None, refused
    except Exception as fault:  # noqa: BLE001 - the door: a fault is shown with its place, and the screen goes on
        return None, internal_fault(fault)
