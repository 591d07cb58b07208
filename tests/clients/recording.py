"""What real clients gave to relay's hooks, kept as files that a test without clients gives to them again.

`UPDATE_RECORDED=1` makes them anew. Ids, paths and moments of the machine are put out of them.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from tests.cli.conftest import PROJECT

if TYPE_CHECKING:
    from tests.clients.desk import Desk

UPDATE = os.environ.get("UPDATE_RECORDED") == "1"
FOLDER = os.path.join(PROJECT, "tests", "agents", "recorded")
REPOSITORY, PROCESS = "{repository}", "{process}"
# What relay reads of a hook's environment, by client; a process is one that the test finds.
_READ = {
    "claude": ("CLAUDECODE", "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID"),
    "codex": ("CODEX_HOME",),
}
_MADE: set[str] = set()
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def keep_recordings(desk: Desk) -> None:
    """One file for each kind of call that was made at a desk; the first of a kind in a run of the tests is kept."""
    ids: dict[str, str] = {}
    os.makedirs(FOLDER, exist_ok=True)
    for name in sorted(os.listdir(desk.kept)):
        stem, ends = os.path.splitext(name)
        if ends != ".json":
            continue
        said = json.loads(_read(desk, f"{stem}.json", ids))
        event = stem.partition("-")[2]
        lines = _read(desk, f"{stem}.env", ids).split("\n")
        environ = dict(line.split("=", 1) for line in sorted(lines) if line.partition("=")[0] in _READ[desk.client])
        if "CLAUDE_PID" in environ:
            environ["CLAUDE_PID"] = PROCESS
        kind = "-".join(filter(None, (desk.client, event, _kind_of(event, said, environ))))
        if kind not in _MADE:
            _MADE.add(kind)
            kept = {"line": f"hook {event} --client {desk.client}", "environ": environ, "stdin": said}
            with open(os.path.join(FOLDER, f"{kind}.json"), "w", encoding="utf-8") as file:
                file.write(json.dumps(kept, indent=2) + "\n")


def _kind_of(event: str, said: dict[str, Any], environ: dict[str, str]) -> str:
    """What tells two calls of one event apart."""
    if event == "watch":
        return "unattended" if environ["CLAUDE_CODE_SESSION_ATTENDED"] == "0" else ""
    told = said.get("source") or said.get("reason") or said.get("tool_name") or said.get("notification_type") or ""
    return str(told).replace("_", "-").lower()


def _read(desk: Desk, name: str, ids: dict[str, str]) -> str:
    with open(os.path.join(desk.kept, name), encoding="utf-8") as file:
        text = file.read().replace(desk.house.repository, REPOSITORY).replace(desk.house.folder, "{folder}")
    text = re.sub(r'"transcript_path":"[^"]*"', '"transcript_path":"{transcript}"', text)
    return _UUID.sub(lambda found: ids.setdefault(found[0], f"00000000-0000-4000-8000-{len(ids) + 1:012}"), text)
