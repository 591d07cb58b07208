"""How far a message got, as lists say it. Pure; the facts stand in deliveries (DESIGN §6.2)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.mail import Message
    from relay_tui.room.receipts import Receipt
else:
    from relay_tui.base.record import NamedTuple


class Reached(NamedTuple):
    """How many recipients of a message each fact holds for; `expired` are those that did not handle it in time."""

    recipients: int
    notified: int
    delivered: int
    handled: int
    expired: int


def furthest_stage(facts: Message | Receipt) -> str:
    """The furthest stage that was reached; what was handled after it had expired is handled."""
    reached = (
        ("handled", facts.handled_at), ("expired", facts.expired_at), ("delivered", facts.delivered_at),
        ("notified", facts.notified_at),
    )  # fmt: skip
    return next((stage for stage, at in reached if at is not None), "stored")


def told_stage(message: Message) -> str:
    """How far a message got, as a list says it; of several recipients the furthest, and how many: `2/5 handled`."""
    reached = message.reached
    if reached is None or reached.expired == reached.recipients:
        return furthest_stage(message)
    counts = (
        ("handled", reached.handled), ("delivered", reached.delivered), ("notified", reached.notified),
        ("expired", reached.expired),
    )  # fmt: skip
    stage, count = next(((stage, count) for stage, count in counts if count), ("stored", reached.recipients))
    return stage if count == reached.recipients else f"{count:,}/{reached.recipients:,} {stage}"
