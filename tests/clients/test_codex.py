"""Codex itself in a repository that `relay setup` wired: what its model sees, and what the room learns."""

from __future__ import annotations

import json

from tests.clients.desk import Desk
from tests.clients.model_api import Use

WITH_TOOLS = ("exec", "--json", "--dangerously-bypass-hook-trust", "--sandbox", "danger-full-access")
# Most sessions need no server, whose start is the dearest part of them.
RUN = (*WITH_TOOLS, "-c", "mcp_servers.relay.enabled=false")
# The first turn does not wait for the server; this tool of Codex's own does.
WAIT = Use("list_mcp_resources", {"server": "relay"})
PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a = 1\n+a = 2\n*** End Patch\n"


def test_a_session_joins_hears_of_mail_is_guarded_uses_the_tools_and_leaves(codex: Desk) -> None:
    codex.api.will(codex.write_and_ask, "Main.")
    said = codex.run(codex.program, *RUN, "hello")
    first = codex.agent()
    assert 'from bob (a question): "Question: Which base?"' in codex.api.heard(1), "it is asked before it stops"
    assert "Look at a.py first" not in codex.api.heard(1)
    assert (first.runner, first.state, first.ephemeral) == ("codex", "left", True)
    assert (first.branch, first.worktree) == ("main", codex.house.repository)
    assert first.pid is not None, "though no hook is told its client's process"
    assert first.session == json.loads(said.split("\n")[0])["thread_id"]
    assert "clamping" not in said
    codex.house.claim(codex.bob, "src/a.py", note="rewrite")
    codex.api.will(
        WAIT,
        Use("apply_patch", PATCH),
        Use("exec_command", {"cmd": f"apply_patch <<'EOF'\n{PATCH}EOF"}),
        Use("mcp__relay.inbox", {"do": "read"}),
        Use("mcp__relay.send", {"to": "bob", "message": "I saw it"}),
        Use("exec_command", {"cmd": "relay whoami"}),
    )
    codex.run(codex.program, *WITH_TOOLS, "resume", first.session, "go on")
    digest = codex.api.heard(2)
    assert f"relay: this session is '{first.agent}' in the room 'shop', on branch main." in digest
    assert 'from bob: "Look at a.py first"' in digest
    assert "second line" not in digest
    for turn in (4, 5):
        assert "Command blocked by PreToolUse hook: src/a.py is held by bob" in codex.api.heard(turn)
    assert codex.api.heard(5).count("Command blocked by") == 2
    assert codex.read("src/a.py") == "a = 1\n"
    assert "second line" in codex.api.heard(6), "the tool brings the whole"
    (answer,) = codex.house.poll(codex.bob).messages
    assert (answer.from_, answer.body) == (first.agent, "I saw it")
    assert f"{first.agent} · live" in codex.api.heard(8), "its shell knows who acts"
    assert codex.agent().state == "left"


def test_hooks_that_nobody_trusts_are_skipped_and_the_tools_of_a_launched_client_know_its_name(codex: Desk) -> None:
    codex.api.will(WAIT, Use("mcp__relay.status", {"status": "working", "text": "reading"}))
    untrusted = [word for word in WITH_TOOLS if "trust" not in word]
    codex.run("relay", "launch", "codex", "--as", "cody", "--", *untrusted, "hello")
    agent = codex.agent()
    assert (agent.agent, agent.state, agent.text) == ("cody", "live", "reading")
    assert "relay: this session is" not in codex.api.heard(0)
