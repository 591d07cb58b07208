"""`relay launch`: a real process becomes a client, which is an agent of the room from its first moment."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from relay_tui.actions.launch import Launch
from relay_tui.agents.launcher import become_client
from tests.cli.conftest import START, CommandLine, command
from tests.repo.git_fixture import add_worktree
from tests.room_fixture import House, refusal

# A client that says how it was started, and then does as it was told.
_CLIENT = f"""\
#!{sys.executable}
import json, os, signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
said = {{"argv": sys.argv[1:], "pid": os.getpid(), "folder": os.getcwd()}}
said["environ"] = {{name: value for name, value in os.environ.items() if name.startswith("RELAY_")}}
print(json.dumps(said), flush=True)
if "wait" in sys.argv:
    signal.pause()
sys.exit(7)
"""


@pytest.fixture
def shop(relay: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    folder = os.path.join(os.path.dirname(relay.repository), "bin")
    client(folder, "claude", _CLIENT)
    client(folder, "codex", "#!/nowhere/there\n")
    client(folder, "gemini", '#!/bin/sh\nkill -"$1" $$\n')
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    add_worktree(relay.repository, f"{relay.repository}-auth", "feat/auth")
    return relay


def client(folder: str, name: str, text: str) -> None:
    os.makedirs(folder, exist_ok=True)
    Path(folder, name).write_text(text, encoding="utf-8")
    os.chmod(os.path.join(folder, name), 0o755)


def start(*words: str) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(command("launch", *words), capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout)


def test_the_process_becomes_the_client_in_its_worktree_under_its_name(shop: CommandLine) -> None:
    status, said = start("claude", "--worktree", "feat/auth", "--claim", "--", "--continue", "-p", "two words")
    agent = shop.data("agents --state live")["agents"][0]
    assert (status, said["argv"]) == (7, ["--continue", "-p", "two words"])
    assert said["folder"] == agent["worktree"] == f"{shop.repository}-auth"
    assert (agent["agent"], agent["runner"], agent["branch"], agent["pid"]) == (
        "claude-1", "claude", "feat/auth", said["pid"],
    )  # fmt: skip
    assert said["environ"] == {
        "RELAY_HOME": shop.home, "RELAY_AGENT": "claude-1", "RELAY_SESSION": agent["session"],
        "RELAY_ROOM": shop.data("rooms")["rooms"][0]["id"],
    }  # fmt: skip
    assert [(one["resource"], one["holder"]) for one in shop.data("claims")["claims"]] == [("feat/auth", "claude-1")]


def test_a_path_and_a_name_are_taken_as_they_are_given(shop: CommandLine) -> None:
    assert start("claude", "--as", "nina", "--worktree", "../shop-auth")[1]["environ"]["RELAY_AGENT"] == "nina"
    assert start("claude")[1]["folder"] == shop.repository


def test_a_client_behind_a_link_is_started_under_the_name_of_the_link(shop: CommandLine) -> None:
    folder = os.path.join(os.path.dirname(shop.repository), "bin")
    client(folder, "wrapper", '#!/bin/sh\necho "{\\"name\\": \\"$(basename "$0")\\"}"\n')
    os.symlink("wrapper", os.path.join(folder, "opencode"))
    assert start("opencode") == (0, {"name": "opencode"})


def test_its_end_is_the_clients_own(shop: CommandLine) -> None:
    for number in (signal.SIGKILL, signal.SIGPIPE):  # Python itself ignores the second
        assert subprocess.run(command("launch", "gemini", "--", str(int(number))), check=False).returncode == -number
    waiting = subprocess.Popen(command("launch", "claude", "--", "wait"), stdout=subprocess.PIPE)
    assert waiting.stdout is not None
    said = json.loads(waiting.stdout.readline())
    assert said["pid"] == waiting.pid
    waiting.terminate()
    assert waiting.wait() == 9
    waiting.stdout.close()


def test_a_branch_that_somebody_holds_starts_nothing_and_leaves_no_agent(shop: CommandLine) -> None:
    shop.ok("join --as bob")
    shop.ok("branch claim feat/auth --as bob")
    fault = shop.fault("launch claude --worktree feat/auth --claim")
    assert (fault["code"], fault["details"]["conflicts"][0]["holder"]) == ("claim_conflict", "bob")
    assert [one["agent"] for one in shop.data("agents --state left")["agents"]] == ["claude-1"]
    assert "--as claude-1" not in fault["hint"]


def test_a_client_that_cannot_be_started_leaves_again_and_holds_nothing(shop: CommandLine) -> None:
    words = command("launch", "codex", "--json", "--worktree", "feat/auth", "--claim")
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be started" in json.loads(done.stderr)["error"]["message"]
    assert [one["agent"] for one in shop.data("agents --state left")["agents"]] == ["codex-1"]
    assert shop.data("claims")["claims"] == []


def test_a_worktree_that_cannot_be_entered_is_named(tmp_path: Path) -> None:
    house = House(str(tmp_path))
    started = Launch("claude", house.join("claude-1", session="s1").name, "s1", "/nowhere/there", None, [], [""], [])
    fault = refusal(become_client, started, house.room, {})
    assert fault.message == "The worktree /nowhere/there cannot be entered (No such file or directory)."
    assert house.rows("SELECT standing FROM agents WHERE name = ?", "claude-1") == [("left",)]


def test_a_live_agents_name_is_not_for_another_client(shop: CommandLine) -> None:
    shop.ok("join --as nina --session s1")
    assert shop.fault("launch claude --as nina")["code"] == "session_conflict"


# A client that, as its own shell would, starts another one, which calls its hook and then relay.
_NESTING = f"""\
#!{sys.executable}
import json, os, subprocess, sys
if sys.argv[1] == "outer":
    subprocess.run([sys.argv[0], "inner", "c-1"])
    sys.exit(subprocess.run([sys.executable, sys.argv[0], "inner", "c-2"]).returncode)
