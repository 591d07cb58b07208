"""Actions on handovers: offering, answering, asking. Ownership moves only when the recipient accepts."""

from __future__ import annotations

from relay_tui.actions.claims import by_either_spelling
from relay_tui.base.errors import RelayError
from relay_tui.room import asking, handoffs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.asking import AskedList
    from relay_tui.room.handoffs import HandoffAnswer, HandoffList
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room


def request(room: Room, me: Actor, resources: list[str], *, to: str, reason: str | None = None) -> HandoffAnswer:
    """Offer what you hold to somebody. It stays yours until they accept.

    relay handoff request src/auth branch:feat/auth --to claude-1 --reason "done with auth"
    """
    return by_either_spelling(room, resources, None, lambda held: handoffs.request(room, me, held, to, reason))


def respond(
    room: Room, me: Actor, id: str, *, accept: bool = False, decline: bool = False,
    resource: list[str] | None = None, reason: str | None = None,
) -> HandoffAnswer:  # fmt: skip
    """Answer an offer: accept it, whole or in part, or decline it.

    relay handoff respond H3k9zq4t --accept --resource src/auth
    """
    if accept == decline:
        raise RelayError("usage", "Say whether you take it.", "Add --accept or --decline.")
    if decline and resource:
        raise RelayError("usage", "--resource names what you accept.", "Add --accept; the rest is declined.")
    return by_either_spelling(
        room, resource or [], None,
        lambda only: handoffs.respond(room, me, id, accept=accept, only=only, reason=reason),
    )  # fmt: skip


def cancel(room: Room, me: Actor, id: str) -> HandoffAnswer:
    """Take an offer back before it is answered.

    relay handoff cancel H3k9zq4t
    """
    return handoffs.cancel(room, me, id)


def ask(room: Room, me: Actor, resources: list[str], *, reason: str | None = None) -> AskedList:
    """Ask whoever holds these for them; nothing moves.

    relay handoff ask src/auth --reason "the fix belongs there"
    """
    return by_either_spelling(room, resources, None, lambda held: asking.ask(room, me, held, reason))


def list_all(room: Room, *, all_: bool = False) -> HandoffList:
    """Offers that wait for an answer. With --all the answered ones too.

    relay handoff list
    """
    return handoffs.list_handoffs(room, answered=all_)
