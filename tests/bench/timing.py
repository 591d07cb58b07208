"""Timing whole processes in turn, A B A B …, so that a drifting machine moves both alike."""

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
    """Medians in milliseconds, and the median of the rounds' own ratios beside its goal."""

    name: str
    ours_ms: float
    floor_ms: float
    ratio: float
    p90: float
    goal: float | None

    def line(self) -> str:
        goal = "" if self.goal is None else f"goal ≤ {self.goal:g}  {'met' if self.ratio <= self.goal else 'MISSED'}"
        return (
            f"{self.name:<46} {self.ours_ms:8.1f} ms / {self.floor_ms:7.1f} ms = {self.ratio:5.2f}"
            f"  (p90 {self.p90:5.2f})  {goal}"
        )


def compare(
    name: str, ours: Callable[[], float], floor: Callable[[], float], rounds: int, goal: float | None = None
) -> Ratio:
    """Take both in turn; each returns the seconds that it took. One round of each is not counted."""
    ours(), floor()
    pairs = [(ours(), floor()) for _ in range(rounds)]
    ratios = sorted(mine / theirs for mine, theirs in pairs)
    return Ratio(
        name, 1000 * statistics.median(mine for mine, _ in pairs),
        1000 * statistics.median(theirs for _, theirs in pairs),
        statistics.median(ratios), ratios[int(len(ratios) * 0.9)], goal,
    )  # fmt: skip


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
