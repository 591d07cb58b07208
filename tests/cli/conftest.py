"""A home and a repository for each test, and the command line in this process with a clock and ids of ours."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from relay_tui.base.times import MINUTE, system_clock
from relay_tui.cli.main import run
from tests.repo.git_fixture import commit, isolate_git, make_repository
from tests.room_fixture import OPEN_GATES, Clock, Ids

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
START = f"""
import sys
sys.path[:0] = [{PROJECT!r}, *{[path for path in sys.path if path.endswith("-packages")]!r}]
sys.argv[0] = "relay"
from relay_tui.cli.start import main
main()
"""


class Answer(NamedTuple):
    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        return self.out.decode()


class CommandLine:
    """One home seen from one repository. Every line comes a minute after the one before."""

    def __init__(self, folder: str, capture: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = os.path.join(folder, "home")
        self.repository = make_repository(os.path.join(folder, "shop"))
        self._capture = capture
        self._monkeypatch = monkeypatch
        self.clock, self._new_id = Clock(), Ids()
        isolate_git(monkeypatch)
        for name in [name for name in os.environ if name.startswith("RELAY_") or name == "AGENT_RELAY_AGENT_ID"]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("RELAY_HOME", self.home)
        monkeypatch.chdir(self.repository)

    def open_gates(self) -> None:
        os.makedirs(self.home, mode=0o700)
        with open(os.path.join(self.home, "relay.toml"), "w", encoding="utf-8") as file:
            file.write(OPEN_GATES)

    def put_on_path(self, *names: str) -> None:
        """Programs that do nothing."""
        folder = os.path.join(os.path.dirname(self.repository), "bin")
        os.makedirs(folder)
        for name in names:
            with open(os.open(os.path.join(folder, name), os.O_CREAT | os.O_WRONLY, 0o755), "w") as program:
                program.write("#!/bin/sh\n")
        self._monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def run(self, line: str, *more: str, stdin: bytes = b"") -> Answer:
        """The answer to a line as a shell would split it, with `more` words behind it as they are."""
        self.clock.advance(MINUTE)
        self._capture.readouterr()
        with tempfile.TemporaryFile() as file:
            file.write(stdin)
            file.seek(0)
            self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
            code = run([*shlex.split(line), *more], clock=self.clock, new_id=self._new_id)
        return Answer(code, *self._capture.readouterr())

    def printed(self) -> str:
        """What was printed by a line that left by SystemExit."""
        return self._capture.readouterr().out.decode()

    def ok(self, line: str, *more: str, stdin: bytes = b"") -> str:
        """What a line prints for people; it must succeed."""
        answer = self.run(line, *more, stdin=stdin)
        assert (answer.code, answer.err) == (0, b"")
        return answer.text

    def document(self, line: str, *more: str, stdin: bytes = b"") -> dict[str, Any]:
        """The one document that a line prints with `--json`, whatever its exit code."""
        answer = self.run(f"--json {line}", *more, stdin=stdin)
        assert answer.err == b"", answer
        found: dict[str, Any] = json.loads(answer.out)
        return found

    def data(self, line: str, *more: str, stdin: bytes = b"") -> Any:
        return self.document(line, *more, stdin=stdin)["data"]

    def fault(self, line: str, *more: str, stdin: bytes = b"") -> dict[str, Any]:
        """The error of a line that must fail, with its exit code as the member `exit`."""
        answer = self.run(f"--json {line}", *more, stdin=stdin)
        assert answer.out == b"", answer
        document = json.loads(answer.err)
        assert document.keys() == {"schema", "error"}
        return {**document["error"], "exit": answer.code}


@pytest.fixture
def relay(
    tmp_path: Any, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Iterator[CommandLine]:
    """A repository with one commit, and a home that is not there yet."""
    cli = CommandLine(str(tmp_path), capfdbinary, monkeypatch)
    commit(cli.repository, "first", {"README.md": "shop\n", "src/a.py": "a\n", "src/b.py": "b\n"})
    yield cli


@pytest.fixture
def room(relay: CommandLine) -> CommandLine:
    """The same with two agents, `alice` and `bob`, in the room `shop`."""
    relay.ok("join --as alice")
    relay.ok("join --as bob")
    return relay


@pytest.fixture
def crew(relay: CommandLine) -> CommandLine:
    """Alice and bob, live by the clock that a real process reads."""
    relay.clock.now = system_clock()
    relay.ok("join --as alice")
    relay.ok("join --as bob")
    return relay


def command(*words: str) -> list[str]:
    """What a real `relay` process is started with."""
    return [sys.executable, "-I", "-c", START, *words]


def spawn(*words: str, **options: Any) -> subprocess.Popen[bytes]:
    """A real `relay` process, with pipes unless `options` say otherwise."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command(*words), **{**pipes, **options})
