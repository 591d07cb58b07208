"""The gauntlet as a test: every scene small, each checked to the last message; no time is asserted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from relay_tui.actions.table import ACTIONS
from tests.cli.conftest import PROJECT
from tests.gauntlet.__main__ import QUICK, Scene
from tests.gauntlet.killing import ELSEWHERE, TRIALS


@pytest.mark.parametrize("name", QUICK)
def test_many_at_once_lose_nothing(name: str, tmp_path: Path) -> None:
    scene: Scene = QUICK[name]
    assert scene(str(tmp_path)).waits


def test_commands_that_are_killed_leave_what_was_answered() -> None:
    """In a process of its own, since it forks."""
    words = [sys.executable, "-m", "tests.gauntlet", "--kill", "25"]
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("25 killed")


def test_every_command_that_writes_is_killed_or_named_with_a_reason() -> None:
    killed = {_command(trial.line) for trial in TRIALS}
    assert not killed & ELSEWHERE.keys()
    assert killed | ELSEWHERE.keys() == {action.name for action in ACTIONS.values() if action.writes}
    assert all(ELSEWHERE.values())


def _command(line: str) -> str:
    return max((name for name in ACTIONS if f"{line} ".startswith(f"{name} ")), key=len)
