"""Whom a handover goes to: it may leave its room, where a name can be somebody else's, but not its repository."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip, shell_word
from relay_tui.room.agents import find_agent, refuse_gone, require_agent
from relay_tui.room.persons import Person

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from relay_tui.room.agents import KnownAgent
    from relay_tui.room.ledger import Transaction
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class Recipient(NamedTuple):
    """An agent, with its room's id and name."""

    agent: KnownAgent
    room_id: str
    room: str

    @property
    def person(self) -> Person:
        return Person(self.room, self.agent.row.name)


def find_recipient(tx: Transaction, room: Room, wanted: str, giver: KnownAgent) -> Recipient:
    """Whom `NAME` or `NAME@ROOM` means. A bare name is this room's, else that of the only one in the repository.

    Raises `unknown_agent`, `ambiguous`, `left`, `retired`, and `refused` for the giver itself.
    """
    name, _, where = wanted.partition("@")
    known = _namesakes(tx, room, name)
    meant = [one for one in known if where in ("", one.room)]
    if not meant and where:
        unknown = f"No room '{clip(where, 40)}' of this repository has a '{clip(name, 40)}'."
        others = [one for one in known if one.agent.row.key != giver.row.key]
        raise RelayError("unknown_agent", unknown, _choose(others, room) or "Run: relay rooms")
    if not meant:
        require_agent(tx.db, tx.room, name, tx.now, room.settings)
    if meant[0].agent.row.key == giver.row.key:
        hint = _choose(meant[1:], room) or "Name somebody else with --to."
        raise RelayError("refused", f"{name} is you, and a handover goes to others.", hint)
    if len(meant) > 1 and meant[0].room != room.row.name:
        raise RelayError("ambiguous", f"Several rooms of this repository have a {name}.", _choose(meant, room))
    refuse_gone(meant[0].agent)
    return meant[0]


def _namesakes(tx: Transaction, room: Room, name: str) -> list[Recipient]:
    """Those of this room and of the repository's others; this room's first, and nobody elsewhere who is gone."""
    rows = tx.db.execute(
        "SELECT key, id, name FROM rooms WHERE key = ? OR family = ? ORDER BY key <> ?, name",
        (tx.room, room.row.family, tx.room),
    )
    found = []
    for key, room_id, room_name in rows.fetchall():
        known = find_agent(tx.db, key, name, tx.now, room.settings)
        if known is not None and (key == tx.room or known.row.standing in ("here", "dormant")):
            found.append(Recipient(known, room_id, room_name))
    return found


def _choose(some: Sequence[Recipient], room: Room) -> str:
    words = " or ".join(f"--to {shell_word(one.person.typed_in(room.row.name))}" for one in some)
    return f"Say which: {words}" if words else ""
