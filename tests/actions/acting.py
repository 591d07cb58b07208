"""Lines performed in a room as the command line performs them, without a process for each."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from relay_tui.actions.call import parse
from relay_tui.actions.perform import perform
from relay_tui.base.errors import RelayError
from relay_tui.room.ledger import Actor
from relay_tui.room.rooms import Room


def act(room: Room, name: str | None, line: str, *more: str) -> Any:
    """The result of a `relay` line (without the program's name), said by `name`; `more` are whole words."""
    call = parse([*shlex.split(line), *more])
    assert call is not None, line
    return perform(call, room, Actor(name) if name else None)


def refused(room: Room, name: str | None, line: str, *more: str) -> RelayError:
    """The error that a line must end in."""
    with pytest.raises(RelayError) as raised:
        act(room, name, line, *more)
    return raised.value
