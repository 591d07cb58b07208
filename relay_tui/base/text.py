"""Foreign text made inert: the one place that cleans what other people and programs wrote (DESIGN §3.6).

Both doors use it. JSON keeps the original; everything a terminal or a widget gets goes through here.
"""

from __future__ import annotations

# Joiners that scripts and emoji need; every other invisible format character is shown as an escape.
_HARMLESS_FORMAT = "\u200c\u200d"
_ESCAPED_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# What no shell reads as anything but itself; `shlex` would bring regular expressions to every refusal.
_PLAIN_TO_SHELLS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_")


def inert(text: str) -> str:
    """One line: controls, escape sequences, bidi controls and lone surrogates become visible escapes."""
    if text.isprintable():
        return text
    return "".join(map(_visible, text))


def inert_block(text: str) -> str:
    """Several lines: as `inert`, but line ends stay line ends and a tab becomes spaces."""
    if text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(inert(line.expandtabs(4)) for line in lines)


def shell_word(text: str) -> str:
    """A word that a shell takes as this very text: hints are there to be pasted, whoever wrote what is in them."""
    if text and _PLAIN_TO_SHELLS.issuperset(text):
        return text
    if inert(text) == text:
        return "'" + text.replace("'", "'\"'\"'") + "'"
    return "$'" + "".join(map(_quoted, text)) + "'"


def clip(text: str, length: int) -> str:
    """At most `length` characters, the last one an ellipsis where something was cut."""
    return text if len(text) <= length else text[: max(length - 1, 0)] + "…"


def is_unicode(text: str) -> bool:
    """Whether `text` is what UTF-8 can hold: bytes that were not become lone surrogates in Python."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _quoted(char: str) -> str:
    """A character between `$'` and `'`, where what cannot be shown stands as its bytes."""
    if char in "\\'":
        return f"\\{char}"
    if _visible(char) == char:
        return char
    errors = "surrogateescape" if "\udc80" <= char <= "\udcff" else "surrogatepass"
    return _SHORT.get(char) or "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", errors))


def _visible(char: str) -> str:
    if char.isprintable() or char in _HARMLESS_FORMAT:
        return char
    import unicodedata

    if unicodedata.category(char) not in _ESCAPED_CATEGORIES:
        return char
    point = ord(char)
    if char in _SHORT:
        return _SHORT[char]
    if point <= 0xFF:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"
