"""Performing a call: the same few lines for every door.

A door opens the room and knows who acts; here the action's function is found and given both, with the
call's values. Text that stands for standard input is put in by the door before.
"""

from __future__ import annotations

from relay_tui.actions.signature import find_function, read_signature
from relay_tui.actions.table import ACTIONS
from relay_tui.base.errors import RelayError
from relay_tui.base.text import is_unicode
from relay_tui.room.permissions import nobody_acts, require_allowed
from relay_tui.room.presence import note_reader
from relay_tui.room.rooms import Room, find_room, find_room_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from relay_tui.actions.call import Call
    from relay_tui.actions.signature import Parameter
    from relay_tui.room.ledger import Actor
    from relay_tui.room.store import Store


# Paths: a file system may have names that are not UTF-8, and those who read these say so themselves, and how long.
_PATHS = ("attach", "paths", "resources")
# Paths that are opened as they are said.
_FILES = ("archive", "file", "out", "worktree")
# Texts with bounds of their own: what messages say, and SQL.
_LONG = ("message", "question", "sql")
TEXT_BYTES = 4096  # of any other: lists and screens show them in a line


def open_room(store: Store, folder: str, wanted: str | None, **injected: Callable[..., Any]) -> Room:
    """The room of a folder, or the one named; a room that is not there yet is made by its first write."""
    row = None
    check_text("room", wanted or "")
    if store.exists:
        with store.reading() as db:
            row = find_room_named(db, wanted) if wanted is not None else find_room(db, folder)
    elif wanted is not None:
        raise RelayError("unknown_room", f"There is no room '{wanted}'.", "Run: relay init")
    return Room(store, row, folder, **injected)


def perform(call: Call, room: Room, me: Actor | None) -> Any:
    """The result of a call. Raises whatever the action raises, `usage` where somebody must act, and
    `reserved_name` where an agent's door brings a person's name."""
    action = ACTIONS[call.action]
    signature = read_signature(action)
    needs_me = signature.needs_me
    if needs_me and me is None:
        raise nobody_acts(call.action, room.operator)
    if me is not None:
        require_allowed(me, call.action, room.operator)
    for one in signature.parameters:
        _check_texts(one, call.values.get(one.name))
    given: dict[str, Any] = dict(call.values)
    if needs_me is not None:
        given["me"] = me
    result = find_function(action)(room, **given)
    is_stream = hasattr(result, "__next__")  # a watcher on an agent's behalf is no sign of it
    if me is not None and not me.unattended and room.exists and not call.dry_run and not is_stream:
        _leave_sign(call.action, room, me)
    return result


def _leave_sign(action: str, room: Room, me: Actor) -> None:
    """Who acted is alive. What was written is told as done whatever becomes of the sign, or it would be done again;
    what tells how the database is damaged need not be able to note that in it."""
    try:
        note_reader(room, me.name, me.via)
    except RelayError as fault:
        if not ACTIONS[action].writes and (action != "doctor" or fault.code != "corrupt"):
            raise


def check_text(name: str, text: str | None) -> None:
    """Raises `invalid` for what is not UTF-8, which neither the ledger nor JSON has a place for, and `too_large`."""
    if text is not None and not is_unicode(text):
        raise RelayError("invalid", f"The {name} is not valid UTF-8.", "Convert it.")
    _check_size(f"The {name}", text or "")


def _check_texts(parameter: Parameter, value: object) -> None:
    """Raises `invalid` for what neither the ledger nor, of a file that is opened, the system has a place for, and
    `too_large`."""
    name, is_file = parameter.name, parameter.name in _FILES
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and is_file and "\0" in text:
            raise RelayError("invalid", f"{_named(parameter)} has a character that no path has (NUL).", "Check it.")
        if isinstance(text, str) and name not in _PATHS and not is_unicode(text):
            way_out = "Rename the file." if is_file else "Convert it."
            raise RelayError("invalid", f"{_named(parameter)} is not valid UTF-8.", way_out)
        if isinstance(text, str) and name not in (*_LONG, *_PATHS):
            _check_size(_named(parameter), text)


def _check_size(what: str, text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass")) if len(text) > TEXT_BYTES // 4 else 0
    if size > TEXT_BYTES:
        told = f"{what} has {size:,} bytes; it may have at most {TEXT_BYTES:,}."
        raise RelayError("too_large", told, "Put what is longer into a message, or into a file.")


def _named(parameter: Parameter) -> str:
    """A word or an option as one sees it in the line."""
    if parameter.is_word:
        return f"The {parameter.name.rstrip('_')}"
    return f"The {'path' if parameter.name in _FILES else 'text'} after {parameter.option}"
