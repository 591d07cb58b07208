"""Events that come from outside, of a backup or an export, checked one by one before anything is done with them.

What holds here holds in the ledger: each room's numbers without a gap, each hash, and members of the right kind.
"""

from __future__ import annotations

from hashlib import sha256

from relay_tui.base.errors import RelayError
from relay_tui.room.ledger import LAST, PAYLOAD_VERSION, Head, decode_payload, first_previous, framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from relay_tui.room.cuts import Cut
else:
    from relay_tui.base.record import NamedTuple

_KINDS: dict[str, tuple[type, ...]] = {
    "v": (int,), "room": (str,), "number": (int,), "seq": (int,), "time": (int,), "actor": (str,),
    "session": (str, type(None)), "via": (str,), "kind": (str,), "data": (dict,),
}  # fmt: skip
# What reading, or folding, what somebody made up may raise.
MADE_UP = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError, RecursionError)


class IncomingEvent(NamedTuple):
    """An event that holds, with its bytes; `members` are what the payload says."""

    seq: int
    room: str
    number: int
    hash: bytes
    payload: bytes
    members: dict[str, Any]


class ChainedRoom(NamedTuple):
    """A room of a ledger: its name, and the end of its chain."""

    room: str
    id: str
    number: int
    hash: str


class IncomingChains:
    """The rooms that were met so far, with the head of each."""

    def __init__(self) -> None:
        self._heads: dict[str, Head] = {}
        self._names: dict[str, str] = {}
        self._seq = 0
        self.events = 0

    @property
    def rooms(self) -> list[ChainedRoom]:
        """In the order in which they were met."""
        return [
            ChainedRoom(self._names[room], room, head.number, head.hash.hex()) for room, head in self._heads.items()
        ]

    def resume(self, cut: Cut, names: dict[str, str]) -> None:
        """Begin behind a cut, whose rooms have these names; what was before is proved otherwise."""
        self._names = names
        self._heads = {one.room: Head(one.number, bytes.fromhex(one.hash)) for one in cut.rooms}
        self._seq = cut.seq

    def follow(self, payload: bytes, digest: bytes) -> IncomingEvent:
        """The next event. Raises `ValueError` with the reason where it does not hold, and `newer_schema`."""
        members = _members(payload)
        room, number, seq = members["room"], members["number"], members["seq"]
        head = self._heads.get(room) or self._begin(room, members)
        if number != head.number + 1:
            raise ValueError(f"event {number} of {room} follows event {head.number}")
        if number > 1 and members["kind"] == "room.created":
            raise ValueError(f"the room {room} begins twice")
        if seq <= self._seq:
            raise ValueError("the events are out of order")
        if sha256(framed(head.hash, number, payload)).digest() != digest:
            raise ValueError(f"the hash of event {number} of {room} does not hold")
        self._heads[room], self._seq = Head(number, digest), seq
        self.events += 1
        return IncomingEvent(seq, room, number, digest, payload, members)

    def _begin(self, room: str, members: dict[str, Any]) -> Head:
        data = members["data"]
        if members["kind"] != "room.created" or data.get("id") != room or not isinstance(data.get("name"), str):
            raise ValueError(f"the room {room} has no beginning")
        self._names[room] = data["name"]
        return Head(0, first_previous(room))


def _members(payload: bytes) -> dict[str, Any]:
    try:
        members = decode_payload(payload)
    except MADE_UP as fault:
        raise ValueError("an event is not JSON") from fault
    if type(members.get("v")) is int and members["v"] > PAYLOAD_VERSION:
        raise RelayError(
            "newer_schema", f"It has events of a newer relay (version {members['v']}).", "Upgrade relay-tui."
        )
    for name, kinds in _KINDS.items():
        value = members.get(name)
        if type(value) not in kinds or (type(value) is int and not 0 <= value <= LAST):
            raise ValueError(f"an event has no proper '{name}'")
    return members
