"""Handing the terminal to the person's editor, at a line of a file. relay itself writes nothing there."""

from __future__ import annotations

import os
import shlex
import subprocess
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from relay_tui.base.errors import RelayError
from relay_tui.base.text import shell_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import App


def editor_words(environ: Mapping[str, str]) -> list[str]:
    """`$VISUAL`, else `$EDITOR`, as a shell splits it. Raises `refused` where neither says anything."""
    said = environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        words = shlex.split(said)
    except ValueError:
        raise RelayError("refused", f"The editor {said} has a quote left open.", "Close it in $EDITOR.") from None
    if not words:
        raise RelayError("refused", "No editor is set.", "Leave relay, and say: export EDITOR=vim (or VISUAL).")
    return words


def edit_at(app: App[None], path: str, line: int | None) -> None:
    """Open a file in the editor, and wait until the person is done. Raises `refused` where that cannot be."""
    if not os.path.isfile(path):
        raise RelayError("refused", f"There is no file {path} any more.", "i imports the plan from elsewhere.")
    words = editor_words(os.environ)
    argv = [*words, *([f"+{line}"] if line else []), path]
    fault: OSError | None = None
    try:
        with app.suspend():
            try:
                subprocess.run(argv, cwd=os.path.dirname(path), check=False)
            except OSError as failed:
                fault = failed
    except SuspendNotSupported:
        hint = f"In a terminal: {shell_line(argv)}"
        raise RelayError("refused", "This terminal cannot be lent to an editor.", hint) from None
    if fault is not None:
        hint = "Check $VISUAL and $EDITOR."
        raise RelayError("refused", f"{words[0]} cannot be started ({fault.strerror}).", hint)
