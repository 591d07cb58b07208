"""The server itself: the SDK's handlers over the tables of tools and resources. No rule of relay's stands here.

It is built on the SDK's low-level server, which answers both eras of the protocol and lets a channel be declared.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.server import Server
from mcp.shared.exceptions import MCPError

from relay_tui import __version__
from relay_tui.agents.mcp.answers import PEERS
from relay_tui.agents.mcp.identity import key_of_call
from relay_tui.agents.mcp.resources import RESOURCES
from relay_tui.agents.mcp.schemas import input_schema, output_schema
from relay_tui.agents.mcp.tools import TOOLS, Tool, read_request
from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from mcp.server.context import ServerRequestContext

    from relay_tui.agents.mcp.answers import Answer
    from relay_tui.agents.mcp.desk import Desk
    from relay_tui.agents.mcp.tools import Request

    Carry = Callable[[Callable[[], Request], Mapping[str, Any]], Awaitable[Answer | RelayError]]

INSTRUCTIONS = (
    "relay is the room that the coding agents on this machine share: who is here, mail, claims on files and"
    " branches, the roadmap. `room` says who you are here. Claim what you edit, release it when done, and ack mail"
    f" that you have dealt with. {PEERS}"
)
_JSON = "application/json"
# Claude Code cuts longer results, and a body that was cut would still count as delivered.
_LONG = {"anthropic/maxResultSizeChars": 500_000}


def build_server(desk: Desk, *, more_instructions: str = "") -> Server[Any]:
    """A server whose calls are carried out at `desk`, one at a time and in the order in which they came."""
    one_at_a_time = anyio.CapacityLimiter(1)

    async def carry(read: Callable[[], Request], meta: Mapping[str, Any]) -> Answer | RelayError:
        return await anyio.to_thread.run_sync(partial(desk.carry_out, read, meta), limiter=one_at_a_time)

    return Server(
        "relay", version=__version__, title="relay", instructions=INSTRUCTIONS + more_instructions,
        on_list_tools=_list_tools, on_call_tool=partial(_call_tool, carry), on_list_resources=_list_resources,
        on_read_resource=partial(_read_resource, carry),
    )  # fmt: skip


async def _list_tools(
    _ctx: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[_published(tool) for tool in TOOLS.values()])


async def _call_tool(
    carry: Carry, ctx: ServerRequestContext[Any], params: types.CallToolRequestParams
) -> types.CallToolResult:
    """Refusals are results that say `is_error`, so that a model reads them and can mend its call."""
    tool = TOOLS.get(params.name)
    if tool is None:
        raise MCPError(types.INVALID_PARAMS, f"relay has no tool of this name; it has {', '.join(TOOLS)}.")
    meta = _meta(ctx)
    answer = await carry(partial(read_request, tool, params.arguments or {}, key_of_call(meta)), meta)
    if isinstance(answer, RelayError):
        refusal = {"code": answer.code, "message": inert(answer.message), "hint": inert(answer.hint)}
        return types.CallToolResult(content=[_text({"error": refusal})], is_error=True)
    document = answer.document()
    return types.CallToolResult(content=[_text(document)], structured_content=document)


async def _list_resources(
    _ctx: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    listed = [
        types.Resource(name=one.name, uri=one.uri, title=one.title, mime_type=_JSON) for one in RESOURCES.values()
    ]
    return types.ListResourcesResult(resources=listed)


async def _read_resource(
    carry: Carry, ctx: ServerRequestContext[Any], params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    """Raises the protocol's own errors: a resource has no result that could say `is_error`."""
    wanted = RESOURCES.get(str(params.uri))
    if wanted is None:
        raise MCPError(types.INVALID_PARAMS, f"relay has no such resource; it has {', '.join(RESOURCES)}.")
    answer = await carry(wanted.request, _meta(ctx))
    if isinstance(answer, RelayError):
        refusal = {"code": answer.code, "hint": inert(answer.hint)}
        raise MCPError(types.INTERNAL_ERROR, inert(answer.message), refusal)
    contents = types.TextResourceContents(uri=params.uri, mime_type=_JSON, text=_encoded(answer.document()))
    return types.ReadResourceResult(contents=[contents])


def _published(tool: Tool) -> types.Tool:
    published = types.Tool(
        name=tool.name, title=tool.title, description=tool.about, input_schema=input_schema(tool),
        output_schema=output_schema(tool.answer),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads, destructive_hint=False, idempotent_hint=tool.repeatable, open_world_hint=False
        ),
    )  # fmt: skip
    if tool.name == "inbox":
        published.meta = _LONG
    return published


def _meta(ctx: ServerRequestContext[Any]) -> Mapping[str, Any]:
    """What the client says beside the arguments of a call."""
    return dict(ctx.meta or {})


def _text(document: Mapping[str, Any]) -> types.TextContent:
    return types.TextContent(text=_encoded(document))


def _encoded(document: Mapping[str, Any]) -> str:
    """Compact, and in the letters that it has: a model pays for each character of an escape."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
