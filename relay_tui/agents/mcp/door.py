"""The door that MCP clients come through: `relay mcp`, a server on standard input and output (DESIGN §9).

Descriptor 1 is set aside before the SDK is imported: from then on it leads to standard error, and descriptor 0
to nothing. So a stray print, a C library or a child can neither write into the protocol nor read it away.
"""

from __future__ import annotations

import os
import sys

from relay_tui.agents.mcp.desk import Desk
from relay_tui.agents.mcp.identity import read_standing
from relay_tui.base.errors import RelayError
from relay_tui.base.places import find_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from relay_tui.actions.call import Call

SDK = "mcp_types"  # a distribution that only the SDK's second generation brings


def serve(call: Call, environ: Mapping[str, str], folder: str, **injected: Callable[..., Any]) -> int:
    """Serve one client until it hangs up; returns the exit code. `injected` is the room's clock and its ids.

    Raises `usage` on a terminal, for a dry run, for a channel to nobody, and where the SDK is not installed.
    """
    if sys.stdin is None or sys.stdout is None or sys.stdin.isatty():
        raise RelayError("usage", "relay mcp speaks to an agent's client, not to a person.", "Run: relay setup")
    if call.dry_run:
        raise RelayError("usage", "relay mcp cannot run dry.", "Leave --dry-run out.")
    standing = read_standing(call, environ, folder, os.getppid())
    if call.values.get("channel") and not (standing.name or standing.session):
        raise RelayError("usage", "A channel must know whose mail it announces.", "Add --as NAME.")
    source, sink = _set_aside()
    _require_sdk()
    desk = Desk(find_home(environ), call.room or environ.get("RELAY_ROOM") or None, standing, injected)
    _run(desk, source, sink, channel=bool(call.values.get("channel")))
    return 0


def _run(desk: Desk, source: int, sink: int, *, channel: bool) -> None:
    import gc
    import signal

    from relay_tui.agents.mcp.stdio import run_server
    from relay_tui.base.children import end_children, end_children_on_signals

    gc.enable()  # off for commands, which end before there is anything to collect
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing is lost: a transaction is whole or not there
    end_children_on_signals()
    try:
        run_server(desk, source, sink, channel=channel)
    finally:
        end_children()


def _require_sdk() -> None:
    from importlib.util import find_spec

    if find_spec(SDK) is None:
        raise RelayError(
            "usage", "relay mcp needs the MCP SDK, which is not installed.", "Run: pip install 'relay-tui[mcp]'"
        )


def _set_aside() -> tuple[int, int]:
    """The client's two ends on descriptors of their own, which no child inherits.

    They are not put back: what stands in a buffer of Python's or of a C library's comes out at the very end.
    """
    import fcntl

    source, sink = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 3) for end in (0, 1))
    _divert(0, os.open(os.devnull, os.O_RDONLY))
    _divert(1, _standard_error())
    return source, sink


def _divert(end: int, target: int) -> None:
    os.dup2(target, end)
    os.close(target)


def _standard_error() -> int:
    try:
        return os.dup(2)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY)
