"""The world of one real client: its program and homes, a room with `bob` in it, and a model that a test speaks for."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import shlex
import struct
import subprocess
import termios
import threading
from collections.abc import Callable
from typing import Any

from relay_tui.base.times import system_clock
from relay_tui.room import registry
from relay_tui.room.agents import Agent
from relay_tui.room.presence import STATES
from tests.cli.conftest import command
from tests.clients.model_api import SECONDS, ModelApi
from tests.repo.git_fixture import commit, make_repository, make_script
from tests.room_fixture import House

ROWS, COLUMNS = 40, 120
KEY = "a key that nobody asks for"
# Keeps what each hook was given beside the client, for the recordings; `watch` must stay the client's own child.
_KEEPING = """
if [ "$1" = hook ]; then
    kept={kept}/$(date +%s%N)-$2
    env > $kept.env; cat > $kept.json
    exec {relay} "$@" < $kept.json
fi"""


class Desk:
    """A client wired in the repository `shop` of a house. Its clock is the real one, as its processes read that."""

    def __init__(self, folder: str, client: str, program: str, *, keeps: bool = False) -> None:
        self.client, self.program, self.kept = client, program, os.path.join(folder, "kept")
        repository = make_repository(os.path.join(folder, "shop"))
        commit(repository, "first", {"src/a.py": "a = 1\n", "src/b.py": "b = 1\n"})
        self.house = House(folder, repository=repository)
        self.house.clock = system_clock  # type: ignore[assignment]
        self.house.room = self.house.enter(repository)
        self.bob = self.house.join("bob")
        self.api = ModelApi()
        self.environ = _environ_of(folder, self.api.url, program)
        _put_relay(os.path.join(folder, "bin"), self.kept if keeps else None)
        with open(os.path.join(self.house.home, "relay.toml"), "w", encoding="utf-8") as file:
            file.write('wake = ["claude-*"]\n')
        self.run("relay", "setup", client, *(["--wake"] if client == "claude" else []))

    def run(self, *words: str) -> str:
        """What a program prints in the repository; it must succeed."""
        done = subprocess.run(
            words, cwd=self.house.repository, env=self.environ, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=SECONDS,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def agent(self) -> Agent:
        """The one that the client is."""
        room = self.house.enter(self.house.repository)
        (agent,) = (one for one in registry.list_agents(room, list(STATES)).agents if one.runner)
        return agent

    def write_and_ask(self) -> str:
        """bob writes to the client's agent and asks it something; what the model then says is `First.`."""
        me = self.agent().agent
        self.run("relay", "send", "--as", "bob", "--to", me, "--message", "Look at a.py first\nsecond line")
        self.run("relay", "status", "waiting", "--as", "bob", "--needs", me, "--question", "Which base?")
        return "First."

    def read(self, path: str) -> str:
        with open(os.path.join(self.house.repository, path), encoding="utf-8") as file:
            return file.read()


class Terminal:
    """A client on a terminal of its own. What it draws is read away at once, as a person's terminal does."""

    def __init__(self, desk: Desk, *words: str) -> None:
        ours, theirs = pty.openpty()
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._process = subprocess.Popen(
            [desk.program, *words], cwd=desk.house.repository, env={**desk.environ, "TERM": "xterm-256color"},
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self._ours, self._drawn = ours, ""
        self._came = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join(SECONDS)
        os.close(self._ours)

    def see(self, text: str) -> None:
        """Wait until a text was drawn, and forget what came before it."""
        with self._came:
            assert self._came.wait_for(lambda: text in self._drawn, SECONDS), f"{text!r} never came: {self._drawn!r}"
            self._drawn = self._drawn.partition(text)[2]

    def type(self, line: str) -> None:
        """The keys of a line, and then the one that sends it: in one go they would be text that was pasted."""
        os.write(self._ours, line.encode())
        self.see(line)
        os.write(self._ours, b"\r")

    def wait(self) -> int:
        return self._process.wait(SECONDS)

    def _read(self) -> None:
        while True:
            try:
                said = os.read(self._ours, 1 << 16)
            except OSError:  # the last process on the terminal has ended
                return
            with self._came:
                self._drawn += said.decode("utf-8", "replace")
                self._came.notify_all()


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """For what another process writes, and nobody tells of."""
    pause = threading.Event()
    for _ in range(SECONDS * 20):
        if holds():
            return
        pause.wait(0.05)
    raise AssertionError(f"{what}: never")


def _put_relay(folder: str, kept: str | None) -> None:
    relay = shlex.join(command())
    os.makedirs(folder)
    if kept:
        os.makedirs(kept)
    keeping = _KEEPING.format(kept=shlex.quote(kept), relay=relay) if kept else ""
    make_script(os.path.join(folder, "relay"), f'{keeping}\nexec {relay} "$@"')


def _environ_of(folder: str, url: str, program: str) -> dict[str, str]:
    """All that a client knows of its machine; whatever it wants of the network, the model's API refuses."""
    homes = {name: os.path.join(folder, f"of-{name}") for name in ("HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME")}
    for home in homes.values():
        os.makedirs(home)
    path = os.pathsep.join([os.path.join(folder, "bin"), os.path.dirname(program), os.environ["PATH"]])
    with open(os.path.join(homes["HOME"], ".profile"), "w", encoding="utf-8") as file:
        file.write(f"PATH={shlex.quote(path)}\n")  # Codex runs its commands in a shell that reads this
    return {
        **homes, "RELAY_HOME": os.path.join(folder, "home"), "PATH": path, "LANG": "C.UTF-8", "SHELL": "/bin/sh",
        "HTTPS_PROXY": url, "HTTP_PROXY": url, "NO_PROXY": "127.0.0.1", "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": KEY, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }  # fmt: skip


def make_claude_at_home(desk: Desk) -> None:
    """What Claude Code asks a person only once: its look, the key, and whether to trust the project and its server."""
    project = {"hasTrustDialogAccepted": True, "enabledMcpjsonServers": ["relay"]}
    _write_json(os.path.join(desk.environ["CLAUDE_CONFIG_DIR"], ".claude.json"), {
        "hasCompletedOnboarding": True, "theme": "dark", "projects": {desk.house.repository: project},
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
    })  # fmt: skip


def make_codex_at_home(desk: Desk) -> None:
    """Our model, and that the project is trusted; whether its hooks are, each test says."""
    with open(os.path.join(desk.environ["CODEX_HOME"], "config.toml"), "w", encoding="utf-8") as file:
        file.write(f"""
model = "gpt-5.5"
model_provider = "ours"
[model_providers.ours]
name = "ours"
base_url = "{desk.api.url}/v1"
[projects.{json.dumps(desk.house.repository)}]
trust_level = "trusted"
""")


def _write_json(path: str, value: Any) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)
