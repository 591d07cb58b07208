"""Every part of the bench runs, with little of everything; what it measures here means nothing and is not looked at."""

from __future__ import annotations

import math
import os
import sys

import pytest

from tests.bench.__main__ import PARTS
from tests.bench.stage import QUICK, BenchStage
from tests.cli.conftest import PROJECT, START

PYTHON = f"""#!/bin/sh
PYTHONPATH='{PROJECT}' exec '{sys.executable}' "$@"
"""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> BenchStage:
    """With the programs of these tests in the place of an environment of its own."""
    folder = tmp_path_factory.mktemp("bench")
    for name, text in (("python", PYTHON), ("relay", f"#!{sys.executable}\n{START}")):
        with open(os.open(folder / name, os.O_CREAT | os.O_WRONLY, 0o755), "w", encoding="utf-8") as program:
            program.write(text)
    return BenchStage(folder, folder)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_runs(stage: BenchStage, part: str) -> None:
    ratios = list(PARTS[part][1](stage, QUICK))
    assert all(one.line() and math.isfinite(one.ratio) for one in ratios)
    assert ratios or part == "flushes"  # which are counted where strace is
