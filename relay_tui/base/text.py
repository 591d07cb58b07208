"""Foreign text made inert: the one place that cleans what other people and programs wrote (DESIGN §3.6).

Both doors use it. JSON keeps the original; everything a terminal or a widget gets goes through here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# What draws nothing by itself. Scripts and emoji need some of it behind a character of theirs, and a keycap before
# its cap; anywhere else, and the rest everywhere, it would make two names look alike, so it is shown as an escape.
_JOINING = frozenset("\u200c\u200d").union(map(chr, range(0xFE00, 0xFE10)), map(chr, range(0xE0100, 0xE01F0)))
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_UNSEEN = _JOINING | _BLANK
_KEYCAP = "\u20e3"
_ESCAPED_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")
_LINES_NAMED = 6
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# What no shell reads as anything but itself; `shlex` would bring regular expressions to every refusal.
_PLAIN_TO_SHELLS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_")


def inert(text: str) -> str:
    """One line: controls, escape sequences, bidi controls, blanks and lone surrogates become visible escapes."""
    if text.isprintable() and (text.isascii() or _UNSEEN.isdisjoint(text)):
        return text
    shown: list[str] = []
    for char, after in zip(text, text[1:] + " ", strict=True):
        shown.append(_visible(char, shown[-1] if shown else "", after))
    return "".join(shown)


def inert_block(text: str) -> str:
    """Several lines: as `inert`, but line ends stay line ends and a tab becomes spaces."""
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(inert(line.expandtabs(4)) for line in lines)


def shell_word(text: str) -> str:
    r"""A word that a shell takes as this very text: hints are there to be pasted, whoever wrote what is in them.

    What cannot be shown is written so that bash, zsh and POSIX 2024 read it: `$'a\012'`.
    """
    if text and _PLAIN_TO_SHELLS.issuperset(text):
        return text
    if inert(text) == text:
        return "'" + text.replace("'", "'\"'\"'") + "'"
    return "$'" + "".join(map(_quoted, text)) + "'"


def shell_line(argv: Iterable[str]) -> str:
    """The line that a shell reads as these words: one to show, and the same to copy."""
    return " ".join(map(shell_word, argv))


def clip(text: str, length: int) -> str:
    """At most `length` characters, the last one an ellipsis where something was cut."""
    return text if len(text) <= length else text[: max(length - 1, 0)] + "…"


def quote(text: str, length: int) -> str:
    """Another's words between quotation marks, which they cannot leave: one line, its own marks single ones."""
    return '"' + clip(inert(text[: length + 1]), length).replace('"', "'") + '"'


def quote_name(text: str, length: int) -> str:
    """A name or path as it is where it is one word, which says nothing; else as another's words."""
    return clip(text, length) if _PLAIN_TO_SHELLS.issuperset(text) else quote(text, length)


def counted(number: int, one: str, many: str = "") -> str:
    """`1 message`, `3 messages`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def first_of(words: Sequence[str], most: int) -> str:
    """`a, b and 3 more`: the first of them, and how many there are besides."""
    more = f" and {len(words) - most:,} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


def named_lines(numbers: Sequence[int]) -> str:
    """`line 3`, `lines 3, 5`; of many the first."""
    return f"{'line' if len(numbers) == 1 else 'lines'} {first_of([*map(str, numbers)], _LINES_NAMED)}"


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
    if inert(char) == char:
        return char
    errors = "surrogateescape" if "\udc80" <= char <= "\udcff" else "surrogatepass"
    return _SHORT.get(char) or "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", errors))


def _visible(char: str, before: str, after: str) -> str:
    """What stands for a character behind what was shown `before`."""
    if char in _JOINING and (not before.isascii() or after == _KEYCAP):
        return char
    if char not in _UNSEEN and (char.isprintable() or not _acts(char)):
        return char
    point = ord(char)
    if char in _SHORT:
        return _SHORT[char]
    if point <= 0xFF:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"


def _acts(char: str) -> bool:
    """Whether it is a control, or one of those that are no characters, whose width each terminal takes for another."""
    import unicodedata

    code = ord(char)
    is_noncharacter = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return is_noncharacter or unicodedata.category(char) in _ESCAPED_CATEGORIES
