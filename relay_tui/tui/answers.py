"""What a call answered, in the words of the command line: for toasts, dry runs and the answer's own page."""

from __future__ import annotations

import importlib
from typing import Any

from relay_tui.actions.table import ACTIONS
from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip, inert, inert_block

TOAST_LINES = 4
TOAST_CHARACTERS = 240


def answer_lines(command: str, result: Any, now: int) -> list[str]:
    """The lines that `relay COMMAND` prints for this result, harmless, with its warnings."""
    action = ACTIONS[command]
    texts = importlib.import_module(f"relay_tui.cli.texts.{action.job}")
    lines = [inert_block(line) for line in getattr(texts, action.function)(result, now)]
    return [*lines, *(f"note: {inert(warning)}" for warning in getattr(result, "doubts", ()))]


def toast_text(lines: list[str]) -> str:
    """The first lines of an answer, none of them endless; how many more there are is said."""
    lines = [clip(line, TOAST_CHARACTERS) for line in lines]
    if len(lines) <= TOAST_LINES:
        return "\n".join(lines)
    return "\n".join([*lines[: TOAST_LINES - 1], f"and {len(lines) - TOAST_LINES + 1} lines more"])


def error_text(error: RelayError) -> str:
    """What happened, and what to do next."""
    return inert_block(f"{error.message}\n{error.hint}" if error.hint else error.message)
