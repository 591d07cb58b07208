"""The names of a screen's views in one line, the one that is shown always among them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from relay_tui.tui.widgets.glyphs import QUIET, Glyphs

_GAP = "  "


def named_views(names: Sequence[str], here: int, width: int, glyphs: Glyphs) -> Content:
    """As many names around the view `here` as `width` cells take (0: all); an arrow says that more follow."""
    first, last = 0, len(names)
    while 0 < width < _length(names, first, last) and last - first > 1:
        if here - first > last - 1 - here:
            first += 1
        else:
            last -= 1
    shown = [Content.styled(names[place], "$accent bold" if place == here else QUIET) for place in range(first, last)]
    before = [Content.styled(glyphs.step_back, QUIET)] if first else []
    after = [Content.styled(glyphs.step, QUIET)] if last < len(names) else []
    return Content(_GAP).join([*before, *shown, *after])


def _length(names: Sequence[str], first: int, last: int) -> int:
    arrows = (first > 0) + (last < len(names))
    return sum(map(len, names[first:last])) + len(_GAP) * (last - first - 1 + arrows) + arrows
