"""`relay hook …` as a client runs it: JSON in, JSON or nothing out, and never an exit code that stops the client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from relay_tui.agents import hook_door
from relay_tui.agents.hooks import Answer
from relay_tui.room.mishaps import read_mishaps
from tests.cli.conftest import CommandLine, command, crew, relay, room
from tests.room_fixture import Clock

__all__ = ["crew", "relay", "room"]


def said(relay: CommandLine, **more: Any) -> bytes:
    return json.dumps({"session_id": "s-1", "cwd": relay.repository, **more}).encode()


def quiet(relay: CommandLine, line: str, stdin: bytes) -> str:
    """What a hook notes in the home; it must say nothing to the client."""
    assert relay.run(line, stdin=stdin) == (0, b"", b"")
    return " ".join(mishap.text for mishap in read_mishaps(relay.home, 0))


def test_a_hook_answers_one_document(room: CommandLine) -> None:
    answer = room.run("hook session-start --client claude", stdin=said(room, source="startup"))
    assert (answer.code, answer.err) == (0, b"")
    assert "this session is 'claude-shop-" in json.loads(answer.out)["hookSpecificOutput"]["additionalContext"]
    assert quiet(room, "hook prompt --client claude", said(room)) == ""


def test_nothing_is_said_in_a_folder_without_a_room(relay: CommandLine, tmp_path: Any) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert quiet(relay, "hook session-start --client claude", said(relay, cwd=str(elsewhere))) == ""
    assert not os.path.exists(relay.home)


@pytest.mark.parametrize("line", [
    "hook", "hook unheard-of", "hook prompt", "hook prompt --client claude --bad", "hook prompt --client x",
    "hook guard x y", "--room shop hook bad",
])  # fmt: skip
def test_a_line_that_is_none_stops_nobody(room: CommandLine, line: str) -> None:
    assert "was not understood" in quiet(room, line, said(room))


@pytest.mark.parametrize("stdin", [b"", b"\xff\xfe", b"[]", b"{}", b"[" * 100_000])
def test_input_that_is_none_stops_nobody(room: CommandLine, stdin: bytes) -> None:
    assert "The hook" in quiet(room, "hook prompt --client claude", stdin)


def test_a_database_that_is_none_stops_nobody(room: CommandLine) -> None:
    with open(os.path.join(room.home, "relay.db"), "wb") as file:
        file.write(b"garbage " * 1000)
    edit = said(room, tool_name="Edit", tool_input={"file_path": "a"})
    assert "relay.db" in quiet(room, "hook guard --client claude", edit)


class StoppedClock(Clock):
    def __call__(self) -> int:
        raise ArithmeticError("no time")


def test_a_fault_of_relays_own_is_noted(room: CommandLine) -> None:
    room.clock = StoppedClock()
    noted = quiet(room, "hook prompt --client claude", said(room))
    assert noted.startswith("relay failed: ArithmeticError: no time (test_hook_door.py:")


@pytest.mark.parametrize("folder", ["/a\0b", "/\ud800", "/" + "x" * 1_000_000])
def test_a_folder_that_there_cannot_be_is_no_fault_of_relays_own(room: CommandLine, folder: str) -> None:
    answer = room.run("hook prompt --client claude", stdin=said(room, cwd=folder))
    assert (answer.code, answer.err) == (0, b"")
    assert not any("Error" in mishap.text for mishap in read_mishaps(room.home, 0))


def test_a_fault_before_the_first_room_is_noted(relay: CommandLine) -> None:
    assert "no JSON object" in quiet(relay, "hook session-start --client claude", b"garbage")


def test_a_home_that_cannot_be_named_stops_nobody(relay: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = os.path.join(relay.repository, "gone")
    os.mkdir(gone)
    monkeypatch.setenv("RELAY_HOME", "home")
    monkeypatch.chdir(gone)
    os.rmdir(gone)
    assert relay.run("hook prompt --client claude", stdin=said(relay)) == (0, b"", b"")
    assert relay.fault("agents")["code"] == "no_file"


def test_an_answer_that_cannot_be_written_is_noted(room: CommandLine) -> None:
    room.run("hook session-start --client claude", stdin=said(room, source="startup"))
    agents = room.data("agents")["agents"]
    name = next(one["agent"] for one in agents if one["agent"].startswith("claude-"))
    room.ok(f"send --as alice --to {name} --message hello")
    with open("/dev/full", "w", encoding="utf-8") as full:
        words = command("hook", "prompt", "--client", "claude")
        done = subprocess.run(words, input=said(room), stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")
    [mishap] = read_mishaps(room.home, 0)
    assert mishap.where == "hook prompt --client claude"
    assert "the answer could not be written (No space left on device)" in mishap.text


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_client_that_holds_its_end_open_is_not_waited_for_without_limit(
    room: CommandLine, monkeypatch: pytest.MonkeyPatch, is_whole: bool
) -> None:
    """What it said is answered where it is a whole call."""
    monkeypatch.setattr(hook_door, "INPUT_SECONDS", 0.05)
    ours, theirs = os.pipe()
    answers: list[Answer] = []
    with open(ours, encoding="utf-8") as stdin, open(theirs, "wb") as client:
        client.write(said(room, source="startup") if is_whole else b"")
        client.flush()
        monkeypatch.setattr(sys, "stdin", stdin)
        assert hook_door.answer_hook(["hook", "session-start", "--client", "claude"], os.environ, answers.append) == 0
    assert len(answers) == is_whole
    assert [mishap.text.strip() for mishap in read_mishaps(room.home, 0)] == (
        [] if is_whole else ["Nothing came on standard input in 0.05 s."]
    )


def test_help_is_for_people(room: CommandLine) -> None:
    assert "relay setup" in room.ok("hook --help")


def test_doctor_shows_what_hooks_failed_at(room: CommandLine) -> None:
    checks = {check["name"]: check for check in room.document("doctor")["data"]["checks"]}
    assert checks["hooks"]["ok"] is True
    quiet(room, "hook prompt --client claude", b"")
    checks = {check["name"]: check for check in room.document("doctor")["data"]["checks"]}
    assert checks["hooks"]["ok"] is False
    assert "hook prompt" in checks["hooks"]["text"]


def test_a_fault_needs_the_operator_until_the_same_hook_works_again(room: CommandLine) -> None:
    quiet(room, "hook prompt --client claude", b"")
    quiet(room, "hook prompt --client claude", b"[]")
    (item,) = room.data("attention")["items"]
    subject = "hook prompt --client claude"
    assert (item["kind"], item["subject"], item["command"]) == ("fault", subject, ["relay", "doctor"])
    assert item["text"].startswith("2 times, the last: The hook got no JSON object on standard input.")
    assert item["text"].endswith(f"(in {room.repository})")
    room.run("hook guard --client claude", stdin=said(room))
    assert room.data("attention")["counts"] == {"fault": 1}, "another hook proves nothing"
    room.run("hook prompt --client claude", stdin=said(room))
    assert room.data("attention")["items"] == []
    quiet(room, "hook prompt --client claude", b"")
    room.ok("doctor --forget")
    assert room.data("attention")["items"] == []


def test_the_shell_of_a_session_knows_who_it_is(room: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    room.run("hook session-start --client claude", stdin=said(room, source="startup"))
    for variable in ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"):
        with monkeypatch.context() as environment:
            environment.setenv(variable, "s-1")
            assert room.data("whoami")["agent"]["agent"].startswith("claude-shop-")
            environment.setenv("RELAY_AGENT", "bob")
            assert room.data("whoami")["agent"]["agent"] == "bob"
