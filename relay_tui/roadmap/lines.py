"""Bytes to lines and back, as CommonMark splits them: `\\n`, `\\r\\n` and `\\r`, nothing else."""

from __future__ import annotations

import re

from relay_tui.base.errors import RelayError

LARGEST_FILE = 16 * 1024 * 1024
BOM = "\ufeff"

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def decode(text: bytes, name: str) -> str:
    """The text with its BOM; raises `too_large` above 16 MiB and `invalid` for what is not text."""
    if len(text) > LARGEST_FILE:
        size = len(text) / 1024 / 1024
        raise RelayError(
            "too_large",
            f"{name} has {size:.0f} MiB; a plan may have 16 MiB.",
            "Split it into several files and import each.",
        )
    if b"\0" in text:
        raise _not_text(text, name, text.index(b"\0"), "holds a NUL byte")
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_text(text, name, error.start, "is not UTF-8") from None


def split_lines(text: str) -> list[str]:
    """The lines, each with its own line end; joined they are the text again."""
    return _LINE.findall(text)


def _not_text(text: bytes, name: str, offset: int, fault: str) -> RelayError:
    before = text[:offset].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    line = before.count(b"\n") + 1
    return RelayError(
        "invalid",
        f"{name} {fault} in line {line}, so it is no Markdown plan.",
        "Save it as UTF-8 text and import it again.",
        {"lines": [line]},
    )
