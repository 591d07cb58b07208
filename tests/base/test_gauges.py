from __future__ import annotations

import pytest

from relay_tui.base.bounds import GIB, Bounds, read_gates, strictest
from relay_tui.base.gauges import Measure, Readings, describe_measure, judge, read_gauges

BOUNDS = Bounds(max_swap=8 * GIB, max_load_per_cpu=4, min_free_disk=10 * GIB)


def verdicts(swap: float | None, load: float | None, disk: float | None) -> list[bool | None]:
    return [one.ok for one in judge(Readings(swap, load, disk), BOUNDS)]


def test_a_value_at_its_bound_passes_and_one_past_it_does_not() -> None:
    assert verdicts(8 * GIB, 4, 10 * GIB) == [True, True, True]
    assert verdicts(8 * GIB + 1, 4.001, 10 * GIB - 1) == [False, False, False]
    assert verdicts(0, 0, 10**18) == [True, True, True]


def test_what_is_not_known_is_neither_right_nor_wrong() -> None:
    assert verdicts(None, None, None) == [None, None, None]


def test_a_disk_that_is_not_there_is_not_known() -> None:
    readings = read_gauges("/nowhere/at/all")
    assert readings.free_disk is None
    assert readings.load_per_cpu is not None


def test_a_measure_is_told_beside_its_bound() -> None:
    assert describe_measure(Measure("swap", 9.1 * GIB, 8 * GIB, "bytes", False)) == "swap 9.1 GiB, bound 8 GiB"
    assert describe_measure(Measure("load_per_cpu", 4.5, 4, "load", False)) == "load per cpu 4.50, bound 4.00"
    assert describe_measure(Measure("swap", None, 8 * GIB, "bytes", None)) == "swap unknown, bound 8 GiB"


def test_the_strictest_bounds_satisfy_all() -> None:
    assert strictest([Bounds(1, 9, 5), Bounds(2, 3, 7)]) == Bounds(1, 3, 7)


@pytest.mark.parametrize(
    ("written", "bytes_"), [("8GiB", 8 * GIB), ("512MiB", GIB // 2), ("1.5 GiB", 1.5 * GIB), (7, 7), ("0", 0)]
)
def test_sizes_are_read_with_their_unit(written: object, bytes_: float) -> None:
    gates = dict(read_gates("relay.toml", {"max_swap": written, "native": {"max_load_per_cpu": 2}}))
    assert gates[""] == Bounds(max_swap=bytes_)
    assert gates["native"] == Bounds(max_swap=bytes_, max_load_per_cpu=2), "what it does not say, the general one says"
