"""Timing in turn, A B A B …, so that a drifting machine moves both alike; and the line that comes of it."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path


class Ratio(NamedTuple):
    """relay beside its floor. `ours` and `floor` are medians in `unit`, and `p99` is of ours; `ratio` is the median
    of the rounds' own ratios, `p90` is theirs, and `goal` is the most, or with `at_least` the least, it may be."""

    name: str
    ours: float
    floor: float
    ratio: float
    p90: float
    goal: float | None
    p99: float
    unit: str = "ms"
    at_least: bool = False

    @property
    def met(self) -> bool | None:
        if self.goal is None:
            return None
        return self.ratio >= self.goal if self.at_least else self.ratio <= self.goal

    def line(self) -> str:
        sign = "≥" if self.at_least else "≤"
        goal = "" if self.goal is None else f"goal {sign} {self.goal:g}  {'met' if self.met else 'MISSED'}"
        return (
            f"{self.name:<58} {number(self.ours):>9} / {number(self.floor):>7} {self.unit:<8} = {self.ratio:6.2f}"
            f"  (p90 {self.p90:6.2f}; p99 {number(self.p99)} {self.unit})  {goal}"
        )


def number(value: float) -> str:
    """Three digits at least, and no more than say something."""
    return (
        f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.3f}".rstrip("0").rstrip(".")
    )


def compare(
    name: str, ours: Callable[[], float], floor: Callable[[], float], rounds: int, goal: float | None = None
) -> Ratio:
    """Take both in turn; each returns the seconds that it took. One round of each is not counted."""
    ours(), floor()
    pairs = [(1000 * ours(), 1000 * floor()) for _ in range(rounds)]
    mine, theirs = zip(*pairs, strict=True)
    ratios = [one / other for one, other in pairs]
    return Ratio(
        name, statistics.median(mine), statistics.median(theirs), statistics.median(ratios), at(ratios, 0.9), goal,
        at(mine, 0.99),
    )  # fmt: skip


def within(name: str, took: Sequence[float], limit: float, share: float = 0.5) -> Ratio:
    """Seconds against a limit that no floor gives; `share` says which of them may not be longer, in the middle or
    of a hundred the ninety-ninth."""
    told = 1000 * at(took, share)
    return Ratio(name, told, 1000 * limit, at(took, share) / limit, at(took, 0.9) / limit, 1.0, 1000 * at(took, 0.99))


def once(name: str, ours: float, floor: float, goal: float | None, unit: str, *, at_least: bool = False) -> Ratio:
    """What is counted, or was taken one time."""
    return Ratio(name, ours, floor, ours / floor, ours / floor, goal, ours, unit, at_least)


def at(values: Sequence[float], share: float) -> float:
    """The value that so many of a hundred do not exceed; the middle one is the median."""
    if share == 0.5:
        return statistics.median(values)
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def timed(
    act: Callable[[], object], times: int = 1, clock: Callable[[], float] = time.perf_counter
) -> Callable[[], float]:
    """A way to do something so many times and get the seconds of one, by the wall or by another clock."""

    def run() -> float:
        began = clock()
        for _ in range(times):
            act()
        return (clock() - began) / times

    return run


def process(
    argv: Sequence[str], environ: Mapping[str, str], folder: str, stdin: Path | None = None
) -> Callable[[], float]:
    """A way to run one command and get its wall time from spawn to reap; raises if it fails."""

    def run() -> float:
        with open(stdin or os.devnull, "rb") as given:
            began = time.perf_counter()
            done = subprocess.run(argv, env=environ, cwd=folder, stdin=given, capture_output=True, check=False)
            took = time.perf_counter() - began
        if done.returncode:
            raise SystemExit(f"{' '.join(argv)} failed: {done.stderr.decode()}")
        return took

    return run


def clean_environment(home: str) -> dict[str, str]:
    """Nothing of the person's Python or relay settings, and a home of its own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "RELAY", "GIT_"))}
    return {**kept, "RELAY_HOME": home, "NO_COLOR": "", "COLUMNS": "120", "LINES": "40"}
