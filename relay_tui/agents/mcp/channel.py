"""Claude Code's channel, an extra that a person asks for: new mail is told to an idle session (DESIGN §6.2, notified).

The notice is recorded before it is sent, says how many and which, never a peer's words, and is not repeated:
Claude gives no receipt, so nothing here ever counts as delivered. Claude takes a channel from a server of the
handshake era only.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server import Server
from mcp.server.runner import serve_loop
from pydantic import BaseModel

from relay_tui.agents.mcp.identity import session_of
from relay_tui.agents.session import actor_of, find_session
from relay_tui.base.errors import RelayError
from relay_tui.room.bell import LOOK_EVERY, Bell
from relay_tui.room.notices import take_untold
from relay_tui.room.wakes import wake_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.session import ServerSession

    from relay_tui.agents.mcp.desk import Desk
    from relay_tui.room.notices import Untold
    from relay_tui.room.rooms import Room

CAPABILITY: dict[str, dict[str, Any]] = {"claude/channel": {}}
METHOD = "notifications/claude/channel"
INSTRUCTIONS = (
    " New mail is announced by <channel source=\"relay\" count=\"…\" ids=\"…\">, written by relay itself;"
    " `inbox` shows the mail."
)  # fmt: skip
_IDS = 8


class Notice(BaseModel):
    """A notification of Claude's own, which the SDK only dumps."""

    method: str
    params: dict[str, Any]


async def serve_with_channel(server: Server[Any], desk: Desk, reader: Any, writer: Any) -> None:
    """Serve one connection in the handshake era, and announce new mail until it ends."""
    sessions: list[ServerSession] = []
    ready = anyio.Event()

    async def await_handshake(ctx: ServerRequestContext[Any], call_next: CallNext) -> HandlerResult:
        done = await call_next(ctx)
        if ctx.method == "notifications/initialized":
            sessions.append(ctx.session)
            ready.set()
        return done

    async def announce() -> None:
        await ready.wait()
        await announce_mail(desk, sessions[0].send_notification)

    server.middleware.append(await_handshake)
    options = server.create_initialization_options(experimental_capabilities=CAPABILITY)
    async with anyio.create_task_group() as tasks, server.lifespan(server) as state:
        tasks.start_soon(announce)
        await serve_loop(server, reader, writer, lifespan_state=state, init_options=options)
        tasks.cancel_scope.cancel()


async def announce_mail(desk: Desk, announce: Callable[[Any], Awaitable[None]]) -> None:
    """Look for mail until it is cancelled. A busy room is looked at again; any other fault is noted, once."""
    noted = ""
    with Bell(desk.home) as bell:
        while True:
            news = await anyio.to_thread.run_sync(partial(take_news, desk))
            if not isinstance(news, RelayError):
                if news:
                    await announce(notice_of(news))
            elif news.code != "busy" and news.message != noted:
                noted = news.message
                desk.note("mcp --channel", news)
            await anyio.to_thread.run_sync(bell.wait, LOOK_EVERY)


def take_news(desk: Desk) -> list[Untold] | RelayError:
    """Mail that the session's runner was not told of, recorded as notified."""
    return desk.attempt(lambda: desk.visit(desk.standing.folder, partial(_take, desk)))


def notice_of(mail: list[Untold]) -> Notice:
    ids = ",".join(one.id for one in mail[:_IDS])
    meta = {"count": str(len(mail)), "ids": ids}
    return Notice(method=METHOD, params={"content": wake_line(len(mail)), "meta": meta})


def _take(desk: Desk, room: Room) -> list[Untold]:
    who = session_of(room, desk.standing, {})
    known = find_session(room, who)
    if known is None or known.row.standing != "here":
        return []
    return take_untold(room, actor_of(known, who), "channel")
