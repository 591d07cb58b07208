"""The two themes, each calm with one accent colour, and where the stylesheets lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import App
from textual.theme import Theme

STYLESHEET = Path(__file__).with_name("relay.tcss")
DIALOGS_STYLESHEET = Path(__file__).with_name("dialogs.tcss")

DARK = Theme(
    name="relay-dark",
    primary="#5fb3b3",
    accent="#5fb3b3",
    foreground="#d3d7de",
    background="#15181c",
    surface="#15181c",
    panel="#20252b",
    success="#8fb878",
    warning="#d9ab5f",
    error="#e07a73",
    dark=True,
    variables={"foreground-muted": "#8b939e", "border": "#39414b"},
)
LIGHT = Theme(
    name="relay-light",
    primary="#17696d",
    accent="#17696d",
    foreground="#24292f",
    background="#fbfbf9",
    surface="#fbfbf9",
    panel="#eeeeea",
    success="#3d6d27",
    warning="#855200",
    error="#ad2b26",
    dark=False,
    variables={"foreground-muted": "#626a73", "border": "#c9ccd0"},
)


def use_theme(app: App[Any]) -> None:
    """Register both themes and put the dark one on."""
    app.register_theme(DARK)
    app.register_theme(LIGHT)
    app.theme = DARK.name
