"""Reading a line from the command bar: a call, or the words of Typer for a line that is none.

Typer prints its help; here it is caught, for nothing may reach the terminal behind the screen.
"""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

from relay_tui.actions.call import PROGRAM, TEXTS, Call, parse, split_line
from relay_tui.base.errors import RelayError
from relay_tui.base.shell import split_shell_line

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

# A second screen inside this one is no use, the demo has a room of its own, a client takes the terminal, what goes on
# has no end, and clients ask over standard input.
ELSEWHERE = frozenset(("screen", "demo", "launch", "watch", "hook", "mcp"))


class Help(NamedTuple):
    """What Typer printed instead of a call."""

    lines: tuple[str, ...]


def split_words(line: str) -> list[str]:
    """The words of a line, with or without `relay` before them. Raises `usage`."""
    try:
        words = split_shell_line(line)
    except ValueError:
        raise RelayError("usage", "The line has a quote left open.", "Close the quote.") from None
    return words[1:] if words[:1] == [PROGRAM] else words


def read_quickly(words: list[str]) -> Call | None:
    """The call that the words make; None where Typer must be asked. Raises `usage` and `refused`."""
    call = parse(words)
    return None if call is None else _allowed(call)


def read_with_typer(words: list[str]) -> Call | Help:
    """The same through Typer, which takes a while to load. Raises `usage` in its own words."""
    from relay_tui.cli.typer_app import read_line

    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        read = read_line(split_line(words))
    if isinstance(read, Call):
        return _allowed(read)
    return Help(tuple(printed.getvalue().rstrip().split("\n")))


def _allowed(call: Call) -> Call:
    if call.action in ELSEWHERE:
        raise RelayError("refused", f"relay {call.action} cannot run inside the screen.", "Run it in a terminal.")
    if any(call.values.get(name) == "-" for name in TEXTS):
        raise RelayError("refused", "There is no standard input here.", "Write the text out, in quotes.")
    return call._replace(json=False)
