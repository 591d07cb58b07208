"""`relay demo`: a room to look at, in a temporary folder of its own that is removed at the end.

The play is made of real `relay` commands, each its own process, as six agents would run them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading

from relay_tui.actions.attention import attention
from relay_tui.actions.demo_play import ROADMAP, play
from relay_tui.actions.perform import open_room
from relay_tui.actions.screen import Stage
from relay_tui.base import children
from relay_tui.base.canonical import decode
from relay_tui.base.errors import RelayError
from relay_tui.room.ledger import Actor
from relay_tui.room.rooms import DEFAULT_OPERATOR
from relay_tui.room.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from relay_tui.room.attention import Attention
    from relay_tui.room.rooms import Room

PACE = 1.2  # seconds between two commands, for a person to follow
PROJECT = "shop-api"
# Branches of the demo's repository, and the worktrees that stand on them.
BRANCHES = ("feat/auth", "feat/cart", "feat/search", "feat/legacy-export", "docs/readme")
WORKTREES = {"wt-auth": "feat/auth", "wt-cart": "feat/cart", "wt-search": "feat/search"}


def demo(room: Room, *, headless: bool = False) -> Attention | Stage:
    """Six pretend agents in a temporary room. Watch them work, or see what needs attention after.

    relay demo --headless
    """
    del room  # the demo never touches the room that it is started from
    scene = Scene()
    try:
        make_repository(scene.folder, scene.repository)
        if not headless:
            me = Actor(DEFAULT_OPERATOR, None, "tui", at_keyboard=True)
            return Stage(scene.open_room(), me, play=scene.play_slowly, close=scene.remove)
        play(scene.run, scene.worktree, lambda: None)
        found = attention(scene.open_room())
    except BaseException:
        scene.remove()
        raise
    scene.remove()
    return found


class Scene:
    """The temporary folder: a home, a repository with four worktrees, and a way to run `relay` in it."""

    def __init__(self) -> None:
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="relay-demo-"))
        self.home = os.path.join(self.folder, "home")
        self.repository = os.path.join(self.folder, PROJECT)
        self._ended = threading.Event()
        self._starting = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None

    def worktree(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def run(self, folder: str, *words: str) -> dict[str, Any]:
        """The `data` that one `relay` command answers. Raises `internal` where it fails."""
        command = self._start(folder, [sys.executable, "-m", "relay_tui", *words, "--json"])
        out, err = command.communicate()
        children.finish(command)
        if self._ended.is_set():
            raise _EndedError
        if command.returncode:
            raise RelayError("internal", f"The demo's command failed: relay {' '.join(words)}.", err.decode().strip())
        document = decode(out.decode())
        assert isinstance(document, dict)
        data: dict[str, Any] = document["data"]
        return data

    def open_room(self) -> Room:
        self.run(self.repository, "init")
        return open_room(Store(self.home), self.repository, None)

    def play_slowly(self) -> None:
        """The whole play at a pace that a person can follow, until it ends or the screen closes."""
        try:
            play(self.run, self.worktree, self._pause)
        except _EndedError:
            return

    def remove(self) -> None:
        """Stop the play and remove the folder, which is all that the demo ever touched."""
        with self._starting:
            self._ended.set()
        if self._running is not None and self._running.poll() is None:  # it would make its home anew
            children.end_group(self._running.pid)
            self._running.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, folder: str, argv: list[str]) -> subprocess.Popen[bytes]:
        with self._starting:
            if self._ended.is_set():
                raise _EndedError
            self._running = subprocess.Popen(
                argv, cwd=folder, env=self._environ(), start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )  # fmt: skip
        children.follow(self._running.pid)
        return self._running

    def _pause(self) -> None:
        if self._ended.wait(PACE):
            raise _EndedError

    def _environ(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("RELAY", "GIT_", "AGENT_"))}
        return {**kept, "RELAY_HOME": self.home}


class _EndedError(Exception):
    """The screen closed while the play was still going on."""


def make_repository(folder: str, repository: str) -> None:
    """The demo's repository, its branches and its worktrees beside it."""
    os.makedirs(os.path.join(repository, "src", "auth"))
    for path, text in {"ROADMAP.md": ROADMAP, "README.md": "# shop-api\n", "src/auth/session.py": "TTL = 60\n"}.items():
        with open(os.path.join(repository, path), "w", encoding="utf-8") as file:
            file.write(text)
    _git(repository, "init", "--quiet", "--initial-branch=main")
    _git(repository, "add", "--all")
    _git(repository, "commit", "--quiet", "--message=Begin")
    for branch in BRANCHES:
        _git(repository, "branch", branch)
    for name, branch in WORKTREES.items():
        _git(repository, "worktree", "add", "--quiet", os.path.join(folder, name), branch)


def _git(repository: str, *words: str) -> None:
    """Git that writes, in the demo's own folder only, whatever the person's own configuration says."""
    identity = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        identity |= {f"GIT_{who}_NAME": "relay demo", f"GIT_{who}_EMAIL": "demo@relay.invalid"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        subprocess.run(
            ["git", "-C", repository, *words], env={**kept, **identity}, check=True, capture_output=True, text=True
        )
    except FileNotFoundError:
        raise RelayError("no_file", "git was not found.", "Install git 2.36 or newer.") from None
    except subprocess.CalledProcessError as failed:
        raise RelayError("internal", f"git failed: {failed.stderr.strip()}.", "The demo needs git 2.36.") from None
