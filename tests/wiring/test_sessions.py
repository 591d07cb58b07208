"""Sessions that run on this machine: real processes, and Claude Code's files as it writes them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from relay_tui.actions.discovery import has_joined
from relay_tui.base.processes import identify
from relay_tui.base.times import system_clock
from relay_tui.cli.texts.registry import agents
from relay_tui.room.joined import Joined
from relay_tui.wiring.sessions import Seen, find_sessions
from tests.actions.acting import act
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House

Start = Callable[[str], int]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    return House(str(tmp_path))


@pytest.fixture
def start(house: House) -> Iterator[Start]:
    """Starts a real process of some name in the repository; answers its pid."""
    started = []
    sleep = shutil.which("sleep")
    assert sleep is not None

    def begin(name: str) -> int:
        program = os.path.join(house.folder, name)
        shutil.copy(sleep, program)
        started.append(subprocess.Popen([program, "60"], cwd=house.repository))
        return started[-1].pid

    yield begin
    for process in started:
        process.kill()
        process.wait()


def note(house: House, process: int, **said: Any) -> None:
    """The file that Claude Code keeps for a session."""
    folder = Path(house.folder, "person", ".claude", "sessions")
    folder.mkdir(parents=True, exist_ok=True)
    running = identify(process)
    facts = {
        "pid": process, "sessionId": "7c1f", "cwd": house.repository,
        "procStart": str(running.start) if running else "1", "status": "idle", "peerProtocol": 1, "name": "shop",
    }  # fmt: skip
    (folder / f"{process}.json").write_text(json.dumps({**facts, **said}), encoding="utf-8")


def seen_here(house: House) -> list[Seen]:
    """What is seen, without what else runs on this machine."""
    person = os.path.join(house.folder, "person")
    return [one for one in find_sessions(person) if one.folder and one.folder.startswith(house.folder)]


def test_a_session_of_claude_is_seen_with_its_folder_branch_and_age(house: House, start: Start) -> None:
    pid = start("client")
    note(house, pid)
    since = int(psutil.Process(pid).create_time() * 1_000_000)
    assert seen_here(house) == [Seen("claude", "7c1f", pid, house.repository, "main", since)]


@pytest.mark.parametrize("said", [
    {"pid": 1}, {"sessionId": None}, {"procStart": "12"}, {"cwd": 7}, {"sessionId": ["x"]}, {"pid": "7"},
])  # fmt: skip
def test_a_file_of_another_shape_or_another_process_is_passed_over(
    house: House, start: Start, said: dict[str, Any]
) -> None:
    note(house, start("client"), **said)
    assert seen_here(house) == []


def test_what_is_no_session_file_is_passed_over(house: House, start: Start) -> None:
    pid = start("client")
    note(house, pid)
    folder = Path(house.folder, "person", ".claude", "sessions")
    (folder / "notes.json").write_text("{}", encoding="utf-8")
    (folder / "12.txt").write_text("{}", encoding="utf-8")
    (folder / f"{pid + 1}.json").write_text("half a li", encoding="utf-8")
    (folder / f"{pid + 2}.json").write_text("[]", encoding="utf-8")
    assert [one.pid for one in seen_here(house)] == [pid]


def test_a_session_whose_process_has_ended_is_not_seen(house: House) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    note(house, ended.pid)
    assert seen_here(house) == []


def test_a_running_codex_is_seen(house: House, start: Start) -> None:
    pid = start("codex")
    assert [(one.client, one.session, one.pid, one.branch) for one in seen_here(house)] == [
        ("codex", None, pid, "main")
    ]


def test_who_has_joined_is_not_seen(house: House, start: Start) -> None:
    claude, codex = start("client"), start("codex")
    note(house, claude)
    house.join("somebody")

    shown = list(agents(act(house.enter(house.repository), None, "agents --discover"), system_clock()))
    assert any("Seen on this machine, not joined" in line for line in shown)
    assert [[*line.split()[:3], *line.split()[4:]] for line in shown if house.repository in line] == [
        ["claude", "pid", str(claude), "main", house.repository],
        ["codex", "pid", str(codex), "main", house.repository],
    ]

    def seen() -> set[int]:
        found = act(house.enter(house.repository), None, "agents --discover").seen
        return {one.pid for one in found if one.folder == house.repository}

    assert seen() == {claude, codex}
    house.join("a", session="7c1f", runner="claude", via="hook")
    assert seen() == {codex}
    house.join("b", runner="codex", worktree=house.repository)
    assert seen() == set()
    act(house.room, "b", "leave")
    assert seen() == {codex}
    house.join("c", pid=codex)
    assert seen() == set()


def test_an_agent_that_named_no_worktree_is_not_the_one_that_runs_outside_of_any() -> None:
    seen = Seen("codex", None, 1, None, None, 0)
    assert not has_joined(seen, [Joined("codex", None, None, None)])


def test_seen_is_no_part_of_the_list_unless_asked_for(house: House) -> None:
    assert Seen._fields == ("client", "session", "pid", "folder", "branch", "since"), "the contract's members"
    house.join("a")
    assert "seen" not in act(house.room, None, "agents")._fields
    found = act(house.room, None, "agents --discover")
    assert "a" in [one.agent for one in found.agents]
    assert list(agents(found._replace(seen=[]), system_clock()))[-1].startswith("No session of a client was seen")
