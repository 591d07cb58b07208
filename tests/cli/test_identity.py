from __future__ import annotations

import os
from typing import Any

import pytest

from tests.cli.conftest import CommandLine
from tests.repo.git_fixture import add_worktree, git


def acting(relay: CommandLine, line: str = "whoami") -> str:
    return str(relay.data(line)["agent"]["agent"])


def test_who_acts_is_said_then_set_then_remembered(room: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    room.ok("join --as carol --session nonce-1")
    monkeypatch.setenv("RELAY_SESSION", "nonce-1")
    assert acting(room) == "carol"
    monkeypatch.setenv("AGENT_RELAY_AGENT_ID", "alice")
    assert acting(room) == "alice"
    monkeypatch.setenv("RELAY_AGENT", "bob")
    assert acting(room) == "bob"
    assert acting(room, "whoami --as alice") == "alice"


def test_an_agent_that_left_is_not_remembered_by_its_session(room: CommandLine) -> None:
    room.ok("join --as carol --session nonce-1")
    room.ok("leave --as carol")
    assert room.fault("whoami --session nonce-1")["code"] == "usage"


def test_without_a_terminal_nobody_is_guessed(room: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    for line in ("inbox", "whoami", "ack M1", "claim src", "release src", "status", "send --to bob --message x"):
        fault = room.fault(line)
        assert (fault["code"], fault["exit"]) == ("usage", 2), line
        assert "--as NAME" in fault["hint"]
    monkeypatch.setenv("RELAY_OPERATOR", "1")
    assert acting(room) == "operator"


def test_looking_needs_nobody(room: CommandLine) -> None:
    for line in ("agents", "claims", "log", "log head", "rooms", "branches", "spec"):
        room.ok(line)


def test_the_operator_goes_by_the_name_of_the_room(relay: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    relay.ok("init --operator mo")
    monkeypatch.setenv("RELAY_OPERATOR", "1")
    assert acting(relay) == "mo"


def test_a_repository_has_one_room_from_every_worktree_and_folder(
    room: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = add_worktree(room.repository, f"{room.repository}-wt", "feat/x")
    for folder in (os.path.join(room.repository, "src"), tree):
        monkeypatch.chdir(folder)
        assert acting(room, "whoami --as alice") == "alice"


def test_a_room_is_named_by_option_then_by_the_environment(
    room: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert room.fault("agents")["code"] == "unknown_room"
    assert room.data("agents --room shop")["counts"]["stored"] == 3
    assert room.data("agents --room", room.repository)["counts"]["stored"] == 3
    monkeypatch.setenv("RELAY_ROOM", "shop")
    assert room.data("agents")["counts"]["stored"] == 3
    assert room.fault("agents --room elsewhere")["code"] == "unknown_room"


def test_init_makes_the_room_that_it_names_whatever_the_environment_says(
    room: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(str(other), "init", "-q")
    monkeypatch.chdir(other)
    monkeypatch.setenv("RELAY_ROOM", "nowhere")
    assert room.data("init --room billing")["room"]["room"] == "billing"
    assert room.fault("--room second init")["code"] == "refused", "one room of its own is enough for a folder"
    third = tmp_path / "third"
    third.mkdir()
    git(str(third), "init", "-q")
    monkeypatch.chdir(third)
    assert room.data("--room second init")["room"]["room"] == "second"


def test_a_bare_relay_without_a_terminal_tells_what_needs_attention(room: CommandLine) -> None:
    document = room.document("")
    assert document["command"] == "attention"
    assert room.ok("") == room.ok("attention")


def test_json_may_be_asked_for_by_the_environment(room: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELAY_JSON", "1")
    assert room.run("agents").out.startswith(b'{"schema":1,"command":"agents"')
    answer = room.run("inbox --bogus")
    assert answer.err.startswith(b'{"schema":1,"error":{"code":"usage"')


@pytest.mark.parametrize("line", [
    "--json agents", "agents --json", "claims --over src --json", "claims --json --over src", "--json nonsense",
    "inbox --bogus --json", "inbox --json --limit",
])  # fmt: skip
def test_json_stands_anywhere_and_errors_are_json_too(room: CommandLine, line: str) -> None:
    answer = room.run(line)
    assert (answer.out + answer.err).startswith(b'{"schema":1,')


@pytest.mark.parametrize("line", ["send --as alice --to bob --message --json", "claim --as alice -- --json"])
def test_json_as_a_value_or_behind_two_dashes_is_text(room: CommandLine, line: str) -> None:
    assert not room.ok(line).startswith("{")


def test_an_empty_name_or_room_is_nobody_and_nowhere(room: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `--as "$ME"` is, where that was never set."""
    monkeypatch.setenv("RELAY_AGENT", "alice")
    for option in ("--as", "--as=", "--session", "--room"):
        fault = room.fault("ack --all", option, *([] if option.endswith("=") else [""]))
        assert fault["code"] == "usage"
        assert "needs a value" in fault["message"]
