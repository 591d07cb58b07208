"""The door that clients' hooks come through: `relay hook EVENT`, a client's JSON in, an answer out (DESIGN §9).

A client goes on where its hook fails, and an exit code of 2 would stop it, so a fault answers nothing at
all: it is noted in the home, and `relay doctor` and the Attention screen show it until the same line works there.
"""

from __future__ import annotations

import os
import sys
from select import select
from time import monotonic

from relay_tui.actions.call import parse
from relay_tui.actions.perform import open_room
from relay_tui.agents.hook_call import read_call
from relay_tui.agents.hooks import EVENTS, NOTHING, Answer, visit_of
from relay_tui.base.errors import RelayError, internal_fault
from relay_tui.base.places import find_home
from relay_tui.base.times import system_clock
from relay_tui.room.mishaps import Mishap, forget_mishaps, note_mishap
from relay_tui.room.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

INPUT_BYTES = 16 << 20
_CHUNK = 1 << 16
# Seconds to wait for other writers, and for the client to end what it says; it waits for its hook.
DEADLINE = 3.0
INPUT_SECONDS = 3.0


def answer_hook(
    argv: Sequence[str], environ: Mapping[str, str], tell: Callable[[Answer], None], **injected: Callable[..., Any]
) -> int:
    """Answer `relay hook …` through `tell`; never raises. Returns the exit code.

    `injected` is the room's clock and its source of ids.
    """
    where, folder = " ".join(argv), _folder()
    try:
        home = find_home(environ)
    except RelayError:
        return 0  # there is no home in which it could be noted
    try:
        answer = _answer(argv, environ, home, folder, **injected)
        tell(answer)
        forget_mishaps(home, where, folder)
        return answer.exit_code
    except RelayError as fault:
        told = fault
    except Exception as fault:  # noqa: BLE001 - the door: a client must not stop because relay failed
        told = internal_fault(fault)
    note_mishap(home, Mishap(system_clock(), where, folder, told.in_a_line))
    return 0


def _folder() -> str:
    """Where the hook stands; "" where that folder is gone, as what its client says may still do."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def _answer(
    argv: Sequence[str], environ: Mapping[str, str], home: str, folder: str, **injected: Callable[..., Any]
) -> Answer:
    asked = parse(argv)
    if asked is None:
        raise RelayError("usage", "The hook's line was not understood.", "Run: relay setup")
    call = read_call(_input(), str(asked.values["client"]), environ, folder)
    store = Store(home, deadline=DEADLINE)
    try:
        room = open_room(store, call.folder, asked.room or environ.get("RELAY_ROOM") or None, **injected)
        if not room.exists and room.place is None:
            return NOTHING  # outside a repository there is a room only where somebody made one
        visit = visit_of(room, call, environ, advise=bool(asked.values.get("advise")))
        return EVENTS[str(asked.values["event"])](visit)
    finally:
        store.close()


def _input() -> str:
    """The client's JSON. Raises `too_large`; bytes that are not UTF-8 are replaced, as they are text to show."""
    content = _read_all(sys.stdin.fileno()) if sys.stdin else b""
    if len(content) > INPUT_BYTES:
        raise RelayError("too_large", "The hook's input has more than 16 MiB.", "")
    return content.decode("utf-8", "replace")


def _read_all(file: int) -> bytes:
    """What came before the end, or in time: a client that holds its end open may have said all it has to say.

    Raises `timeout` where nothing came.
    """
    until = monotonic() + INPUT_SECONDS
    content = bytearray()
    while len(content) <= INPUT_BYTES:
        if not select([file], [], [], max(0.0, until - monotonic()))[0]:
            if content:
                break
            raise RelayError("timeout", f"Nothing came on standard input in {INPUT_SECONDS:g} s.", "")
        if not (said := os.read(file, _CHUNK)):
            break
        content += said
    return bytes(content)
