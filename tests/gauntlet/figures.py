"""What a scene comes to: how many writes a second, and how long the writers waited for them."""

from __future__ import annotations

import statistics
from typing import NamedTuple


class Answer(NamedTuple):
    """One line of a worker: what was done, its id or its words, and how long the answer took (microseconds)."""

    act: str
    what: str
    took: int


class Figures(NamedTuple):
    """`waits` are the seconds from asking for a write to its answer, the queue in front of it included."""

    scene: str
    sends: int
    seconds: float
    waits: list[float]
    more: str = ""

    def line(self) -> str:
        waits = sorted(self.waits)
        mean, longest = statistics.fmean(waits), waits[-1]
        told = (
            f"{self.scene}: {self.sends / self.seconds:,.0f} sends/s, {len(waits) / self.seconds:,.0f} writes/s,"
            f" p50 {_ms(_at(waits, 0.5))}, p99 {_ms(_at(waits, 0.99))}, longest wait {_ms(longest)},"
            f" mean queue time {_ms(mean)}, longest ÷ mean {longest / mean:.1f}"
        )
        return f"{told}; {self.more}" if self.more else told


def read_answers(text: str) -> list[Answer]:
    """The lines that a worker printed; what it was killed in the middle of is no answer."""
    whole = [line.split(" ") for line in text.split("\n")[:-1]]
    return [Answer(act, what, int(took)) for act, what, took in whole]


def figures_of(scene: str, seconds: float, answers: list[Answer], more: str = "") -> Figures:
    waits = [one.took / 1e6 for one in answers if one.act != "read"]
    return Figures(scene, sum(one.act == "sent" for one in answers), seconds, waits, more)


def _at(ordered: list[float], share: float) -> float:
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.1f} ms"
