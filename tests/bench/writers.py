"""Many processes that do nothing but write, beside one that does; the gauntlet has the storms of all that agents do."""

from __future__ import annotations

import os
import statistics
from typing import TYPE_CHECKING, NamedTuple

from tests.bench.timing import Ratio, at, once
from tests.gauntlet.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from relay_tui.room.rooms import Room
    from tests.bench.stage import BenchStage, Size
    from tests.gauntlet.figures import Answer

ROUNDS = 3


class Storm(NamedTuple):
    """`waits` are the milliseconds from asking for a send to its answer, the queue in front of it included; `turns`
    is the most sends of others between two of one writer, who may not have asked all the time."""

    a_second: float
    waits: list[float]
    turns: int


def measure(stage: BenchStage, size: Size) -> Iterator[Ratio]:
    """One writer, many, one, many …, each for a while, in one room; nothing may be lost of it. In between the same
    of bare rows behind a bare lock: what so many processes cost on this machine whoever they are."""
    folder = stage.folder / "storm"
    folder.mkdir()
    storm = Stage(str(folder))
    names = storm.enter([f"w-{number}" for number in range(size.writers)])
    answers: list[Answer] = []

    def play(writers: Sequence[str], seconds: float) -> Storm:
        answered = storm.play([storm.worker("send_for", name, "operator", seconds) for name in writers])[1]
        senders = _senders(storm.room())[len(answers) :]
        answers.extend(answered)
        return Storm(len(answered) / seconds, [one.took / 1000 for one in answered], _most_turns(senders))

    def play_rows(writers: int, seconds: float) -> float:
        return len(storm.play([storm.worker("rows_for", seconds) for _ in range(writers)])[1]) / seconds

    def play_pair(writers: int, seconds: float) -> tuple[Storm, float]:
        return play(names[:writers], seconds), play_rows(writers, seconds / 4)

    rounds = [(play_pair(1, size.seconds / 5), play_pair(size.writers, size.seconds / 2)) for _ in range(ROUNDS)]
    storm.check(answers)
    alone, many = ([one[place][0] for one in rounds] for place in (0, 1))
    speeds, speeds_alone = ([one.a_second for one in storms] for storms in (many, alone))
    yield _share(f"sends a second of {size.writers} writers / of one", speeds, speeds_alone, 0.6)
    loops = storm.play([storm.worker("loops_for", size.seconds / 2) for _ in range(os.cpu_count() or 1)])[1]
    bare_alone, bare_many = ([one[place][1] for one in rounds] for place in (0, 1))
    yield _share("the same of bare rows behind a bare lock", bare_many, bare_alone, None)
    yield _waits(f"longest wait of {size.writers} writers / mean queue time", many, 1.0, 3)
    yield _stalls(loops, [wait for one in many for wait in one.waits])
    yield _waits(f"99 of 100 waits of {size.writers} writers / mean queue time", many, 0.99, None)
    turns = max(one.turns for one in many)
    yield once(f"most sends of others between two of one writer / {size.writers}", turns, size.writers, None, "sends")


def _share(name: str, many: Sequence[float], alone: Sequence[float], goal: float | None) -> Ratio:
    """Writes a second of many beside those of one; the tails are the slower ones."""
    shares = [ours / one for ours, one in zip(many, alone, strict=True)]
    middle = statistics.median(many)
    return Ratio(
        name, middle, statistics.median(alone), statistics.median(shares), min(shares), goal, min(many), "sends/s",
        at_least=True,
    )  # fmt: skip


def _waits(name: str, storms: Sequence[Storm], share: float, goal: float | None) -> Ratio:
    """The wait that so many of a hundred do not exceed beside its storm's mean; the tails are the worst storm's."""
    waits, means = ([at(one.waits, share) for one in storms], [statistics.fmean(one.waits) for one in storms])
    ratios = [wait / mean for wait, mean in zip(waits, means, strict=True)]
    middle = statistics.median(waits)
    return Ratio(name, middle, statistics.median(means), statistics.median(ratios), max(ratios), goal, max(waits))


def _stalls(loops: Sequence[Answer], waits: Sequence[float]) -> Ratio:
    """The longest time for what takes the mean of `waits` otherwise, of processes that only compute, one a core."""
    took = [one.took / 1000 for one in loops]
    many = max(1, round(statistics.fmean(waits) / statistics.fmean(took)))
    stretches = [sum(took[first : first + many]) for first in range(len(took) - many + 1)]
    return once(
        "the same of computing alone, in stretches as long", max(stretches), statistics.fmean(stretches), None, "ms"
    )


def _senders(room: Room) -> list[str]:
    """Who sent, in the order of the ledger."""
    with room.reading() as db:
        return [sender for (sender,) in db.execute("SELECT sender FROM messages ORDER BY seq")]


def _most_turns(senders: Sequence[str]) -> int:
    last: dict[str, int] = {}
    most = 0
    for place, sender in enumerate(senders):
        most = max(most, place - last.get(sender, place))
        last[sender] = place
    return most
