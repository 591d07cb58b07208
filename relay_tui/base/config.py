"""relay.toml of the home: one loader, defaults in one place, unknown keys kept to be named (DESIGN §7).

Nothing is parsed where there is no file, so the hot path pays for it only when a person wrote one.
"""

from __future__ import annotations

import os

from relay_tui.base.bounds import Bounds, read_gates
from relay_tui.base.errors import RelayError
from relay_tui.base.times import DAY, HOUR, MINUTE, parse_age

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple
else:
    from relay_tui.base.record import NamedTuple

FILE = "relay.toml"

_AGES = frozenset(["live_window", "transport_window", "prune_after", "idle_after", "broadcast_expiry", "direct_expiry"])


class Settings(NamedTuple):
    """What a person may set, in microseconds where it is an age.

    `rooms` are those that the file has a table for, and `unknown` the keys that nobody reads.
    """

    live_window: int = 30 * MINUTE
    transport_window: int = 5 * MINUTE
    prune_after: int = 7 * DAY
    idle_after: int = 24 * HOUR
    broadcast_expiry: int = 7 * DAY
    direct_expiry: int = 30 * DAY
    theme: str = "relay-dark"
    keys: tuple[tuple[str, str], ...] = ()
    gates: tuple[tuple[str, Bounds], ...] = ()
    wake: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def bounds(self, *spellings: str) -> Bounds:
        """The gate of one resource, else the general one (the empty name), else the defaults."""
        gates = dict(self.gates)
        return next((gates[name] for name in (*spellings, "") if name in gates), Bounds())

    def wakes(self, agent: str) -> bool:
        """Whether a person allows this agent's idle session to be woken: by its name, or by `claude-*`."""
        return any(agent == one or (one.endswith("*") and agent.startswith(one[:-1])) for one in self.wake)


def read_settings(home: str, room: str | None = None) -> Settings:
    """The settings of a room: `[room."NAME"]` over the file's own, over the defaults.

    Raises `invalid` for what cannot be meant, `storage` for a file that cannot be read.
    """
    path = os.path.join(home, FILE)
    if not os.path.lexists(path):
        return Settings()
    document = _load(path)
    rooms = document.get("room")
    known: dict[str, Any] = {"rooms": tuple(rooms) if isinstance(rooms, dict) else ()}
    unknown = []
    for key, value in _merged(document, room).items():
        if key in _AGES:
            known[key] = _age(path, key, value)
        elif key == "theme":
            known[key] = str(value)
        elif key == "gate" and isinstance(value, dict):
            known["gates"] = read_gates(path, value)
        elif key == "wake" and isinstance(value, list) and all(isinstance(one, str) for one in value):
            known[key] = tuple(value)
        elif key == "keys" and isinstance(value, dict):
            known[key] = tuple((str(name), str(keys)) for name, keys in value.items())
        else:
            unknown.append(key)
    return Settings(**known, unknown=tuple(sorted(unknown)))


def _merged(document: dict[str, Any], room: str | None) -> dict[str, Any]:
    """The room's own table over the file; a value where a table belongs stays, to be named as unknown."""
    rooms = document.pop("room", {})
    if not isinstance(rooms, dict):
        return {**document, "room": rooms}
    own = rooms.get(room, {})
    return {**document, **own} if isinstance(own, dict) else {**document, f'room."{room}"': own}


def _age(path: str, key: str, value: object) -> int:
    try:
        return parse_age(str(value))
    except RelayError as fault:
        raise RelayError("invalid", f"{path}: {key} = {value!r} is not an age.", fault.hint) from None


def _load(path: str) -> dict[str, Any]:
    import tomllib

    from relay_tui.base.filesystem import open_plain

    try:
        with open_plain(path) as file:
            return tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise RelayError("invalid", f"{path} is not TOML: {fault}.", "Correct the line, or remove it.") from None
    except OSError as fault:
        hint = "Make it readable, or remove it."
        raise RelayError("storage", f"{path} cannot be read ({fault.strerror}).", hint) from None
