r"""A line as a shell would split it, for lines that are typed or pasted where there is no shell.

The inverse of `text.shell_line`, apart from it because regular expressions are not for the hot path.
"""

from __future__ import annotations

import re
import shlex

# What stands for itself, whatever is in it, and `$'…'`, which shlex does not know.
_QUOTED = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.|\$'((?:\\.|[^'\\])*)'""", re.DOTALL)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)", re.DOTALL)
_LETTERS = dict(zip(b"abefnrtv", b"\a\b\x1b\f\n\r\t\v", strict=True))


def split_shell_line(line: str) -> list[str]:
    """Its words. Raises `ValueError` for a quote left open."""
    return shlex.split(_QUOTED.sub(_plainly, line))


def _plainly(quoted: re.Match[str]) -> str:
    said: str | None = quoted[1]
    if said is None:
        return quoted[0]
    read = _ESCAPE.sub(_escaped, said.encode("utf-8", "surrogateescape"))
    return shlex.quote(read.decode("utf-8", "surrogateescape"))


def _escaped(escape: re.Match[bytes]) -> bytes:
    said = escape[1]
    if said[:1].isdigit() and said[0] < ord("8"):
        return bytes([int(said, 8) & 0xFF])
    if said[:1] == b"x" and len(said) > 1:
        return bytes([int(said[1:], 16)])
    return bytes([_LETTERS.get(said[0], said[0])])
