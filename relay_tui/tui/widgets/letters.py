"""Writing to a terminal that knows only ASCII: the last place before it, so nothing that is drawn gets past.

Marks of states are drawn with letters before that (`glyphs`); here are the lines, the arrows, and foreign text.
"""

from __future__ import annotations

import codecs
import io
import unicodedata
from typing import TextIO

_ERRORS = "relay.letters"
_STAND_INS = {
    "…": ".", "·": ".", "•": ".", "—": "-", "–": "-", "─": "-", "│": "|", "→": ">", "←": "<", "›": ">", "‹": "<",
    "↑": "^", "↓": "v", "▌": ">", "█": "#", "░": ".", "▾": "-", "▸": "+", "“": '"', "”": '"', "’": "'",
    "±": "~",
}  # fmt: skip


def write_ascii(stream: TextIO | None) -> None:
    """From here on a stream writes ASCII; what is none is stood in for, in as many cells."""
    if isinstance(stream, io.TextIOWrapper):
        codecs.register_error(_ERRORS, _stood_in)
        stream.reconfigure(encoding="ascii", errors=_ERRORS)


def _stood_in(fault: UnicodeError) -> tuple[str, int]:
    assert isinstance(fault, UnicodeEncodeError)
    return "".join(map(_stand_in, fault.object[fault.start : fault.end])), fault.end


def _stand_in(char: str) -> str:
    if unicodedata.combining(char) or unicodedata.category(char) == "Cf":
        return ""
    is_wide = unicodedata.east_asian_width(char) in "WF"
    return _STAND_INS.get(char) or ("??" if is_wide else "?")
