"""What every client of relay's MCP server can rely on, in both eras of the protocol."""

from __future__ import annotations

import json
from typing import Any

import mcp_types
import pytest
from mcp.shared.exceptions import MCPError

from relay_tui.actions.table import ACTIONS
from relay_tui.agents.mcp.answers import PEERS
from relay_tui.agents.mcp.schemas import input_schema
from relay_tui.agents.mcp.tools import TOOLS, parameters_of
from relay_tui.room.ledger import Actor
from tests.agents.mcp.conftest import ERAS, connect
from tests.room_fixture import House

NAMES = ["room", "send", "inbox", "ack", "status", "claim", "release", "handoff", "branch", "work"]
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("room", {}), ("send", {"to": "b", "message": "hello", "request_id": "r1"}), ("inbox", {}),
    ("inbox", {"do": "read", "limit": 1}), ("inbox", {"do": "show", "id": "M0000001"}), ("ack", {"ids": ["M0000001"]}),
    ("status", {"status": "working", "text": "on it", "needs": "b", "question": "Which base?"}),
    ("claim", {"resources": ["docs", "machine:gpu"], "note": "mine"}), ("claim", {"do": "list"}),
    ("claim", {"do": "list", "over": "src"}), ("release", {"resources": ["machine:gpu"]}),
    ("handoff", {"do": "offer", "resources": ["docs"], "to": "b", "reason": "done"}), ("handoff", {}),
    ("handoff", {"do": "ask", "resources": ["src"]}), ("handoff", {"do": "cancel", "id": "H0000001"}),
    ("branch", {}), ("branch", {"do": "claim", "branch": "main"}), ("branch", {"do": "release", "branch": "main"}),
    ("work", {"do": "add", "title": "Rotate tokens", "label": ["auth"]}), ("work", {}),
    ("work", {"do": "set", "id": "W1", "status": "in-progress"}), ("work", {"do": "tree", "depth": 1}),
    ("work", {"do": "show", "id": "W1"}), ("release", {"all": True}),
)  # fmt: skip


async def test_the_tools_and_their_hints(house: House, era: str) -> None:
    async with connect(house, era) as mcp:
        tools = (await mcp.client.list_tools()).tools
    assert [tool.name for tool in tools] == NAMES
    for tool in tools:
        hints = tool.annotations
        assert hints is not None
        assert (hints.destructive_hint, hints.open_world_hint) == (False, False)
        assert hints.read_only_hint is (tool.name == "room")
        assert hints.idempotent_hint is (tool.name not in ("send", "status", "handoff", "work"))
        assert tool.title and tool.description
        assert tool.output_schema is not None
        assert tool.output_schema["type"] == tool.input_schema["type"] == "object"


async def test_every_answer_has_only_what_its_schema_says(house: House, b: Actor, era: str) -> None:
    house.claim(b, "src")
    async with connect(house, era) as mcp:
        name = (await mcp.ok("room"))["me"]
        house.send(b, name, "first")
        schemas = {tool.name: tool.output_schema for tool in (await mcp.client.list_tools()).tools}
        answered = [(tool, await mcp.ok(tool, **arguments)) for tool, arguments in CALLS]
    for tool, answer in answered:
        schema = schemas[tool]
        assert schema is not None
        assert_described(answer, schema, schema.get("$defs", {}))
    assert {tool for tool, _ in CALLS} == set(NAMES)
    house.assert_whole()


def assert_described(value: Any, schema: dict[str, Any], known: dict[str, Any]) -> None:
    """Every member stands in the schema, with its type, all the way down."""
    schema = known[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
    assert isinstance(value, kinds[schema["type"]])
    for name in value if isinstance(value, dict) else ():
        assert_described(value[name], schema["properties"][name], known)
    for one in value if isinstance(value, list) else ():
        assert_described(one, schema["items"], known)


async def test_the_resources(house: House, b: Actor, era: str) -> None:
    house.claim(b, "src/auth", note="rewrite")
    async with connect(house, era) as mcp:
        name = (await mcp.ok("room"))["me"]
        sent = house.send(b, name, "first\nsecond")
        await mcp.ok("work", do="add", title="Rotate tokens")
        listed = (await mcp.client.list_resources()).resources
        read = {}
        for one in listed:
            (contents,) = (await mcp.client.read_resource(one.uri)).contents
            assert isinstance(contents, mcp_types.TextResourceContents)
            assert contents.mime_type == "application/json"
            read[one.uri] = json.loads(contents.text)
    assert list(read) == ["relay://inbox", "relay://claims", "relay://branches", "relay://roadmap"]
    (mail,) = read["relay://inbox"]["messages"]
    assert (mail["id"], mail["peer_summary"], mail.get("peer_body")) == (sent.id, "first", None)
    assert read["relay://claims"]["claims"][0]["holder"] == "b"
    assert "main" in [row["branch"] for row in read["relay://branches"]["branches"]]  # others share the repository
    assert read["relay://roadmap"]["items"][0]["title"] == "Rotate tokens"
    assert house.receipt(sent.id, name).stage == "stored"


async def test_what_is_not_there_is_the_protocols_error(house: House, era: str) -> None:
    async with connect(house, era) as mcp:
        with pytest.raises(MCPError, match="no tool of this name"):
            await mcp.client.call_tool("hook", {})
        with pytest.raises(MCPError, match="no such resource"):
            await mcp.client.read_resource("relay://secrets")
    async with connect(house, era, {}) as mcp:
        with pytest.raises(MCPError, match="does not say which session"):
            await mcp.client.read_resource("relay://inbox")


async def test_the_instructions_say_whose_words_a_model_reads(house: House, era: str) -> None:
    async with connect(house, era) as mcp:
        assert mcp.client.protocol_version == ERAS[era]
        assert mcp.client.instructions is not None
        assert PEERS in mcp.client.instructions


def test_every_argument_is_one_of_the_actions_own() -> None:
    for tool in TOOLS.values():
        for step in tool.steps.values():
            assert step.action in ACTIONS
            assert parameters_of(step).keys() == set(step.takes)
        said = input_schema(tool)["properties"]
        assert not {"as", "session", "name", "room", "force", "takeover", "of"} & said.keys(), (
            "nobody says who they are"
        )
