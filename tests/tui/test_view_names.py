from __future__ import annotations

import pytest

from relay_tui.tui.widgets.glyphs import UNICODE
from relay_tui.tui.widgets.view_names import named_views

NAMES = ("unhandled", "outbox", "history", "archive")


@pytest.mark.parametrize(
    ("here", "width", "said"),
    [
        (0, 0, "unhandled  outbox  history  archive"),
        (0, 35, "unhandled  outbox  history  archive"),
        (0, 34, "unhandled  outbox  history  ›"),
        (3, 34, "‹  outbox  history  archive"),
        (2, 16, "‹  history  ›"),
        (1, 1, "‹  outbox  ›"),
    ],
)
def test_the_view_that_is_shown_is_always_named(here: int, width: int, said: str):
    assert named_views(NAMES, here, width, UNICODE).plain == said
