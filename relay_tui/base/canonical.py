"""JSON in and out for the hot path, through the C encoder and decoder that `json` itself uses.

Importing `json` costs a third of Python's own start because of `re` (DESIGN §4, weight); its C half costs
nothing. Only the types of an event are known here: dict, list, tuple, str, int, float, bool and None.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    encode_basestring_ascii: Callable[[str], str]
    make_scanner: Callable[[object], Callable[[str, int], tuple[object, int]]] | None
else:
    try:
        from _json import encode_basestring_ascii, make_scanner
    except ImportError:
        from json.encoder import py_encode_basestring_ascii as encode_basestring_ascii

        make_scanner = None

_BLANK = " \t\n\r"


def encode(value: object) -> str:
    """Compact ASCII JSON, members in the order they were put in. Raises `TypeError` for other types."""
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, dict):
        members = (f"{encode_basestring_ascii(key)}:{encode(member)}" for key, member in value.items())
        return "{" + ",".join(members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(encode, value)) + "]"
    raise TypeError(f"{type(value).__name__} has no place in JSON")


def decode(text: str) -> object:
    """The value of one JSON document. Raises `ValueError` where it is not one."""
    if _SCAN is None:
        from json import loads

        return loads(text)
    text = text.strip(_BLANK)
    try:
        value, end = _SCAN(text, 0)
    except StopIteration:
        raise ValueError("not JSON") from None
    if end != len(text):
        raise ValueError("more than one JSON document")
    return value


class _ScannerContext:
    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


_SCAN = make_scanner(_ScannerContext()) if make_scanner is not None else None
