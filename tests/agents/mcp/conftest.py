"""A client of the SDK's own, connected in memory to relay's server in either era of the protocol."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client

from relay_tui.actions.call import Call
from relay_tui.agents.mcp.desk import Desk
from relay_tui.agents.mcp.identity import read_standing
from relay_tui.agents.mcp.server import build_server
from tests.agents.conftest import SESSION
from tests.room_fixture import House

# How the SDK's client opens, and the revision that comes of it.
ERAS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
CLAUDE = {"CLAUDE_CODE_SESSION_ID": SESSION}


class Connected:
    """One connection; `meta` is what the client says beside every call."""

    def __init__(self, client: Client, meta: dict[str, Any] | None = None) -> None:
        self.client = client
        self.meta = meta

    def saying(self, **meta: Any) -> Connected:
        """The same connection, with other words beside its calls."""
        return Connected(self.client, meta)

    async def ok(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool answers; the text says the same as the structured content."""
        result = await self.client.call_tool(tool, arguments, meta=self.meta)  # type: ignore[arg-type]
        (content,) = result.content
        assert not result.is_error, content
        answer: dict[str, Any] = result.structured_content
        assert content.type == "text"
        assert json.loads(content.text) == answer
        return answer

    async def refused(self, tool: str, **arguments: Any) -> dict[str, str]:
        """The error that a tool answers, as a model reads it."""
        result = await self.client.call_tool(tool, arguments, meta=self.meta)  # type: ignore[arg-type]
        (content,) = result.content
        assert result.is_error, content
        assert result.structured_content is None
        assert content.type == "text"
        error: dict[str, str] = json.loads(content.text)["error"]
        assert error.keys() == {"code", "message", "hint"}
        return error


def desk_of(
    house: House, environ: Mapping[str, str], *, folder: str | None = None, name: str | None = None, parent: int = 0,
    clock: Callable[[], int] | None = None,
) -> Desk:  # fmt: skip
    standing = read_standing(Call("mcp", {}, as_=name), environ, folder or house.repository, parent)
    return Desk(house.home, None, standing, {"clock": clock or house.clock, "new_id": house.new_id})


@asynccontextmanager
async def connect(
    house: House, era: str = "auto", environ: Mapping[str, str] = CLAUDE, **where: Any
) -> AsyncIterator[Connected]:
    async with Client(build_server(desk_of(house, environ, **where)), mode=era) as client:  # type: ignore[arg-type]
        yield Connected(client)


@pytest.fixture(params=ERAS)
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)
