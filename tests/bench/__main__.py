"""`python -m tests.bench [--quick] [--only PART …] [--json FILE]`: relay's figures beside their floors, in one run."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench import (
    branches,
    counting,
    growth,
    in_process,
    ledger,
    roadmap,
    screen,
    watching,
    whole_process,
    writers,
)
from tests.bench.stage import FULL, QUICK, BenchStage, describe_machine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.bench.stage import Size
    from tests.bench.timing import Ratio

PARTS: Mapping[str, tuple[str, Callable[[BenchStage, Size], Iterator[Ratio]]]] = {
    "commands": ("Whole commands", whole_process.measure),
    "flushes": ("Flushes of the disk", counting.measure),
    "room": ("In a room with a long past", in_process.measure),
    "growth": ("Growth", growth.measure),
    "ledger": ("The ledger", ledger.measure),
    "writers": ("Many writers", writers.measure),
    "watching": ("Waiting", watching.measure),
    "screen": ("The screen", screen.measure),
    "branches": ("Branches", branches.measure),
    "roadmap": ("The roadmap", roadmap.measure),
}


def main() -> None:
    told = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    told.add_argument("--quick", action="store_true", help="little of everything; no figure of it means anything")
    told.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    told.add_argument("--json", type=Path, metavar="FILE", help="the figures, for docs/performance.py")
    said = told.parse_args()
    size, began, parts = QUICK if said.quick else FULL, time.perf_counter(), []
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="relay-bench-") as folder:
        stage = BenchStage(Path(folder))
        for part in said.only:
            title, measure = PARTS[part]
            print(f"\n{title}", flush=True)
            found = []
            for ratio in measure(stage, size):
                found.append(ratio)
                print(ratio.line(), flush=True)
            parts.append({"part": part, "title": title, "ratios": [{**one._asdict(), "met": one.met} for one in found]})
    minutes = f"{(time.perf_counter() - began) / 60:.1f} minutes"
    load = f"load {before:.1f} when it began and {os.getloadavg()[0]:.1f} when it ended"
    machine = f"{describe_machine()}, {load}; {size.rounds} rounds in turn, {minutes}"
    print(f"\n{machine}")
    if said.json:
        document = {"machine": machine, "size": size._asdict(), "parts": parts}
        said.json.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
