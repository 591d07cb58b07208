"""`python -m tests.bench [--quick] [--json]`: relay's figures as ratios to their floors, in one run."""

from __future__ import annotations

import json
import sys
import tempfile
from itertools import chain
from pathlib import Path

from tests.bench import branches, in_process, roadmap, screen, whole_process
from tests.bench.stage import BenchStage, describe_machine


def main(arguments: list[str]) -> None:
    quick = "--quick" in arguments
    rounds = 5 if quick else 40
    messages = in_process.QUICK if quick else in_process.MESSAGES
    found = []
    with tempfile.TemporaryDirectory(prefix="relay-bench-") as folder:
        stage = BenchStage(Path(folder))
        for ratio in chain(
            whole_process.measure(stage, rounds),
            screen.measure(stage, rounds),
            branches.measure(stage, rounds, few=quick),
            roadmap.measure(stage, rounds),
            in_process.measure(Path(folder), stage.repository, messages, rounds),
        ):
            found.append(ratio)
            if "--json" not in arguments:
                print(ratio.line(), flush=True)
    if "--json" in arguments:
        print(json.dumps({"machine": describe_machine(), "ratios": [ratio._asdict() for ratio in found]}, indent=2))
    else:
        print(f"medians of {rounds} rounds taken in turn; {describe_machine()}")


if __name__ == "__main__":
    main(sys.argv[1:])
