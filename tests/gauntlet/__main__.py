"""`python -m tests.gauntlet [--quick] [--kill TIMES [--seed SEED]]`: many agents at once, with their figures.

Every scene is checked to the last message; what fails ends the run. `--kill` kills commands that write instead.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable
from functools import partial

from tests.bench.stage import describe_machine
from tests.gauntlet import scenes
from tests.gauntlet.crew import crew
from tests.gauntlet.figures import Figures
from tests.gauntlet.kills import kill_commands

Scene = Callable[[str], Figures]
FULL: tuple[Scene, ...] = (
    scenes.pipeline, scenes.send_and_ack, scenes.join_at_once, scenes.crowd, crew, scenes.mix,
)  # fmt: skip
QUICK: dict[str, Scene] = {
    "pipeline": partial(scenes.pipeline, agents=3, messages=2),
    "send_and_ack": partial(scenes.send_and_ack, processes=3, messages=6),
    "join_at_once": partial(scenes.join_at_once, threads=12),
    "crowd": partial(scenes.crowd, processes=2, sends=8, reads=16),
    "crew": partial(crew, servers=1, writers=1, seconds=0.5),
    "mix": partial(scenes.mix, processes=2, seconds=0.5),
}


def main() -> None:
    told = argparse.ArgumentParser(prog="python -m tests.gauntlet", description=__doc__)
    told.add_argument("--quick", action="store_true", help="every scene small")
    told.add_argument("--kill", type=int, metavar="TIMES", help="kill -9 commands that write so often")
    told.add_argument("--seed", type=int, help="the same moments again")
    said = told.parse_args()
    if said.kill:
        seed = random.randrange(10**6) if said.seed is None else said.seed
        with tempfile.TemporaryDirectory(prefix="relay-gauntlet-") as folder:
            killed = kill_commands(folder, said.kill, seed)
        print(
            f"{killed.kills} killed, {killed.written} of them had written; {killed.answered} answered; nothing lost"
            f" (seed {seed})"
        )
        return
    for scene in QUICK.values() if said.quick else FULL:
        with tempfile.TemporaryDirectory(prefix="relay-gauntlet-") as folder:
            print(scene(folder).line(), flush=True)
    print(describe_machine())


if __name__ == "__main__":
    main()
