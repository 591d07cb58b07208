"""No command costs more in a room with a longer past: SQLite's steps are counted, which no machine changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.growth import ACTS, FLAT, count_all
from tests.repo.git_fixture import make_repository

FEW, MANY = 1_000, 20_000


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> dict[int, dict[str, int]]:
    folder = tmp_path_factory.mktemp("growth")
    return count_all(folder, Path(make_repository(str(folder / "repo"))), (FEW, MANY))


@pytest.mark.parametrize("act", ACTS)
def test_the_cost_of_an_act_does_not_grow_with_the_past(steps: dict[int, dict[str, int]], act: str) -> None:
    assert 0 < steps[MANY][act] <= FLAT * steps[FEW][act]
