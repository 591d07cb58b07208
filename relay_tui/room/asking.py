"""Asking the holders for what they hold: the other direction of a handover, in which nothing moves (DESIGN §6.3)."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.resources import Resource, spell
from relay_tui.base.text import clip, shell_word
from relay_tui.room.agents import require_actor
from relay_tui.room.held import SHOWN, exactly_held
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


class AskedList(NamedTuple):
    asked: list[Asked]


def ask(room: Room, me: Actor, resources: Sequence[Resource], reason: str | None) -> AskedList:
    """One message for each resource, to whoever holds it.

    Raises `unknown_claim`, `refused` for one's own, `left` where the holder would not read it.
    """
    with room.writing(me) as tx:
        actor = require_actor(tx, room)
        asked = []
        for one in exactly_held(tx.db, room, resources, tx.now):
            resource = spell(one.claim.scope, one.claim.resource)
            if one.agent == actor.row.key:
                raise RelayError("refused", f"You hold {clip(resource, SHOWN)} yourself.", "Run: relay claims")
            message = tell(tx, room, one.agent, _request(tx, room, one, reason), sender=me.name)
            if message is None:
                raise RelayError(
                    "left", f"{one.claim.holder} is gone and would not read it.", "Ask the operator to free it."
                )
            asked.append(Asked(resource, one.claim.holder, message))
        return AskedList(asked)


def _request(tx: Transaction, room: Room, one: HeldClaim, reason: str | None) -> str:
    """What the holder reads, with the line that does it: a claim moves only within its repository."""
    resource = spell(one.claim.scope, one.claim.resource)
    word = shell_word(f"./{resource}" if resource.startswith("-") else resource)
    asker = tx.me.name if one.agent_room == tx.room else f"{tx.me.name} in the room {room.row.name}"
    asked = f"{asker} asks for {clip(resource, SHOWN)}.{because(reason)}"
    (family,) = tx.db.execute("SELECT family FROM rooms WHERE key = ?", (one.agent_room,)).fetchone()
    if family == room.row.family:
        return f"{asked}\nrelay handoff request {word} --to {tx.me.name} --as {one.claim.holder}"
    elsewhere = "That is another repository, to which nothing is handed over: release it when you can."
    return f"{asked}\n{elsewhere}\nrelay release {word} --as {one.claim.holder}"
