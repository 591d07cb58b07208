"""Asking the holders for what they hold: the other direction of a handover, in which nothing moves (DESIGN §6.3)."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import Resource, spell
from relay_tui.base.text import shell_word
from relay_tui.room.agents import require_actor
from relay_tui.room.held import exactly_held, shown_resource
from relay_tui.room.persons import Person
from relay_tui.room.telling import because, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from relay_tui.room.held import HeldClaim
    from relay_tui.room.ledger import Actor, Transaction
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class Asked(NamedTuple):
    resource: str
    holder: str
    message: str
    room: str

    @property
    def person(self) -> Person:
        return Person(self.room, self.holder)


class AskedList(NamedTuple):
    """As seen from `room`."""

    asked: list[Asked]
    room: str


def ask(room: Room, me: Actor, resources: Sequence[Resource], reason: str | None) -> AskedList:
    """One message for each resource, to whoever holds it.

    Raises `unknown_claim`, `refused` for one's own, `left` where the holder would not read it.
    """
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        asked = []
        for one in exactly_held(tx.db, room, resources, tx.now):
            claim = one.claim
            if one.agent == actor.row.key:
                raise RelayError("refused", f"You hold {shown_resource(claim)} yourself.", "Run: relay claims")
            message = tell(tx, room, one.agent, _request(tx, room, one, reason), sender=me.name)
            if message is None:
                gone = f"{claim.person.seen_from(room.row.name)} is gone and would not read it."
                raise RelayError("left", gone, "Ask the operator to free it.")
            asked.append(Asked(spell(claim.scope, claim.resource), claim.holder, message, claim.room))
        return AskedList(asked, room.row.name)


def _request(tx: Transaction, room: Room, one: HeldClaim, reason: str | None) -> str:
    """What the holder reads, with the line that does it: a claim moves only within its repository."""
    resource = spell(one.claim.scope, one.claim.resource)
    word = shell_word(f"./{resource}" if resource.startswith("-") else resource)
    asker = Person(room.row.name, tx.me.name)
    asked = f"{asker.seen_from(one.claim.room)} asks for {shown_resource(one.claim)}.{because(reason)}"
    (family,) = tx.db.execute("SELECT family FROM rooms WHERE key = ?", (one.agent_room,)).fetchone()
    if family == room.row.family:
        to = shell_word(asker.typed_in(one.claim.room))
        return f"{asked}\nrelay handoff request {word} --to {to} --as {one.claim.holder}"
    elsewhere = "That is another repository, to which nothing is handed over: release it when you can."
    return f"{asked}\n{elsewhere}\nrelay release {word} --as {one.claim.holder}"