os.environ |= {{"CLAUDE_PID": str(os.getppid() if sys.argv[2] == "c-1" else os.getpid()),
               "CLAUDE_CODE_SESSION_ID": sys.argv[2]}}
relay = [sys.executable, "-c", {START!r}]
said = json.dumps({{"session_id": sys.argv[2], "cwd": os.getcwd()}})
subprocess.run([*relay, "hook", "session-start", "--client", "claude"], input=said, text=True, stdout=2)
subprocess.run([*relay, "whoami", "--json"])
if sys.argv[2] == "c-2":
    subprocess.run([*relay, "hook", "session-end", "--client", "claude"], input=said, text=True)
"""


def test_a_client_that_a_launched_one_starts_is_another_agent(shop: CommandLine) -> None:
    client(os.path.join(os.path.dirname(shop.repository), "bin"), "claude", _NESTING)
    done = subprocess.run(command("launch", "claude", "--", "outer"), capture_output=True, text=True, check=False)
    own, inner = [json.loads(line)["data"]["agent"]["agent"] for line in done.stdout.splitlines()]
    assert own == "claude-1"
    assert inner.startswith("claude-shop-")
    assert {one["agent"]: one["state"] for one in shop.data("agents --state left")["agents"]} == {inner: "left"}


def test_a_persons_name_is_not_for_a_client(shop: CommandLine) -> None:
    assert shop.fault("launch claude --dry-run --as operator")["code"] == "reserved_name"
    shop.ok("init --operator nina --as operator")
    assert shop.fault("launch claude --dry-run --as nina")["code"] == "reserved_name"
    assert [one["agent"] for one in shop.data("agents")["agents"]] == ["nina"]


def test_a_client_that_an_agent_starts_is_not_that_agent(shop: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.ok("join --as claude-1 --session s1 --runner claude")
    for name, value in {"RELAY_AGENT": "claude-1", "RELAY_SESSION": "s1", "CLAUDE_CODE_SESSION_ID": "s1"}.items():
        monkeypatch.setenv(name, value)
    assert start("claude")[1]["environ"]["RELAY_AGENT"] == "claude-2"
    assert shop.fault("launch claude --as claude-1")["code"] == "session_conflict"
    mine = shop.data("whoami")["agent"]
    assert (mine["session"], mine["state"]) == ("s1", "live")


@pytest.mark.parametrize(("line", "code", "told"), [
    ("launch opencode", "no_file", "'opencode' was not found on PATH."),
    ("launch claude --worktree nowhere", "no_file", "nowhere is no worktree of this repository"),
    ("launch claude --worktree /", "no_file", "/ is no worktree of this repository"),
    ("launch vim", "usage", "'vim' is not one of"),
])  # fmt: skip
def test_what_cannot_be_started_is_refused_and_nothing_is_recorded(
    shop: CommandLine, line: str, code: str, told: str
) -> None:
    fault = shop.fault(line)
    assert fault["code"] == code
    assert told in fault["message"]
    assert shop.data("rooms")["rooms"] == []


def test_a_dry_run_says_what_would_be_started(shop: CommandLine) -> None:
    said = shop.ok("launch claude --worktree feat/auth --claim --dry-run -- 'two words'")
    assert said.startswith(f"claude-1 in {shop.repository}-auth on branch feat/auth: ")
    assert said.split("\n")[0].endswith("/bin/claude 'two words'")
    assert "a dry run joins nobody" in said
    assert shop.data("rooms")["rooms"] == []
