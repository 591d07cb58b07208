"""How far the machine may be used before a gate closes: the bounds, and how relay.toml writes them."""

from __future__ import annotations

from relay_tui.base.errors import RelayError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NamedTuple
else:
    from relay_tui.base.record import NamedTuple

GIB = 2**30
_HOW = 'A load is a number such as 4; a size is "8GiB".'
_UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": GIB, "TiB": 2**40}


class Bounds(NamedTuple):
    """Swap in use and free disk in bytes, load a core as the system's one-minute average (DESIGN §6.3)."""

    max_swap: float = 8 * GIB
    max_load_per_cpu: float = 4.0
    min_free_disk: float = 10 * GIB


def strictest(several: Iterable[Bounds]) -> Bounds:
    """The bounds that satisfy all of them."""
    bounds = list(several)
    return Bounds(
        min(one.max_swap for one in bounds),
        min(one.max_load_per_cpu for one in bounds),
        max(one.min_free_disk for one in bounds),
    )


def read_gates(path: str, table: dict[str, Any]) -> tuple[tuple[str, Bounds], ...]:
    """`[gate]` and `[gate."native"]`: the general bounds under the empty name, then those by resource.

    Raises `invalid` for a key that is no bound and a value that is no size.
    """
    general = _bounds(
        path, "gate", {key: value for key, value in table.items() if not isinstance(value, dict)}, Bounds()
    )
    own = [
        (name, _bounds(path, f'gate."{name}"', value, general))
        for name, value in table.items()
        if isinstance(value, dict)
    ]
    return (("", general), *own)


def _bounds(path: str, where: str, said: dict[str, Any], otherwise: Bounds) -> Bounds:
    wrong = sorted(set(said) - set(Bounds._fields))
    if wrong:
        raise RelayError("invalid", f"{path}: [{where}] has no bound {wrong[0]}.", f"Use {', '.join(Bounds._fields)}.")
    return otherwise._replace(**{key: _number(path, where, key, value) for key, value in said.items()})


def _number(path: str, where: str, key: str, value: object) -> float:
    """Bytes from `"8GiB"`, or a plain number."""
    text = str(value).strip()
    units = () if key == "max_load_per_cpu" else _UNITS
    unit = next((unit for unit in units if text.endswith(unit)), "")
    try:
        number = float(text.removesuffix(unit)) * _UNITS.get(unit, 1)
    except ValueError:
        number = -1.0
    if isinstance(value, bool) or not 0 <= number < float("inf"):
        raise RelayError("invalid", f"{path}: {where}.{key} = {value!r} is not a bound.", _HOW)
    return number
