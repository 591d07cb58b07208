"""Many processes that do nothing but write, beside one that does; the gauntlet has the storms of all that agents do."""

from __future__ import annotations

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
    """One writer, many, one, many …, each for a while, in one room; nothing may be lost of it."""
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

    pairs = [(play(names[:1], size.seconds / 5), play(names, size.seconds / 2)) for _ in range(ROUNDS)]
    storm.check(answers)
    alone, many = ([pair[place] for pair in pairs] for place in (0, 1))
    speeds = [statistics.median(one.a_second for one in storms) for storms in (many, alone)]
    ratio = statistics.median(after.a_second / before.a_second for before, after in pairs)
    name = f"sends a second of {size.writers} writers / of one"
    yield Ratio(name, *speeds, ratio, ratio, 0.6, speeds[0], "sends/s", at_least=True)
    waits = [wait for one in many for wait in one.waits]
    mean = statistics.fmean(waits)
    yield once(f"longest wait of {size.writers} writers / mean queue time", max(waits), mean, 3, "ms")
    yield once(f"99 of 100 waits of {size.writers} writers / mean queue time", at(waits, 0.99), mean, None, "ms")
    turns = max(one.turns for one in many)
    yield once(f"most sends of others between two of one writer / {size.writers}", turns, size.writers, None, "sends")


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
