"""Finding one thing by what somebody typed of its id: the whole, or a beginning that no other has (DESIGN §7)."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol, TypeVar

    class HasId(Protocol):
        @property
        def id(self) -> str: ...

    T = TypeVar("T", bound=HasId)

_BEHIND = "{"  # every character of an id


def find_unique(read: Callable[[str, str], Sequence[T]], letter: str, wanted: str, unknown: RelayError) -> T:
    """`read` gives what has an id from the first text up to the second: at most three.

    Raises `unknown`, and `ambiguous` for the beginning of more than one.
    """
    found = read(wanted, f"{wanted}\0")  # the next text there is, so this one alone
    if not found and wanted.startswith(letter) and wanted.isascii() and wanted.isalnum():
        found = read(wanted, wanted + _BEHIND)
    if not found:
        raise unknown
    if len(found) > 1:
        ids = ", ".join(one.id for one in found)
        raise RelayError("ambiguous", f"'{wanted}' begins several ids.", f"Write more of it: {ids}")
    return found[0]


def unknown_message(wanted: str) -> RelayError:
    message = f"There is no message '{clip(wanted, 40)}' for you here."
    return RelayError("unknown_message", message, "Run: relay history")
