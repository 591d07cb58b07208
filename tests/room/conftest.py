from __future__ import annotations

from pathlib import Path

import pytest

from relay_tui.room.ledger import Actor
from tests.repo.git_fixture import commit, make_repository
from tests.room_fixture import House


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A repository that tests only look at."""
    made = make_repository(str(tmp_path_factory.mktemp("shared") / "repo"))
    commit(made, "first", {"src/auth/login.py": "a\n", "README.md": "b\n"})
    return made


@pytest.fixture
def house(tmp_path: Path, repository: str) -> House:
    return House(str(tmp_path), repository=repository)


@pytest.fixture
def a(house: House) -> Actor:
    return house.join("a")


@pytest.fixture
def b(house: House, a: Actor) -> Actor:
    return house.join("b")
