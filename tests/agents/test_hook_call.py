"""What clients say to a hook, each in its own shape."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relay_tui.agents.hook_call import HookCall, read_call, written_paths
from relay_tui.base.errors import RelayError
from tests.room_fixture import refusal

PATCH = """*** Begin Patch
*** Update File: src/a.py
*** Move to: src/b.py
@@
-*** Add File: not/a/header.py
+x
*** Add File: docs/new page.md
+y
*** Delete File: old.py
*** End Patch"""


def read(said: Any, client: str = "claude", **environ: str) -> HookCall:
    return read_call(json.dumps(said), client, environ, "/here")


def test_a_prompt_of_claude_code() -> None:
    said = {
        "session_id": "7c1f", "transcript_path": "/t.jsonl", "cwd": "/repo", "permission_mode": "default",
        "hook_event_name": "UserPromptSubmit", "prompt": "go on",
    }  # fmt: skip
    assert read(said) == HookCall("claude", "7c1f", "/repo", [], "", "", False)


def test_a_start_of_codex() -> None:
    said = {"session_id": "t-1", "cwd": "/repo", "turn_id": "u1", "model": "m", "source": "startup"}
    assert read(said, "codex") == HookCall("codex", "t-1", "/repo", [], "startup", "", False)


def test_what_is_not_said_is_taken_from_where_the_hook_stands() -> None:
    call = read({"stop_hook_active": True, "reason": "logout"}, CLAUDE_CODE_SESSION_ID="9d")
    assert (call.session, call.folder, call.is_continuing, call.occasion) == ("9d", "/here", True, "logout")


@pytest.mark.parametrize("said", ["", "null", "[1]", '{"session_id": 7}', "{", '{"session_id": "\\ud800"}'])
def test_anything_else_is_refused(said: str) -> None:
    assert refusal(read_call, said, "claude", {}, "/").code == "invalid"


@pytest.mark.parametrize(
    ("tool", "given_", "paths"),
    [
        ("Edit", {"file_path": "/r/a.py", "old_string": "x"}, ["/r/a.py"]),
        ("NotebookEdit", {"notebook_path": "/r/n.ipynb"}, ["/r/n.ipynb"]),
        ("edit", {"filePath": "a.ts"}, ["a.ts"]),
        ("Read", {"file_path": "/r/a.py"}, []),
        ("Write", {"file_path": "/r/patches.md", "content": PATCH}, ["/r/patches.md"]),
        ("Bash", {"command": "ls src"}, []),
        ("Bash", {"command": f"apply_patch <<'E'\n{PATCH}\nE"}, ["src/a.py", "src/b.py", "docs/new page.md", "old.py"]),
        ("apply_patch", {"input": PATCH}, ["src/a.py", "src/b.py", "docs/new page.md", "old.py"]),
        ("shell", {"command": ["apply_patch", PATCH]}, ["src/a.py", "src/b.py", "docs/new page.md", "old.py"]),
        ("Edit", "not an object", []),
    ],
)
def test_the_files_that_a_tool_writes(tool: str, given_: object, paths: list[str]) -> None:
    assert written_paths({"tool_name": tool, "tool_input": given_}) == paths


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["session_id", "cwd", "tool_input"]), inner),
))  # fmt: skip
def test_no_document_is_a_fault(said: object) -> None:
    try:
        read(said)
    except RelayError as fault:
        assert fault.code == "invalid"


def test_no_session_is_called_by_more_than_a_short_text() -> None:
    """It is stored with every event: a client's own id is short, and a cut one might be another's."""
    assert refusal(read_call, json.dumps({"session_id": "s" * 1_000_000}), "claude", {}, "/").code == "invalid"


def test_a_session_that_was_given_with_a_name_is_the_one_that_counts() -> None:
    assert read({"session_id": "t-1"}, RELAY_AGENT="nina", RELAY_SESSION="S1").session == "S1"
    assert read({"session_id": "t-1"}, RELAY_SESSION="S1").session == "t-1", "without a name it may be another client's"
