"""Work that takes a while, in a thread that nobody waits for on the way out: the screen closes though git hangs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def aside(work: Callable[[], T], name: str) -> T:
    """What `work` returns; it must not raise, and knows no widget."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(found: T) -> None:
        if not done.cancelled():
            done.set_result(found)

    def run() -> None:
        found = work()
        with suppress(RuntimeError):  # the screen was closed meanwhile
            loop.call_soon_threadsafe(tell, found)

    threading.Thread(target=run, name=name, daemon=True).start()
    return await done
