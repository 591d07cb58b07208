"""The seven screens: their numbers, names and where they live. Imported one by one, when first shown."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple


class Mode(NamedTuple):
    """`name` is the mode's and its module's; `short` is for narrow terminals."""

    key: str
    name: str
    title: str
    short: str
    screen: str


MODES = (
    Mode("1", "attention", "Attention", "Attn", "AttentionScreen"),
    Mode("2", "agents", "Agents", "Agents", "AgentsScreen"),
    Mode("3", "branches", "Branches", "Branch", "BranchesScreen"),
    Mode("4", "roadmap", "Roadmap", "Plan", "RoadmapScreen"),
    Mode("5", "inbox", "Inbox", "Inbox", "InboxScreen"),
    Mode("6", "claims", "Claims", "Claims", "ClaimsScreen"),
    Mode("7", "log", "Log", "Log", "LogScreen"),
)
FIRST = MODES[0]


def maker(mode: Mode) -> Callable[[], Screen[Any]]:
    """What Textual calls when a mode is first shown."""

    def make() -> Screen[Any]:
        module = importlib.import_module(f"relay_tui.tui.screens.{mode.name}")
        screen: Screen[Any] = getattr(module, mode.screen)()
        return screen

    return make
