"""Serving one connection on two descriptors, until the client closes its end."""

from __future__ import annotations

import os
from functools import partial
from io import TextIOWrapper
from typing import TYPE_CHECKING

import anyio
from mcp.server.stdio import stdio_server

from relay_tui.agents.mcp import channel as channels
from relay_tui.agents.mcp.server import build_server

if TYPE_CHECKING:
    from relay_tui.agents.mcp.desk import Desk


def run_server(desk: Desk, source: int, sink: int, *, channel: bool) -> None:
    """Serve both eras of the protocol; with a channel the handshake era only, as Claude Code wants it.

    A client that is gone ends it quietly.
    """
    try:
        anyio.run(partial(_serve, desk, source, sink, channel=channel))
    except* (BrokenPipeError, ConnectionResetError):
        pass


async def _serve(desk: Desk, source: int, sink: int, *, channel: bool) -> None:
    reader = TextIOWrapper(os.fdopen(source, "rb", closefd=False), encoding="utf-8", errors="replace")
    writer = TextIOWrapper(os.fdopen(sink, "wb", closefd=False), encoding="utf-8")
    async with stdio_server(anyio.wrap_file(reader), anyio.wrap_file(writer)) as (incoming, outgoing):
        if channel:
            server = build_server(desk, more_instructions=channels.INSTRUCTIONS)
            await channels.serve_with_channel(server, desk, incoming, outgoing)
        else:
            server = build_server(desk)
            await server.run(incoming, outgoing, server.create_initialization_options())
