"""What a hook may load: a client waits for it at every prompt and every edit (DESIGN §4, weight)."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.cli.conftest import PROJECT, CommandLine, crew, relay
from tests.cli.test_weight import FORBIDDEN, REPORT

__all__ = ["crew", "relay"]


def loaded_by(relay: CommandLine, event: str, **said: Any) -> set[str]:
    document = json.dumps({"session_id": "s-1", "cwd": relay.repository, **said}).encode()
    command = [sys.executable, "-I", "-S", "-c", REPORT, "hook", event, "--client", "claude"]
    done = subprocess.run(command, input=document, capture_output=True, check=True)
    return set(done.stderr.decode().split())


@pytest.mark.parametrize(
    "event",
    ["session-start", "prompt", "stop", "check", "guard", "guard of what is held", "notification", "session-end"],
)
def test_a_hook_stays_light(crew: CommandLine, event: str) -> None:
    loaded_by(crew, "session-start")
    path = "src/b.py" if event == "guard of what is held" else "src/a.py"
    crew.ok("claim --as alice src/b.py --scope project") if event.startswith("guard") else None
    loaded = loaded_by(
        crew, event.split()[0], tool_name="Edit", tool_input={"file_path": path},
        notification_type="permission_prompt", message="May I?",
    )  # fmt: skip
    assert {"_sqlite3", "relay_tui.agents.hooks"} <= loaded, "the report must see what is loaded"
    assert loaded & FORBIDDEN == set()


def test_an_edit_loads_no_job_but_claims(crew: CommandLine) -> None:
    loaded_by(crew, "session-start")
    loaded = loaded_by(crew, "guard", tool_name="Edit", tool_input={"file_path": "src/a.py"})
    assert not loaded & {"relay_tui.room.registry", "relay_tui.room.messages", "hashlib", "relay_tui.repo.details"}
    assert PROJECT
