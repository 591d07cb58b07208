"""relay's block of lines in Markdown and TOML, and what it says."""

from __future__ import annotations

import re
import shlex
import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from relay_tui.actions.call import parse
from relay_tui.wiring.agents_md import HABITS, put_habits, put_include, take_block_of_markdown
from relay_tui.wiring.codex_toml import put_codex, take_codex
from relay_tui.wiring.marked_block import MARKDOWN, put_block, take_block
from tests.room_fixture import refusal

CONFIG = (
    'model = "x" # mine\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = "say"\n\n[mcp_servers.a]\ncommand = "b"\n'
)


@example("a\rb\r")
@example("a\x1c<!-- relay:end -->\n")
@given(st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: not text or text.strip()))
def test_a_block_that_is_put_in_and_taken_out_leaves_the_text(text: str) -> None:
    put = put_block(text, "x", MARKDOWN, "one\ntwo")
    assert put_block(put, "x", MARKDOWN, "one\ntwo") == put
    assert take_block(put, "x", MARKDOWN) in (text, f"{text}\n", f"{text}\r\n")


def test_a_block_is_brought_up_to_date_where_it_stands() -> None:
    text = put_block("before\n", "x", MARKDOWN, "old") + "after, without an end"
    assert put_block(text, "x", MARKDOWN, "new") == text.replace("old", "new")
    assert take_block(text, "x", MARKDOWN) == "before\nafter, without an end"
    at_the_end = put_block("a\r\n", "x", MARKDOWN, "old").removesuffix("\r\n")
    assert put_block(at_the_end, "x", MARKDOWN, "new") == at_the_end.replace("old", "new")


@pytest.mark.parametrize("lines", [["begin"], ["end"], ["end", "begin"], ["begin", "begin", "end"]])
def test_marks_that_do_not_pair_are_refused(lines: list[str]) -> None:
    text = "\n".join(getattr(MARKDOWN, mark) for mark in lines)
    assert refusal(put_block, text, "x", MARKDOWN, "one").code == "invalid"
    assert refusal(take_block, text, "x", MARKDOWN).code == "invalid"


def test_the_habits_are_short_and_every_line_of_relays_in_them_is_one() -> None:
    assert put_habits("", "AGENTS.md").count("\n") <= 25
    lines = [line for line in re.findall(r"`(relay [^`]+)`", " ".join(HABITS.split())) if "--help" not in line]
    calls = [parse(shlex.split(line)[1:]) for line in lines]
    assert None not in calls
    assert {call.action for call in calls if call} >= {
        "whoami", "join", "inbox", "ack", "claim", "release", "branch claim", "handoff ask", "handoff request",
    }  # fmt: skip


def test_who_includes_agents_md_already_is_left_alone() -> None:
    own = "# Notes\n\nSee @AGENTS.md\n"
    assert put_include(own, "CLAUDE.md", "@AGENTS.md") == own
    own = "Never edit AGENTS.md by hand.\n"
    put = put_include(own, "CLAUDE.md", "@AGENTS.md")
    assert "\n@AGENTS.md\n" in put
    assert put_include(put, "CLAUDE.md", "@AGENTS.md") == put
    assert take_block_of_markdown(put, "CLAUDE.md") == own


@pytest.mark.parametrize("text", ["", CONFIG, CONFIG.replace("\n", "\r\n"), "# only a remark\n"])
def test_codex_has_relays_server_and_hooks_beside_its_own(text: str) -> None:
    put = put_codex(text, "config.toml")
    assert put.startswith(text)
    before, after = tomllib.loads(text), tomllib.loads(put)
    server = after["mcp_servers"].pop("relay")
    assert (server["command"], server["args"]) == ("relay", ["mcp"])
    assert {"RELAY_HOME", "RELAY_AGENT", "RELAY_SESSION"} < set(server["env_vars"]), "what Codex would keep from it"
    assert after["mcp_servers"] == before.get("mcp_servers", {})
    assert after["hooks"]["SessionEnd"][-1]["hooks"][0]["timeout"] == 3, "more is complained of at each start"
    assert after["hooks"]["Stop"][:-1] == before.get("hooks", {}).get("Stop", [])
    for event, groups in after["hooks"].items():
        call = parse(groups[-1]["hooks"][0]["command"].split()[1:])
        assert call is not None, event
        assert (call.action, call.values["client"]) == ("hook", "codex")
    assert put_codex(put, "config.toml") == put
    assert take_codex(put, "config.toml") == text


