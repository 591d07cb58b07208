"""`relay demo`: what its play ends with, and that it touches nothing but a folder of its own, which goes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from relay_tui.actions.call import parse
from relay_tui.actions.demo import Scene
from tests.cli.conftest import PROJECT
from tests.repo.git_fixture import commit, git, make_repository, make_script


class Desk:
    """A person's machine in one folder: a home, a place for temporary files, and a repository of theirs."""

    def __init__(self, folder: Path) -> None:
        self.folder = os.path.realpath(folder)
        self.tmp, self.user = f"{self.folder}/tmp", f"{self.folder}/user"
        os.makedirs(self.tmp), os.makedirs(self.user)
        with open(f"{self.user}/.gitconfig", "w") as config:
            config.write("[commit]\n\tgpgSign = true\n[init]\n\tdefaultBranch = trunk\n")
        self.repository = make_repository(f"{self.folder}/mine")
        commit(self.repository, "first", {"a.txt": "a\n"})

    def start(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        """`relay demo` as typed in the person's repository, even from a git hook."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("RELAY", "GIT_", "XDG_"))}
        known = {
            "HOME": self.user, "TMPDIR": self.tmp, "PYTHONPATH": PROJECT, "PYTHONDONTWRITEBYTECODE": "1",
            "GIT_DIR": f"{self.repository}/.git", "RELAY_AGENT": "somebody",
        }  # fmt: skip
        return subprocess.Popen(
            [sys.executable, "-m", "relay_tui", "demo", *words],
            cwd=self.repository, env={**kept, **known, **environment}, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip

    def everything(self) -> dict[str, tuple[int, bytes | None]]:
        """Every path with its time of change and its bytes."""
        found: dict[str, tuple[int, bytes | None]] = {}
        for parent, folders, names in os.walk(self.folder):
            for path in (os.path.join(parent, name) for name in folders + names):
                content = None if os.path.isdir(path) else Path(path).read_bytes()
                found[path] = os.stat(path).st_mtime_ns, content
        del found[self.tmp]
        return found

    def scene(self) -> str | None:
        """The demo's own folder, once it is there."""
        return next((os.path.join(self.tmp, name) for name in os.listdir(self.tmp)), None)


class Played(NamedTuple):
    document: dict[str, Any]
    before: dict[str, tuple[int, bytes | None]]
    after: dict[str, tuple[int, bytes | None]]
    left: list[str]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    desk = Desk(tmp_path_factory.mktemp("desk"))
    before = desk.everything()
    process = desk.start("--headless", "--json")
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    return Played(json.loads(out), before, desk.everything(), os.listdir(desk.tmp))


def test_the_play_ends_with_what_a_room_has_to_show(played: Played) -> None:
    assert played.document["command"] == "demo"
    assert played.document["warnings"] == []
    data = played.document["data"]
    found = {(item["kind"], item["subject"]) for item in data["items"]}
    assert {
        ("question", "kestrel-9"), ("contested", "feat/cart"), ("orphaned", "feat/legacy-export"),
        ("mail", "harbor-1"), ("stale_claim", "src/export.py"),
    } <= found  # fmt: skip
    assert [item["text"] for item in data["items"] if item["kind"] == "blocked"] == ["Tax per country"]
    assert data["counts"]["question"] == data["counts"]["contested"] == data["counts"]["orphaned"] == 1
    assert "unhandled" not in data["counts"], "the play is over before anybody is late"


def test_every_line_that_it_proposes_is_one_that_relay_reads(played: Played) -> None:
    for item in played.document["data"]["items"]:
        assert item["command"][0] == "relay"
        assert parse(item["command"][1:]) is not None, item["command"]


def test_nothing_outside_its_folder_is_touched_and_the_folder_is_gone(played: Played) -> None:
    assert played.left == []
    assert played.after == played.before


def wait_for(there: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    ends = time.monotonic() + 60
    while not there():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < ends
        time.sleep(0.005)


@pytest.mark.parametrize("sign", ["shop-api/.git", "home/relay.db"], ids=["making its repository", "playing"])
def test_interrupted_it_still_removes_its_folder(tmp_path: Path, sign: str) -> None:
    desk = Desk(tmp_path)
    before = desk.everything()
    process = desk.start("--headless")
    wait_for(lambda: os.path.exists(os.path.join(desk.scene() or "/nowhere", sign)), process)
    os.killpg(process.pid, signal.SIGINT)  # as ctrl+c does: the demo and the commands that it runs
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "")
    assert os.listdir(desk.tmp) == []
    assert desk.everything() == before


def test_where_git_fails_it_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    os.makedirs(f"{desk.folder}/bin")
    make_script(f"{desk.folder}/bin/git", 'echo "fatal: out of inodes" >&2; exit 128')
    process = desk.start("--headless", PATH=f"{desk.folder}/bin:{os.environ['PATH']}")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "")
    assert "git failed: fatal: out of inodes." in err
    assert os.listdir(desk.tmp) == []


def test_on_screen_it_needs_a_terminal_and_leaves_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    process = desk.start()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "The screen needs a terminal." in err
    assert os.listdir(desk.tmp) == []
    assert git(desk.repository, "status", "--porcelain") == ""


def test_a_command_that_still_runs_when_the_screen_closes_ends_and_makes_nothing_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", PROJECT)
    scene = Scene()
    os.mkdir(scene.repository)
    scene.run(scene.repository, "init")
    with ThreadPoolExecutor() as play:
        running = play.submit(scene.run, scene.repository, "log", "--follow")
        scene.remove()
        assert running.exception(timeout=20) is not None
    assert not os.path.exists(scene.folder)
