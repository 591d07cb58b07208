"""Names of branches from agents and plans: what git refuses comes in by no door, and out in no line to copy."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from relay_tui.roadmap.attributes import read_title
from relay_tui.room.attention import branch_items
from relay_tui.room.settling import Seat
from tests.actions.acting import act, refused
from tests.repo.git_fixture import REAL_GIT, commit, git, isolate_git
from tests.room_fixture import House

SEAT = Seat("repo", {"repo": "operator"})
HOSTILE = ("-D", "--force", "-M", "--output=x", "HEAD", "x..y", "x.lock", "a b", "a\x1bb", "é" * 126, ".x", "x/")


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    made = House(str(tmp_path))
    commit(made.repository, "more", {"a.txt": "a\n"})
    made.join("a")
    act(made.room, "a", "work add --title x")
    return made


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize(
    "line", ["join", "status working", "work add --title y", "work set W1"], ids=["join", "status", "add", "set"]
)
def test_no_door_takes_what_git_refuses(house: House, line: str, name: str) -> None:
    assert subprocess.run([REAL_GIT, "-C", house.repository, "branch", "--", name], capture_output=True).returncode
    before = house.events()
    fault = refused(house.room, "a", line, f"--branch={name}")
    assert (fault.code, fault.message) == (
        "invalid", refused(house.room, "a", "branch claim --new", "--", name).message,
    )  # fmt: skip
    assert house.events() == before


@pytest.mark.parametrize("line", ["join", "status working", "work add --title y", "work set W1"])
def test_every_door_takes_what_git_takes(house: House, line: str) -> None:
    for name in ("x", "feat/ünï", "refs/heads/x", "a-D", "é" * 125):
        act(house.room, "a", line, f"--branch={name}")


@pytest.mark.parametrize("name", ["-D", "--force", "-M", "HEAD", "x..y"])
def test_a_plans_branch_that_git_refuses_stays_text_with_a_warning(name: str) -> None:
    head = read_title(f"Clear up branch:{name}", 3, boxed=True)
    assert (head.title, head.branch) == (f"Clear up branch:{name}", None)
    (warning,) = head.warnings
    assert f"'branch:{name}' is no name that git takes" in str(warning)
    assert read_title("Clear up branch:x", 3, boxed=True).branch == "x"


def test_only_who_can_use_new_is_told_of_it(house: House) -> None:
    assert refused(house.room, "a", "branch claim mian").hint == (
        "Did you mean main? With --new it can be claimed before it is there."
    )
    assert refused(house.room, "a", "branch show mian").hint == "Did you mean main?"
    assert refused(house.room, "a", "claim branch:mian").hint == (
        "Did you mean main? Before it is there: relay branch claim mian --new --as a"
    )
    assert "@ and HEAD" in refused(house.room, "a", "branch claim @").hint


def test_new_is_refused_what_git_could_never_make(house: House) -> None:
    git(house.repository, "branch", "feat")
    git(house.repository, "branch", "fix/deep/er")
    for name in ("feat/x", "fix", "fix/deep", "main/y"):
        fault = refused(house.room, "a", f"branch claim {name} --new")
        assert fault.code == "invalid" and f"Git cannot have '{name}' beside" in fault.message
    assert act(house.room, "a", "branch claim feat2 --new").claimed


def test_a_missing_branch_is_settled_with_whoever_speaks_of_it(house: House) -> None:
    act(house.room, "a", "work set W1 --branch gone")
    settling = [item.command for item in branch_items(act(house.room, None, "branches").branches, SEAT)]
    assert settling == [["relay", "work", "set", "W1", "--unset", "branch", "--as", "operator"]]
    act(house.room, "a", "status working --branch gone")
    ((program, action, *rest),) = [
        item.command for item in branch_items(act(house.room, None, "branches").branches, SEAT)
    ]
    assert (program, action, rest[:2]) == ("relay", "send", ["--to", "a"])