def test_tables_that_codex_put_into_relays_block_are_left_in_place_of_it() -> None:
    put = put_codex(CONFIG, "config.toml")
    trusted = '[projects."/x"]\ntrust_level = "trusted"\n'
    inside = put.replace("# relay:end", f"{trusted}# relay:end")
    assert put_codex(inside, "config.toml") == inside
    assert tomllib.loads(take_codex(inside, "config.toml")) == tomllib.loads(CONFIG + trusted)
    half = re.sub(r"\[mcp_servers\.relay\].*?\n\n", "", inside, flags=re.DOTALL)
    assert tomllib.loads(put_codex(half, "config.toml")) == tomllib.loads(inside)


@pytest.mark.parametrize(("old", "new", "told"), [
    ('args = ["mcp"]', 'args = ["mcp"]\nstartup_timeout_sec = 20', "startup_timeout_sec = 20"),
    ("[mcp_servers.relay]", "# mine\n[mcp_servers.relay]", "# mine"),
    ('hook stop --client codex"\ntimeout = 10', 'hook stop --client codex"\ntimeout = 99', "timeout = 99"),
    ('hook stop --client codex"\ntimeout = 10', 'hook stop --client codex"', "[[hooks.Stop.hooks]]"),
])  # fmt: skip
def test_a_line_of_a_persons_in_relays_own_tables_is_named_and_nothing_is_lost(old: str, new: str, told: str) -> None:
    text = put_codex(CONFIG, "config.toml")
    assert text.count(old) == 1
    for edit in (put_codex, take_codex):
        fault = refusal(edit, text.replace(old, new), "config.toml")
        assert (fault.code, fault.message) == (
            "file_exists", f"config.toml: relay's block is not as relay wrote it: {told}",
        )  # fmt: skip


@pytest.mark.parametrize(("text", "told"), [
    ('a = 1\nmcp_servers = {a = {command = "b"}}\n', "line 2: 'mcp_servers' is"), ("mcp_servers = 1\n", "line 1"),
    ("hooks = {Stop = []}\n", "line 1: 'hooks' is"), ("# Stop\nhooks.Stop = []\n", "line 2: 'hooks.Stop' is"),
    ("[hooks]\nStop = [{hooks = []}]\n", "line 2: 'hooks.Stop' is"),
    ("[hooks.Stop]\na = 1\n", "line 1: 'hooks.Stop' is"),
    ('"mcp\\u005fservers" = 1\n', "config.toml: 'mcp_servers' is"),
])  # fmt: skip
def test_what_no_table_can_be_added_to_is_named_with_its_line(text: str, told: str) -> None:
    fault = refusal(put_codex, text, "config.toml")
    assert fault.code == "invalid"
    assert told in fault.message


@pytest.mark.parametrize(("text", "code"), [
    ("model = ", "invalid"), ("\ufeffa = 1\n", "invalid"),
    ('[mcp_servers.relay]\ncommand = "x"\n', "file_exists"),
    ('[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = "relay hook stop"\n', "file_exists"),
])  # fmt: skip
def test_a_configuration_that_no_block_can_be_added_to_is_refused(text: str, code: str) -> None:
    fault = refusal(put_codex, text, "config.toml")
    assert fault.code == code
    assert ("byte order mark" in fault.message) == text.startswith("\ufeff")
