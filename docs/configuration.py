"""The tables of docs/configuration.md: what relay.toml may set, by its loader, and the ids of keys, by the screens."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from textual.binding import Binding

from relay_tui.base.config import Settings
from relay_tui.base.times import age
from relay_tui.tui.app import RelayApp
from relay_tui.tui.keys import SCREEN_KEYS, VERB_KEYS
from relay_tui.tui.modes import MODES
from relay_tui.tui.widgets.row_tree import RowTree
from relay_tui.tui.widgets.scrolling import Scroller

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CONFIGURATION = Path(__file__).parent / "configuration.md"
MEANINGS = {
    "live_window": "an agent is *live* this long after its last sign",
    "transport_window": "a client's own report of its connection counts this long",
    "prune_after": "`relay prune` sets agents aside that were silent this long",
    "idle_after": "sweeps (`leave`, `retire --stale`) take agents that were silent this long",
    "broadcast_expiry": "a message to many expires unhandled after this long",
    "direct_expiry": "a message to one expires unhandled after this long",
    "theme": "of the screen: `relay-dark`, `relay-light`, or one of Textual's",
}


def settings() -> Iterator[str]:
    yield "| key | default | meaning |\n| --- | --- | --- |"
    for key, meaning in MEANINGS.items():
        default = Settings._field_defaults[key]
        yield f'| `{key}` | `"{default if isinstance(default, str) else age(0, default)}"` | {meaning} |'


def keys() -> Iterator[str]:
    yield "| id | keys | what it does | where |\n| --- | --- | --- | --- |"
    yield from _rows(RelayApp.BINDINGS, "everywhere")
    yield from _rows(SCREEN_KEYS, "everywhere")
    yield from _rows(RowTree.BINDINGS, "in lists")
    yield from _rows(Scroller.BINDINGS, "in texts and details")
    yield from _rows(VERB_KEYS, "where the row has it")
    for mode in MODES:
        screen = getattr(import_module(f"relay_tui.tui.screens.{mode.name}"), mode.screen)
        yield from _rows(vars(screen).get("BINDINGS", ()), mode.title)


def _rows(bindings: Iterable[object], where: str) -> Iterator[str]:
    for one in bindings:
        if isinstance(one, Binding) and one.id:
            yield f"| `{one.id}` | `{one.key}` | {one.description} | {where} |"
