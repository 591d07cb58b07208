"""Cursors of lists: opaque to callers, exclusive, and carrying the filter of the list that gave them."""

from __future__ import annotations

from relay_tui.base.canonical import decode, encode
from relay_tui.base.errors import RelayError
from relay_tui.room.ledger import LAST
from relay_tui.room.mail import EVERYTHING, Only

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

LONGEST_PAGE = 1000


class Cursor(NamedTuple):
    """Where a list stopped: the seq of what it showed last, what it was narrowed to, and which way it went."""

    seq: int
    only: Only
    newest: bool = False


OLDEST = Cursor(0, EVERYTHING, False)
NEWEST = Cursor(LAST, EVERYTHING, True)


def make_cursor(seq: int, only: Only = EVERYTHING, *, newest: bool = False) -> str:
    """`newest` for a list that begins with the newest: what it showed stands above its cursor, not below."""
    said = "" if only == EVERYTHING else f".{encode(only).encode().hex()}"
    return f"{'n' if newest else 'c'}{seq}{said}"


def parse_cursor(text: str | None, *, newest: bool | None = None) -> Cursor:
    """The inverse of `make_cursor`; for None the beginning of the list. Raises `usage`, also for another list's."""
    if text is None:
        return NEWEST if newest else OLDEST
    number, dot, said = text[1:].partition(".")
    try:
        seq = int(number) if text[:1] in ("c", "n") and number.isdecimal() and len(number) < 20 else -1
        only = _only(said) if dot else EVERYTHING
    except ValueError:
        seq, only = -1, EVERYTHING
    if not 0 <= seq <= LAST:
        raise RelayError("usage", "That is not a cursor of a list.", "Take it from 'next' of the list before.")
    if newest not in (None, text[0] == "n"):
        raise RelayError("usage", "That is the cursor of another list.", "Take it from 'next' of this list.")
    return Cursor(seq, only, text[0] == "n")


def _only(said: str) -> Only:
    values = decode(bytes.fromhex(said).decode())
    if not isinstance(values, list) or len(values) != len(Only._fields):
        raise ValueError("not a filter")
    sender, thread, before = values
    texts = all(value is None or isinstance(value, str) for value in (sender, thread))
    if not texts or not (before is None or isinstance(before, int)):
        raise ValueError("not a filter")
    return Only(sender, thread, before)
