"""The palette (ctrl+p): every action of the table, and every screen, found by a few letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider

from relay_tui.actions.spec import summarize
from relay_tui.actions.table import ACTIONS
from relay_tui.tui.acts.typed_line import ELSEWHERE
from relay_tui.tui.modes import MODES
from relay_tui.tui.widgets.content import one_line

if TYPE_CHECKING:
    from relay_tui.tui.app import RelayApp


def open_palette(app: App[Any]) -> None:
    """Show it, once."""
    if not CommandPalette.is_open(app):
        app.push_screen(CommandPalette([ActionProvider], placeholder="An action, or a screen"))


class ActionProvider(Provider):
    """Actions open their form; screens are shown."""

    async def discover(self) -> Hits:
        for name, explained, run in self._offers():
            yield DiscoveryHit(one_line(name), run, text=name, help=explained or None)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, explained, run in self._offers():
            score = max(matcher.match(name), matcher.match(explained) / 2)
            if score > 0:
                yield Hit(score, matcher.highlight(name), run, text=name, help=explained or None)

    def _offers(self) -> Iterator[tuple[str, str, Callable[[], object]]]:
        app: RelayApp = self.app  # type: ignore[assignment]
        for mode in MODES:
            yield f"Screen: {mode.title}   {mode.key}", "", partial(app.action_go, mode.name)
        for action in ACTIONS.values():
            if action.name not in ELSEWHERE:
                yield action.name, summarize(action), partial(app.acts.start, action.name)
