from __future__ import annotations

import pytest
from textual.color import Color

from relay_tui.tui.themes import DARK, LIGHT
from tests.tui.stages import ListStage, branch_rows


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_every_colour_can_be_read_on_the_background(theme):
    background = Color.parse(theme.background)
    words = [theme.foreground, theme.accent, theme.success, theme.warning, theme.error]
    for colour in [*words, theme.variables["foreground-muted"]]:
        assert contrast(Color.parse(colour), background) >= 4.5


def contrast(one: Color, other: Color) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: Color) -> float:
    parts = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in color.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


async def test_themes_change_while_the_app_runs():
    app = ListStage(branch_rows())
    async with app.run_test() as pilot:
        before = app.screen.styles.background
        app.theme = LIGHT.name
        await pilot.pause()
        assert app.screen.styles.background != before
