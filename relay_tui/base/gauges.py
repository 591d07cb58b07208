"""The machine's load against its bounds: swap in use, load a core, free disk (DESIGN §6.3, gates).

Measuring is I/O; judging is pure. A value at its bound passes, and one that could not be measured never
refuses.
"""

from __future__ import annotations

import os

from relay_tui.base.bounds import GIB, Bounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple


class Measure(NamedTuple):
    """One value beside its bound; `ok` is None where the system did not say."""

    name: str
    value: float | None
    bound: float
    unit: str
    ok: bool | None


class Readings(NamedTuple):
    """What the system said; None where it did not."""

    swap: float | None
    load_per_cpu: float | None
    free_disk: float | None


def read_gauges(folder: str) -> Readings:
    """Ask the system now; `folder` says which disk."""
    return Readings(_swap(), _load(), _free(folder))


def judge(readings: Readings, bounds: Bounds) -> list[Measure]:
    """Each reading against its bound."""
    return [
        Measure("swap", readings.swap, bounds.max_swap, "bytes", _at_most(readings.swap, bounds.max_swap)),
        Measure(
            "load_per_cpu", readings.load_per_cpu, bounds.max_load_per_cpu, "load",
            _at_most(readings.load_per_cpu, bounds.max_load_per_cpu),
        ),
        Measure(
            "free_disk", readings.free_disk, bounds.min_free_disk, "bytes",
            _at_least(readings.free_disk, bounds.min_free_disk),
        ),
    ]  # fmt: skip


def describe_measure(one: Measure) -> str:
    """`swap 9.1 GiB, bound 8 GiB`."""
    return f"{one.name.replace('_', ' ')} {_written(one.value, one.unit)}, bound {_written(one.bound, one.unit)}"


def _written(value: float | None, unit: str) -> str:
    if value is None:
        return "unknown"
    return f"{value / GIB:.3g} GiB" if unit == "bytes" else f"{value:.2f}"


def _at_most(value: float | None, bound: float) -> bool | None:
    return None if value is None else value <= bound


def _at_least(value: float | None, bound: float) -> bool | None:
    return None if value is None else value >= bound


def _swap() -> float | None:
    import psutil

    try:
        return float(psutil.swap_memory().used)
    except (OSError, RuntimeError):
        return None


def _load() -> float | None:
    try:
        return os.getloadavg()[0] / (os.cpu_count() or 1)
    except OSError:
        return None


def _free(folder: str) -> float | None:
    try:
        disk = os.statvfs(folder)
    except OSError:
        return None
    return float(disk.f_bavail * disk.f_frsize)
