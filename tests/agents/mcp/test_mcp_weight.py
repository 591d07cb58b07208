"""The SDK costs fifty times Python's own start, so nothing but `relay mcp` may load it (DESIGN §4, weight)."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest

from tests.cli.conftest import PROJECT, CommandLine, crew, relay
from tests.source import modules
from tests.test_layers import imports

__all__ = ["crew", "relay"]

HEAVY = {"mcp", "mcp_types", "pydantic", "anyio"}
# With the site's packages, so that the SDK could be loaded.
_REPORT = f"""
import sys
sys.path[:0] = [{PROJECT!r}, *{[path for path in sys.path if path.endswith("-packages")]!r}]
from relay_tui.cli.main import run
try:
    run(sys.argv[1:])
finally:
    sys.stderr.write("\\n" + " ".join(sys.modules))
"""


@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "mcp --help",
        "send --as alice --to bob --message x",
        "inbox --as bob",
        "claims",
        "hook prompt --client claude",
        "doctor",
    ],
)
def test_no_other_line_loads_the_sdk(crew: CommandLine, line: str) -> None:
    said = json.dumps({"session_id": "s-1", "cwd": crew.repository}).encode()
    words = [sys.executable, "-I", "-c", _REPORT, *shlex.split(line)]
    done = subprocess.run(words, input=said, capture_output=True, check=False)
    loaded = set(done.stderr.decode().rsplit("\n", 1)[-1].split())
    assert "relay_tui.actions.call" in loaded, "the report must see what is loaded"
    assert not loaded & HEAVY


def test_the_sdk_is_imported_below_the_server_only() -> None:
    for module in modules():
        known = {imported.partition(".")[0] for imported, _ in imports(module.tree)}
        assert module.name.startswith("agents.mcp.") or not known & HEAVY, module.name
        if module.name in ("agents.mcp.door", "agents.mcp.identity", "agents.mcp.desk"):
            assert not known & HEAVY, "what runs before descriptors are set aside"
