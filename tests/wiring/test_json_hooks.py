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
        assert take_hooks(put, NAME, WANTED) == text


def test_a_hook_that_does_the_same_in_another_way_stays_and_is_never_taken_out() -> None:
    for own in (
        {**OURS, "command": "/opt/bin/relay", "timeout": 99},
        {"type": "command", "command": "relay hook stop"},
    ):
        text = settings({"matcher": "x", "hooks": [THEIRS, own]})
        assert put_hooks(text, NAME, WANTED) == text
        assert take_hooks(text, NAME, WANTED) == text
    watch = {**OURS, "args": ["hook", "watch"]}
    put = json.loads(put_hooks(settings({"hooks": [OURS]}), NAME, {"Stop": [{"hooks": [OURS, watch]}]}))
    assert put["hooks"]["Stop"] == [{"hooks": [OURS]}, {"hooks": [watch]}]


def test_only_hooks_that_relay_wrote_are_taken_out() -> None:
    text = settings({"hooks": [OURS, THEIRS]}, {"hooks": [OURS]}, "odd", {"hooks": "odd"})
    left = json.loads(take_hooks(text, NAME, WANTED))
    assert left == {"model": "x", "hooks": {"Stop": [{"hooks": [THEIRS]}, "odd", {"hooks": "odd"}]}}
    assert take_hooks('{"hooks": []}', NAME, WANTED) == '{"hooks": []}'


@pytest.mark.parametrize(("text", "told"), [
    ('{"hooks": []}', "'hooks' must be an object of lists"), ('{"hooks": 1}', "'hooks' must be an object of lists"),
    ('{"hooks": {"Stop": {}}}', "'hooks.Stop' must be a list"),
])  # fmt: skip
def test_hooks_of_another_shape_are_refused_with_the_shape_that_is_right(text: str, told: str) -> None:
    fault = refusal(put_hooks, text, NAME, WANTED)
    assert (fault.code, fault.message) == ("invalid", f"{NAME}: {told}.")


def test_the_server_stands_beside_others_and_goes_alone() -> None:
    text = '{"mcpServers": {"other": {"command": "x"}}}'
    put = put_server(text, NAME, SERVER)
    assert json.loads(put)["mcpServers"] == {"other": {"command": "x"}, "relay": SERVER}
    assert put_server(put, NAME, SERVER) == put
    assert take_server(put, NAME, SERVER) == text
    assert take_server(put_server("{}", NAME, SERVER), NAME, SERVER) == "{}"


def test_a_server_of_relays_with_a_persons_own_options_keeps_them() -> None:
    own = {"command": "/opt/relay", "args": ["mcp", "--channel"], "env": {"A": "b"}}
    text = json.dumps({"mcpServers": {"relay": own}})
    assert put_server(text, NAME, SERVER) == text
    assert take_server(text, NAME, SERVER) == text


def test_another_server_of_that_name_is_never_written_over_nor_taken_out() -> None:
    text = '{"mcpServers": {"relay": {"command": "npx", "args": ["relay"]}}}'
    assert refusal(put_server, text, NAME, SERVER).code == "file_exists"
    assert take_server(text, NAME, SERVER) == text
    assert refusal(put_server, '{"mcpServers": []}', NAME, SERVER).code == "invalid"
