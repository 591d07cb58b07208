"""OpenCode's plugin, run by a real JavaScript engine with a real `relay` behind it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import relay_tui.wiring
from relay_tui.base.times import system_clock
from tests.repo.git_fixture import isolate_git
from tests.room_fixture import House

PROJECT = str(Path(__file__).parents[2])
PLUGIN = Path(relay_tui.wiring.__file__).parent / "opencode.js"
_RELAY = f"""\
#!{sys.executable}
import sys
sys.path[:0] = [{PROJECT!r}]
sys.argv[0] = "relay"
from relay_tui.cli.start import main
main()
"""
# Two prompts, an edit of what is free and one of what is held, a subagent, a shell that writes, and the end.
_PLAY = """\
import { mkdirSync, writeFileSync } from "node:fs"
import { Relay } from "./relay.mjs"
const hooks = await Relay({ directory: process.argv[2] })
const say = (type, info) => hooks.event({ event: { type, properties: { info } } })
const part = { type: "text", text: "go on", id: "p1" }
const messages = [{ info: { role: "user", sessionID: "ses_1" }, parts: [part] }]
const before = hooks["tool.execute.before"]
const edit = (sessionID, filePath) =>
  before({ tool: "edit", sessionID }, { args: { filePath } }).then(() => "", (fault) => fault.message)
await say("session.created", { id: "ses_1" })
await say("session.created", { id: "ses_2", parentID: "ses_1" })
await hooks["chat.message"]({ sessionID: "ses_2" })
await hooks["chat.message"]({ sessionID: "ses_1" })
await hooks["experimental.chat.messages.transform"]({}, { messages })
await hooks["experimental.chat.messages.transform"]({}, { messages })
const shell = { env: {} }
await hooks["shell.env"]({ sessionID: "ses_2" }, shell)
await before({ tool: "read", sessionID: "ses_1" }, { args: { filePath: "src/a.py" } })
const told = [await edit("ses_1", "free.py"), await edit("ses_2", "src/a.py")]
mkdirSync(process.argv[2] + "/src")
writeFileSync(process.argv[2] + "/src/a.py", "as a shell does")
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "ses_2" }, {})
const later = [{ info: messages[0].info, parts: [part] }]
await hooks["experimental.chat.messages.transform"]({}, { messages: later })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } })
if (process.argv[3] === "end") await say("session.deleted", { id: "ses_1" })
const texts = (message) => message.parts.map((one) => one.text)
console.log(JSON.stringify({ parts: texts(messages[0]), later: texts(later[0]), told, shell: shell.env }))
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    isolate_git(monkeypatch)
    made = House(str(tmp_path))
    made.clock.now = system_clock()
    made.claim(made.join("holder"), "src")
    return made


def play(house: House, *words: str, path: str | None = None) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node here to run the plugin with")
    folder = os.path.join(house.folder, "bin")
    os.makedirs(folder, exist_ok=True)
    for name, text in {"relay": _RELAY, "relay.mjs": PLUGIN.read_text("utf-8"), "play.mjs": _PLAY}.items():
        Path(folder, name).write_text(text, encoding="utf-8")
        os.chmod(os.path.join(folder, name), 0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("RELAY", "CLAUDE", "CODEX"))}
    environ = {**kept, "RELAY_HOME": house.home, "PATH": f"{folder}:{os.environ['PATH']}" if path is None else path}
    done = subprocess.run(
        [node, os.path.join(folder, "play.mjs"), house.repository, *words],
        env=environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_session_joins_is_told_once_and_is_stopped_before_an_edit_of_what_is_held(house: House) -> None:
    said = play(house)
    assert said["parts"][0] == "go on"
    assert len(said["parts"]) == 2, "told once, however often the model is called"
    assert "this session is 'opencode-repo-" in said["parts"][1]
    assert said["told"][0] == ""
    assert "src/a.py: src is held by holder" in said["told"][1]
    assert "1 file that somebody else holds is changed in this worktree" in said["later"][-1]
    assert said["shell"] == {"RELAY_SESSION": "ses_1"}, "a subagent acts for the session that began it"
    joined = [event.actor for event in house.events("agent.joined") if event.via == "hook"]
    assert len(joined) == 1


def test_a_session_that_is_deleted_leaves(house: House) -> None:
    play(house, "end")
    assert [event.data["reason"] for event in house.events("agent.left")] == ["said so"]


def test_without_relay_opencode_goes_on(house: House, tmp_path: Path) -> None:
    said = play(house, path=str(tmp_path / "nowhere"))
    assert said["parts"] == ["go on"]
    assert said["told"] == ["", ""]
