"""Nothing that is said on a line is silently dropped: it is heeded or refused (DESIGN §3.3)."""

from __future__ import annotations

import pytest

from tests.actions.acting import act, refused
from tests.repo.git_fixture import commit
from tests.room_fixture import House


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    house = House(str(tmp_path_factory.mktemp("options")))
    commit(house.repository, "first", {"src/a.py": "a\n"})
    house.join("a")
    return house


@pytest.mark.parametrize(("take", "line"), [
    ("claim src", "release src --reason merged"), ("claim src", "release --all --reason merged"),
    ("branch claim main", "branch release main --reason merged"),
])  # fmt: skip
def test_a_reason_to_release_what_one_holds_is_recorded(house: House, take: str, line: str) -> None:
    act(house.room, "a", take)
    act(house.room, "a", line)
    assert house.events("claim.released")[-1].data["reason"] == "merged"


@pytest.mark.parametrize("line", [
    "retire --stale --relinquish", "retire --stale --reason merged", "log --follow --limit 5", "work tree --depth 0",
])  # fmt: skip
def test_what_a_line_cannot_heed_is_refused(house: House, line: str) -> None:
    assert refused(house.room, "operator", line).code == "usage"
