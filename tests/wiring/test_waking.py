"""Ways to wake a session: a real socket and a real program, found only where everything fits."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from relay_tui.base.processes import identify
from relay_tui.wiring import waking
from relay_tui.wiring.waking import FAILED, QUEUE, SOCKET, TOLD, UNCERTAIN, Ending, Way, find_way, take_way
from tests.repo.git_fixture import wait_until_dead

SESSION = "7c1f0c9e-0000-4000-8000-000000000000"
LINE = "relay: 1 new message for this session; `relay inbox` shows them."


class Inbox:
    """The socket of a session that this very process is."""

    def __init__(self, person: Path) -> None:
        self.person = str(person)
        self.path = str(person / "inbox.sock")
        self._heard: Queue[bytes] = Queue()
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(self.path)
        self._server.listen()
        threading.Thread(target=self._listen, daemon=True).start()
        self.note()

    def note(self, **said: Any) -> None:
        """The file that Claude Code keeps for the session."""
        me = identify(os.getpid())
        assert me is not None
        facts = {
            "pid": me.pid, "sessionId": SESSION, "cwd": "/", "procStart": str(me.start), "status": "idle",
            "peerProtocol": 1, "messagingSocketPath": self.path,
        }  # fmt: skip
        folder = Path(self.person, ".claude", "sessions")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{me.pid}.json").write_text(json.dumps({**facts, **said}), encoding="utf-8")

    def find(self, session: str = SESSION, pid: int | None = None) -> Way | str:
        return find_way("claude", session, pid, self.person)

    def hear(self) -> bytes:
        return self._heard.get(timeout=20)

    def close(self) -> None:
        """Nobody listens any more."""
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _listen(self) -> None:
        while True:
            try:
                end, _ = self._server.accept()
            except OSError:
                return
            with end, end.makefile("rb") as said:
                self._heard.put(said.read())


@pytest.fixture
def inbox(tmp_path: Path) -> Iterator[Inbox]:
    made = Inbox(tmp_path)
    yield made
    with suppress(OSError):
        made.close()


def test_an_idle_session_of_claude_is_sent_one_line(inbox: Inbox) -> None:
    way = inbox.find()
    assert way == Way(SOCKET, inbox.path, os.getpid())
    assert take_way(way, LINE) == Ending(TOLD, "")
    said = inbox.hear()
    assert said.endswith(b"\n")
    frame = json.loads(said)
    assert frame.pop("msg_id")
    assert frame == {"type": "user", "message": {"role": "user", "content": LINE}}
    inbox.close()
    assert take_way(way, LINE).outcome == FAILED, "nobody listens any more"


@pytest.mark.parametrize(("said", "why"), [
    ({"sessionId": "other"}, "was not found"), ({"procStart": "12"}, "was not found"), ({"status": "busy"}, "at work"),
    ({"status": None}, "at work"), ({"peerProtocol": 2}, "no inbox that relay knows"),
    ({"messagingSocketPath": None}, "no inbox that relay knows"), ({"messagingSocketPath": "/nowhere"}, "is gone"),
    ({"messagingSocketPath": "/etc/passwd"}, "not a socket of yours"),
])  # fmt: skip
def test_what_does_not_fit_is_no_way(inbox: Inbox, said: dict[str, Any], why: str) -> None:
    inbox.note(**said)
    way = inbox.find()
    assert isinstance(way, str)
    assert why in way


def test_only_a_session_that_was_named_before_its_client_began_is_known_by_its_process(inbox: Inbox) -> None:
    inbox.note(sessionId="another of the same process")
    assert isinstance(inbox.find(SESSION, os.getpid()), str), "cleared: its mail is another session's"
    assert inbox.find("S0000001", os.getpid()) == Way(SOCKET, inbox.path, os.getpid())


def test_another_process_on_the_socket_hears_nothing(inbox: Inbox) -> None:
    assert take_way(Way(SOCKET, inbox.path, 1), LINE) == Ending(FAILED, "another process listens there")
    assert inbox.hear() == b""


@pytest.fixture
def codex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of that name that keeps its words, and ends as the file `ends` says."""
    program = tmp_path / "bin" / "codex"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/said\n. {tmp_path}/ends\n', encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "ends").write_text("exit 0\n", encoding="utf-8")
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return tmp_path


def test_a_thread_of_codex_is_put_a_line_in_its_queue(codex: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    way = find_way("codex", SESSION, None, str(codex))
    assert way == Way(QUEUE, SESSION)
    assert take_way(way, LINE) == Ending(TOLD, "")
    assert (codex / "said").read_text().splitlines() == ["queue", "--thread", SESSION, "--message", LINE]
    (codex / "ends").write_text("echo 'no answer' >&2; exit 1\n", encoding="utf-8")
    assert take_way(way, LINE) == Ending(UNCERTAIN, "no answer"), "it may have been queued all the same"
    monkeypatch.setattr(waking, "QUEUE_SECONDS", 0.5)
    (codex / "ends").write_text(f"sleep 60 & echo $! >{codex}/started; wait\n", encoding="utf-8")
    assert take_way(way, LINE) == Ending(UNCERTAIN, "codex did not answer in 0.5 s")
    assert wait_until_dead(int((codex / "started").read_text())), "what it started would deliver later"
    monkeypatch.setenv("PATH", str(codex))
    assert take_way(way, LINE).outcome == FAILED


@pytest.mark.parametrize(("client", "session", "why"), [
    ("codex", "S0000001", "thread is not known"), ("codex", f"--{SESSION}", "thread is not known"),
    ("codex", None, "thread is not known"), ("gemini", SESSION, "nobody can wake gemini"),
    (None, SESSION, "nobody knows its client"),
])  # fmt: skip
def test_whom_nobody_can_wake(codex: Path, client: str | None, session: str | None, why: str) -> None:
    way = find_way(client, session, None, str(codex))
    assert isinstance(way, str)
    assert why in way
