"""Keys act in the order in which they were typed, however fast they come.

Textual runs a binding only when its key has risen from the focused widget through every parent to the app; keys
typed meanwhile would overtake it, so that a burst of letters and backspaces lost other letters than were meant.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from textual import events

if TYPE_CHECKING:
    from textual.app import App
    from textual.dom import DOMNode

    HandOn = Callable[[events.Event], Awaitable[None]]

LOST_AFTER = 1.0  # seconds: a key that rises for longer was dropped by a widget that went away


class KeyOrder:
    """Holds what is typed while a key that may be bound is on its way; text for one field flows freely."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._held: deque[tuple[events.Event, HandOn]] = deque()
        self._rising_since: float | None = None

    async def pass_on(self, event: events.Event, hand_on: HandOn) -> None:
        """Hand an event on, now or when the keys before it have acted."""
        if not isinstance(event, events.Key | events.Paste) or event.is_forwarded:
            return await hand_on(event)
        self._held.append((event, hand_on))
        if self._rising_since is None or time.monotonic() - self._rising_since > LOST_AFTER:
            await self._go_on()
        return None

    async def _go_on(self) -> None:
        self._rising_since = None
        while self._held and self._rising_since is None:
            event, hand_on = self._held.popleft()
            target = self._app.focused or self._app.screen
            await hand_on(event)
            if isinstance(event, events.Key) and event.is_forwarded and not _is_text(event, target):
                self._rising_since = time.monotonic()
                self._follow(target)

    def _follow(self, node: DOMNode) -> None:
        """Go behind the key through every queue that it rises through, up to the app's own."""
        if not node.call_later(self._risen if node is self._app else self._follow_above, node):
            self._risen(node)

    def _follow_above(self, node: DOMNode) -> None:
        self._follow(node.parent or self._app)

    def _risen(self, _: DOMNode) -> None:
        """What it did, such as opening a form, is to be there for the key behind it."""
        if not self._held or not self._app.screen.call_after_refresh(self._app.call_later, self._go_on):
            self._app.call_later(self._go_on)


def _is_text(key: events.Key, target: DOMNode) -> bool:
    return getattr(target, "check_consume_key", lambda *_: False)(key.key, key.character)
