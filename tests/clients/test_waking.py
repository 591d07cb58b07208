"""Real clients: what their shells changed of others', and idle sessions that somebody wakes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.clients.desk import Desk, Terminal, wait_until
from tests.clients.model_api import Use
from tests.clients.test_claude import MAY
from tests.clients.test_codex import RUN

PASSED = "1 file that somebody else holds is changed in this worktree; the holder was told."
WRITE = "echo 'a = 3' > src/a.py"


def test_claude_is_told_what_its_shell_changed_of_anothers(claude: Desk) -> None:
    claude.house.claim(claude.bob, "src/a.py")
    claude.api.will(Use("Bash", {"command": WRITE}), "Done.")
    claude.run(claude.program, "-p", "hello", *MAY)
    assert PASSED in claude.api.heard(1)
    assert "src/a.py is held by bob" in claude.api.heard(1)
    assert [event.data["resource"] for event in claude.house.events("guard.passed")] == ["src/a.py"]


def test_codex_is_told_what_its_shell_changed_of_anothers(codex: Desk) -> None:
    codex.house.claim(codex.bob, "src/a.py")
    codex.api.will(Use("exec_command", {"cmd": WRITE}), "Done.")
    codex.run(codex.program, *RUN, "hello")
    assert PASSED in codex.api.heard(1)
    assert [event.data["resource"] for event in codex.house.events("guard.passed")] == ["src/a.py"]


def test_an_idle_claude_is_woken_over_its_inbox_without_a_hook_that_waits(claude: Desk) -> None:
    claude.run("relay", "setup", "claude", "--undo")
    claude.run("relay", "setup", "claude")
    with Terminal(claude, *MAY) as terminal:
        terminal.see("❯")
        claude.api.will("First.", "Woken.")
        terminal.type("hello")
        terminal.see("First.")
        sent = claude.house.send(claude.bob, claude.agent().agent, "a peer's words")
        said = ""

        def is_woken() -> bool:
            nonlocal said
            said = claude.run("relay", "wake", "--as", "bob")
            return "woken over its inbox" in said

        wait_until(is_woken, "it is idle")
        heard = claude.api.heard(1)
        assert "relay: 1 new message for this session" in heard
        assert f'- {sent.id} from bob: "a peer' in heard, "by the hook of the prompt that the wake is"
        receipt = claude.house.receipt(sent.id, claude.agent().agent)
        assert (receipt.notified_by, receipt.delivered_at) == ("hook", None)
        terminal.see("Woken.")
    assert [event.kind for event in claude.house.events("wake")] == ["wake.tried", "wake.ended"]


def test_an_idle_thread_of_codex_is_woken_over_its_queue(codex: Desk) -> None:
    Path(codex.house.home, "relay.toml").write_text('wake = ["codex-*"]\n', encoding="utf-8")
    codex.api.will("First.", "Woken.")
    with app_server(codex) as say:
        start = {"cwd": codex.house.repository, "approvalPolicy": "never", "sandbox": "danger-full-access"}
        thread = say("thread/start", start, lambda said: said.get("id") == 2)["result"]["thread"]["id"]
        words = {"threadId": thread, "input": [{"type": "text", "text": "hello", "text_elements": []}]}
        say("turn/start", words, lambda said: said.get("method") == "turn/completed")
        codex.house.join("codex-1", runner="codex", session=thread)
        codex.house.send(codex.bob, "codex-1", "a peer's words")
        woken = codex.run("relay", "wake", "--as", "bob")
        assert woken == "codex-1: woken over Codex's queue, for 1 message\n"
        assert "relay: 1 new message for this session" in codex.api.heard(1)
        assert "a peer's words" not in codex.api.heard(1)
        assert "Nobody has mail to be woken for." in codex.run("relay", "wake", "--as", "bob")


@contextmanager
def app_server(codex: Desk) -> Iterator[Callable[..., Any]]:
    """Codex as other programs drive it, a line of JSON each way; `say` answers with the first line that fits."""
    server = subprocess.Popen(
        [codex.program, "app-server"], cwd=codex.house.repository, env=codex.environ, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    asked = 0

    def say(method: str, params: dict[str, Any], fits: Callable[[dict[str, Any]], bool]) -> Any:
        nonlocal asked
        asked += 1
        assert server.stdin is not None and server.stdout is not None
        server.stdin.write(json.dumps({"id": asked, "method": method, "params": params}) + "\n")
        server.stdin.flush()
        return next(said for line in server.stdout if fits(said := json.loads(line)))

    try:
        about = {"clientInfo": {"name": "relay", "title": "relay", "version": "1"}}
        say("initialize", about, lambda said: said.get("id") == 1)
        yield say
    finally:
        server.kill()
        server.communicate()
