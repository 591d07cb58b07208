"""Ending on a signal as by oneself, so that a file which is not finished is taken away on the way."""

from __future__ import annotations

import signal
import sys

from relay_tui.base.alarm import is_main_thread
from relay_tui.base.context import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def ending_tidily() -> Iterator[None]:
    """While this is open, SIGHUP and SIGTERM leave by SystemExit, where nobody has said otherwise."""
    numbers = (signal.SIGHUP, signal.SIGTERM) if is_main_thread() else ()
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, _leave)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _leave(number: int, _frame: object) -> None:
    sys.exit(128 + number)
