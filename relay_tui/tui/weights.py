"""How much a call weighs before it is carried out, and the way back from it (DESIGN §8, three weights)."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from relay_tui.actions.table import ACTIONS
from relay_tui.base.resources import spell
from relay_tui.base.times import age
from relay_tui.room.messages import EVERYBODY, EVERYBODY_LIVE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from relay_tui.actions.call import Call, Value
    from relay_tui.room.held import Claim

# What changes much at once; a dry run is shown before it.
CONSEQUENTIAL = frozenset(("init", "join", "leave", "retire", "work import"))
# Options with which a call does so.
_AT_ONCE = {"ack": ("all_", "through"), "followup": ("remind",)}
# What takes from somebody else, where the table says what must be typed for it.
_FORCING = ("force", "relinquish")
# Commands that fetch something to read, though a fact may be recorded on the way.
READING = frozenset(("inbox", "show"))
# Commands that change nothing in the room, and yet something: a toast says what.
_TOLD = frozenset(("fetch",))
# Commands that only list what they would do until this option is given.
LISTING_WITHOUT = {"prune": "apply", "followup": "remind"}


class Weight(Enum):
    """Light acts happen at once, consequential ones show a dry run, forced ones are typed out."""

    LIGHT = "light"
    CONSEQUENTIAL = "consequential"
    FORCED = "forced"


def weigh(call: Call) -> Weight:
    if is_reading(call):
        return Weight.LIGHT
    if ACTIONS[call.action].retype and any(call.values.get(option) for option in _FORCING):
        return Weight.FORCED
    to_many = call.action == "send" and call.values.get("to") in EVERYBODY | EVERYBODY_LIVE
    at_once = any(call.values.get(option) for option in ("apply", *_AT_ONCE.get(call.action, ())))
    return Weight.CONSEQUENTIAL if to_many or at_once or call.action in CONSEQUENTIAL else Weight.LIGHT


def is_reading(call: Call) -> bool:
    """Whether what counts is the answer, so that it gets a page to be read on."""
    doing = LISTING_WITHOUT.get(call.action)
    lists = bool(doing and not call.values.get(doing)) or bool(
        call.values.get("stale") and not call.values.get("apply")
    )
    looks = not ACTIONS[call.action].writes and call.action not in _TOLD
    return looks or call.action in READING or lists


def name_to_type(call: Call) -> str:
    """What a person types again before a forced act: the parameter that the table names."""
    value = call.values.get(ACTIONS[call.action].retype, "")
    return " ".join(value) if isinstance(value, list) else str(value)


def affected_lines(claims: Iterable[Claim], now: int) -> list[str]:
    """Who is displaced from what, and when they were last heard from."""
    return [_affected(claim, now) for claim in claims]


def _affected(claim: Claim, now: int) -> str:
    heard = f"heard from {age(claim.holder_last_seen, now)} ago" if claim.holder_last_seen else "never heard from"
    note = f' · "{claim.note}"' if claim.note else ""
    return f"{spell(claim.scope, claim.resource)} · {claim.holder} · {claim.holder_state}, {heard}{note}"


def way_back(call: Call, result: Any) -> tuple[str, dict[str, Value]] | None:
    """The action that undoes what was just done, with its values; None where there is no way back."""
    resources = call.values.get("resources", [])
    if call.action == "claim" and result.claimed and not result.already:
        return "release", {"resources": resources}
    if call.action == "release" and result.released and not result.forced and resources:
        return "claim", {"resources": resources}
    if call.action == "branch claim" and result.claimed:
        return "branch release", {"branch": call.values["branch"]}
    if call.action == "branch release" and result.released and not result.forced:
        return "branch claim", {"branch": call.values["branch"]}
    if call.action == "retire" and result.changed:
        return "revive", {"name": call.values["name"]}
    return None
