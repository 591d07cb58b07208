"""A repository that was moved: its room is found no more from there, and every door says which one it may be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.actions.acting import act, refused
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House

LINE = "relay init --room repo"


@pytest.fixture
def moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    house = House(str(tmp_path))
    act(house.room, "a", "join")
    act(house.room, "a", "branch claim main")
    os.rename(house.repository, f"{house.folder}/there")
    return house


def test_from_its_new_place_and_from_its_room_the_line_that_joins_them_is_told(moved: House) -> None:
    here = moved.enter(f"{moved.folder}/there")
    fault = refused(here, "a", "agents")
    assert (fault.code, fault.message) == ("unknown_room", f"There is no room for {here.folder} yet.")
    assert fault.hint.startswith("For a new one, run: relay init. The folder of room repo is gone")
    assert fault.hint.endswith(LINE)
    fault = refused(moved.enter(moved.folder, "repo"), None, "branches")
    told = f"The repository of room repo is not there any more ({moved.repository}/.git)."
    assert (fault.code, fault.message) == ("no_file", told)
    assert fault.hint.endswith(LINE)


def test_a_first_write_that_makes_another_room_says_so_and_the_line_still_mends_it(moved: House) -> None:
    here = moved.enter(f"{moved.folder}/there")
    heard: list[str] = []
    here.tell = heard.append
    act(here, "b", "join")
    assert heard == [f"The folder of room repo is gone ({moved.repository}): if it was moved here, run: {LINE}"]
    act(here, "operator", "init --room repo")
    (row,) = act(moved.enter(f"{moved.folder}/there"), None, "branches --flag clear").branches
    assert (row.branch, row.claim.holder) == ("main", "a")
    act(moved.enter(f"{moved.folder}/there"), "c", "join")
    assert len(heard) == 1
