"""Handing text to the terminal's clipboard, and saying what was copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relay_tui.base.text import inert, is_unicode

if TYPE_CHECKING:
    from textual.widget import Widget


def copy(widget: Widget, text: str) -> None:
    """Copy what stands in `widget`; what no clipboard can hold is said."""
    if not text:
        widget.notify("There is nothing to copy here.", markup=False)
    elif not is_unicode(text):
        widget.notify("This is not valid UTF-8, so it cannot be copied.", severity="warning", markup=False)
    else:
        widget.app.copy_to_clipboard(text)
        widget.notify(f"Copied: {inert(text)}", markup=False)
