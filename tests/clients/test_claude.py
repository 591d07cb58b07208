"""Claude Code itself in a repository that `relay setup` wired: what its model sees, and what the room learns."""

from __future__ import annotations

import os

from tests.clients.desk import Desk, Terminal, wait_until
from tests.clients.model_api import Use

WITH_TOOLS = ("--permission-mode", "acceptEdits", "--allowedTools", "mcp__relay,Bash")
# Most sessions need no server, whose start is the dearest part of them.
MAY = (*WITH_TOOLS, "--strict-mcp-config")


def edit(desk: Desk, path: str, before: str, after: str) -> Use:
    place = os.path.join(desk.house.repository, path)
    return Use("Edit", {"file_path": place, "old_string": before, "new_string": after})


def test_a_session_joins_hears_of_mail_is_guarded_uses_the_tools_and_leaves(claude: Desk) -> None:
    """Nobody attends it: though the room may wake it, nothing keeps it from its end."""
    claude.api.will(claude.write_and_ask, "Main.")
    claude.run(claude.program, "-p", "hello", *MAY)
    first = claude.agent()
    assert 'from bob (a question): "Question: Which base?"' in claude.api.heard(1), "it is asked before it stops"
    assert "Look at a.py first" not in claude.api.heard(1)
    assert (first.runner, first.state, first.ephemeral) == ("claude", "left", True)
    assert (first.branch, first.worktree) == ("main", claude.house.repository)
    claude.house.claim(claude.bob, "src/a.py", note="rewrite")
    claude.api.will(
        edit(claude, "src/a.py", "a = 1", "a = 2"),
        Use("mcp__relay__inbox", {"do": "read"}),
        Use("mcp__relay__send", {"to": "bob", "message": "I saw it"}),
        Use("Bash", {"command": "relay whoami"}),
    )
    claude.run(claude.program, "-p", "go on", "--resume", str(first.session), *WITH_TOOLS)
    digest = claude.api.heard(2)
    assert f"relay: this session is '{first.agent}' in the room 'shop', on branch main." in digest
    assert 'from bob: "Look at a.py first"' in digest
    assert "second line" not in digest
    assert "src/a.py is held by bob" in claude.api.heard(3)
    assert "`relay handoff ask src/a.py --reason …` asks the holder" in claude.api.heard(3)
    assert claude.read("src/a.py") == "a = 1\n"
    assert "second line" in claude.api.heard(4), "the tool brings the whole"
    (answer,) = claude.house.poll(claude.bob).messages
    assert (answer.from_, answer.body) == (first.agent, "I saw it")
    assert f"{first.agent} · live" in claude.api.heard(6), "its shell knows who acts"
    assert claude.agent().state == "left"


def test_an_idle_session_is_woken_and_stays_the_same_agent_when_it_is_cleared(claude: Desk) -> None:
    with Terminal(claude, *MAY) as terminal:
        terminal.see("❯")
        claude.api.will("First.", "Woken.", edit(claude, "src/b.py", "b = 1", "b = 2"), "Second.")
        terminal.type("hello")
        terminal.see("First.")
        me = claude.agent()
        claude.house.claim(claude.bob._replace(name=me.agent, session=me.session), "src/b.py")
        sent = claude.house.send(claude.bob, me.agent, "a peer's words")
        assert "relay: 1 new message for this session; `relay inbox` shows them." in claude.api.heard(1)
        assert "a peer's words" not in claude.api.heard(1)
        assert claude.house.receipt(sent.id, me.agent).notified_by == "wake"
        terminal.see("Woken.")
        terminal.type("/clear")
        wait_until(lambda: claude.agent().session != me.session, "the session is cleared")
        assert claude.agent().agent == me.agent
        terminal.type("again")
        terminal.see("Second.")
        assert "This session holds src/b.py." in claude.api.heard(2)
        assert claude.read("src/b.py") == "b = 2\n", "its own claim is its own still"
        terminal.type("/exit")
        assert terminal.wait() == 0
    assert claude.agent().state == "left"


def test_a_session_that_asks_its_person_is_shown_as_waiting(claude: Desk) -> None:
    with Terminal(claude, "--permission-mode", "default", "--strict-mcp-config") as terminal:
        terminal.see("❯")
        claude.api.will(Use("Bash", {"command": "touch c.py"}))
        terminal.type("hello")
        claude.api.heard(0)
        wait_until(lambda: claude.agent().status == "waiting", "it is shown as waiting")
    assert claude.agent().text == "Claude needs your permission"
