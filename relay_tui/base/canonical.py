"""JSON in and out for the hot path, through the C encoder and decoder that `json` itself uses.

Importing `json` costs a third of Python's own start because of `re` (DESIGN §4, weight); its C half costs
nothing. Only the types of an event are known here: dict, list, tuple, str, int, float, bool and None.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    encode_basestring_ascii: Callable[[str], str]
    make_encoder: Callable[..., Callable[[object, int], tuple[str, ...]]] | None
    make_scanner: Callable[[object], Callable[[str, int], tuple[object, int]]] | None
else:
    try:
        from _json import encode_basestring_ascii, make_encoder, make_scanner
    except ImportError:
        from json.encoder import py_encode_basestring_ascii as encode_basestring_ascii

        make_encoder = make_scanner = None

_BLANK = " \t\n\r"


def encode(value: object) -> str:
    """Compact ASCII JSON, members in the order they were put in. Raises `TypeError` for other types."""
    if _ENCODE is None:
        from json import dumps

        return dumps(value, separators=(",", ":"))
    return "".join(_ENCODE(value, 0))


def decode(text: str) -> object:
    """The value of one JSON document. Raises `ValueError` where it is not one."""
    if _SCAN is None:
        from json import loads

        return loads(text)
    text = text.strip(_BLANK)
    try:
        value, end = _SCAN(text, 0)
    except RecursionError:
        raise ValueError("JSON that is nested too deep") from None
    except (StopIteration, SystemError):  # the latter where it looks for an error of `json`'s, which is not loaded
        raise ValueError("not JSON") from None
    if end != len(text):
        raise ValueError("more than one JSON document")
    return value


def decode_all(texts: Iterable[str]) -> list[Any]:
    """The values of several JSON documents, read as one, so that the same names are made once for all."""
    found = decode(f"[{','.join(texts)}]")
    assert isinstance(found, list)
    return found


def _refuse(value: object) -> object:
    raise TypeError(f"{type(value).__name__} has no place in JSON")


class _ScannerContext:
    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


_SCAN = make_scanner(_ScannerContext()) if make_scanner is not None else None
_ENCODE = (
    make_encoder(None, _refuse, encode_basestring_ascii, None, ":", ",", False, False, True)
    if make_encoder is not None
    else None
)
