"""What a command that agents run all day may load: a list of modules, never a clock (DESIGN §4, weight)."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

from tests.cli.conftest import PROJECT, CommandLine

FORBIDDEN = frozenset(
    "typer click rich textual git watchdog sqlite_utils typing dataclasses inspect re pathlib subprocess logging json"
    " argparse sqlite3 datetime contextlib importlib secrets socket asyncio pydantic markdown_it psutil platformdirs"
    " threading tempfile shutil mcp".split()
)
HOT = {
    "send": "send --as alice --to bob --message hello",
    "send in answer": "send --as bob --reply-to {id} --message thanks --summary s --id retry-1",
    "send to all": "send --as alice --to '*' --message hello",
    "inbox": "inbox --as bob",
    "inbox again": "inbox --as bob --since c1 --limit 5 --from alice --older-than 5m",
    "ack": "ack --as bob {id} --note done",
    "claim": "claim --as alice src/b.py machine:native --note tests",
    "release": "release --as alice src/a.py",
    "claims": "claims --over src",
    "status": "status working --as alice --text on --branch main --worktree .",
    "question": "status waiting --as alice --needs bob --question why",
    "join": "join --as carol --runner codex --pid 1 --branch main",
    "receipt": "receipt {id}",
    "guard": "guard --as alice src/a.py src/b.py",
    "guard in advice": "guard --as bob --advise src/a.py README.md",
    "handoff": "handoff request --as alice src/a.py --to bob --reason done",
}
# Without site packages and their .pth files, so that what is there at the end came from relay.
REPORT = f"""
import sys
before = set(sys.modules)
sys.path.insert(0, {PROJECT!r})
from relay_tui.cli.main import run
code = run(sys.argv[1:])
sys.stderr.write(" ".join(sorted(set(sys.modules) - before)))
sys.exit(code)
"""


def loaded_by(words: list[str]) -> set[str]:
    done = subprocess.run([sys.executable, "-I", "-S", "-c", REPORT, *words], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return set(done.stderr.decode().split())


@pytest.mark.parametrize("json_wanted", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("name", HOT)
def test_a_hot_command_stays_light(crew: CommandLine, name: str, json_wanted: bool) -> None:
    sent = crew.data("send --as alice --to bob --message before")["id"]
    crew.ok("claim --as alice src/a.py")
    loaded = loaded_by(shlex.split(HOT[name].format(id=sent)) + ["--json"] * json_wanted)
    assert {"_sqlite3", "relay_tui.actions.call"} <= loaded, "the report must see what is loaded"
    assert loaded & FORBIDDEN == set()


def test_an_agent_whose_process_is_gone_is_seen_off_as_lightly(crew: CommandLine) -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        crew.ok(f"join --as gone --ephemeral --pid {process.pid}")
        process.kill()
    assert loaded_by(shlex.split(HOT["send"])) & FORBIDDEN == set()
    assert [agent["state"] for agent in crew.data("agents --state left")["agents"]] == ["left"]


def test_reading_leaves_the_screens_git_and_other_jobs_alone(crew: CommandLine) -> None:
    loaded = loaded_by("claims --json".split())
    assert not any(name.startswith(("relay_tui.tui", "relay_tui.repo", "relay_tui.roadmap")) for name in loaded)
    assert not loaded & {"relay_tui.room.messages", "relay_tui.room.rebuild", "unicodedata", "hashlib"}


def test_the_same_plan_again_is_known_by_its_hash_alone(crew: CommandLine) -> None:
    with open("PLAN.md", "w", encoding="utf-8") as plan:
        plan.write("# Plan\n\n- [ ] a\n- prose\n")
    crew.ok("work import --as alice --file PLAN.md")
    loaded = loaded_by("work import --as alice --file PLAN.md --json".split())
    assert "relay_tui.actions.plan_files.importing" in loaded
    assert not any(name.startswith(("relay_tui.roadmap", "relay_tui.repo")) for name in loaded)
    assert loaded & FORBIDDEN == set()
