"""What a call answered, in the words of the command line: for toasts, dry runs and the answer's own page."""

from __future__ import annotations

from typing import Any

from relay_tui.base.text import clip, inert_block
from relay_tui.cli.texts import answer_lines as printed_lines

TOAST_LINES = 4
TOAST_CHARACTERS = 240


def answer_lines(command: str, result: Any, now: int) -> list[str]:
    """The lines that `relay COMMAND` prints for this result where a person looks."""
    return [inert_block(line) for line in printed_lines(command, result, now)]


def toast_text(lines: list[str]) -> str:
    """The first lines of an answer, none of them endless; how many more there are is said."""
    lines = [clip(line, TOAST_CHARACTERS) for line in lines]
    if len(lines) <= TOAST_LINES:
        return "\n".join(lines)
    return "\n".join([*lines[: TOAST_LINES - 1], f"and {len(lines) - TOAST_LINES + 1} lines more"])
