"""relay's hooks and server among a person's own, in the settings of Claude Code and Gemini CLI."""

from __future__ import annotations

import json
from typing import Any

import pytest

from relay_tui.wiring.json_hooks import put_hooks, put_server, take_hooks, take_server
from tests.room_fixture import refusal

NAME = "settings.json"
OURS = {"type": "command", "command": "relay", "args": ["hook", "stop", "--client", "claude"], "timeout": 10}
THEIRS = {"type": "command", "command": "relay-race start"}
WANTED: dict[str, list[dict[str, Any]]] = {"Stop": [{"hooks": [OURS]}]}
SERVER = {"command": "relay", "args": ["mcp"]}


def settings(*groups: object) -> str:
    return json.dumps({"model": "x", "hooks": {"Stop": list(groups)}}, indent=4)


def test_hooks_come_after_the_persons_own_and_go_without_a_trace() -> None:
    for text in (settings({"matcher": "*", "hooks": [THEIRS]}), '{"hooks": {"Other": []}}', '{"model": "x"}', "{}"):
        put = put_hooks(text, NAME, WANTED)
        assert json.loads(put)["hooks"]["Stop"][-1] == WANTED["Stop"][0]
        assert put_hooks(put, NAME, WANTED) == put
        assert take_hooks(put, NAME) == text


def test_a_hook_of_an_earlier_version_is_replaced_wherever_it_stands() -> None:
    earlier = {**OURS, "command": "/opt/bin/relay", "timeout": 1}
    shell = {"type": "command", "command": "relay hook stop"}
    text = settings({"hooks": [THEIRS, earlier]}, {"hooks": [shell]}, {"hooks": []})
    put = json.loads(put_hooks(text, NAME, WANTED))["hooks"]["Stop"]
    assert put == [{"hooks": [THEIRS]}, {"hooks": []}, {"hooks": [OURS]}]
    gone = put_hooks(json.dumps({"hooks": {"Old": [{"hooks": [earlier]}]}}), NAME, WANTED)
    assert json.loads(gone) == {"hooks": WANTED}


def test_only_relays_hooks_are_taken_out() -> None:
    text = settings({"hooks": [OURS, THEIRS]}, {"hooks": [OURS]}, "odd", {"hooks": "odd"})
    left = json.loads(take_hooks(text, NAME))
    assert left == {"model": "x", "hooks": {"Stop": [{"hooks": [THEIRS]}, "odd", {"hooks": "odd"}]}}
    assert take_hooks('{"hooks": []}', NAME) == '{"hooks": []}'


@pytest.mark.parametrize("text", ['{"hooks": []}', '{"hooks": {"Stop": {}}}', '{"hooks": 1}'])
def test_hooks_of_another_shape_are_refused(text: str) -> None:
    assert refusal(put_hooks, text, NAME, WANTED).code == "invalid"


def test_the_server_stands_beside_others_and_goes_alone() -> None:
    text = '{"mcpServers": {"other": {"command": "x"}}}'
    put = put_server(text, NAME, SERVER)
    assert json.loads(put)["mcpServers"] == {"other": {"command": "x"}, "relay": SERVER}
    assert put_server(put, NAME, SERVER) == put
    assert take_server(put, NAME) == text
    assert take_server(put_server("{}", NAME, SERVER), NAME) == "{}"
    older = put_server(text, NAME, {**SERVER, "timeout": 5})
    assert json.loads(put_server(older, NAME, SERVER)) == json.loads(put)


def test_another_server_of_that_name_is_never_written_over_nor_taken_out() -> None:
    text = '{"mcpServers": {"relay": {"command": "npx", "args": ["relay"]}}}'
    assert refusal(put_server, text, NAME, SERVER).code == "file_exists"
    assert take_server(text, NAME) == text
    assert refusal(put_server, '{"mcpServers": []}', NAME, SERVER).code == "invalid"
