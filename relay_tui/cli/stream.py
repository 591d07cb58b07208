"""How a stream such as `watch` ends: by SIGTERM or because its reader went away, both quietly and with 0."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading

from relay_tui.base.context import contextmanager
from relay_tui.cli.output import watchable_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def quiet_ends() -> Iterator[None]:
    """While this is open, SIGTERM leaves by SystemExit, so that whatever is open is closed on the way."""
    previous = signal.signal(signal.SIGTERM, _leave)
    over = threading.Event()
    try:
        output = watchable_output()
        if output is not None:
            threading.Thread(target=_leave_with_reader, args=(output, over), daemon=True).start()
        yield
    finally:
        over.set()
        signal.signal(signal.SIGTERM, previous)


def _leave(_number: int, _frame: object) -> None:
    sys.exit(0)


def _leave_with_reader(output: int, over: threading.Event) -> None:
    """Without this a stream without news would stay on after its reader, and take the next message for told."""
    reader = select.poll()
    reader.register(output, 0)
    reader.poll()  # asked for nothing, it returns for an error or a hangup only
    if not over.is_set():
        os.kill(os.getpid(), signal.SIGTERM)
