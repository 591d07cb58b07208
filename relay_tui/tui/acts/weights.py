"""How much a call weighs before it is carried out, and the way back from it (DESIGN §8, three weights)."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from relay_tui.actions.table import ACTIONS
from relay_tui.base.resources import spell
from relay_tui.base.times import heard_from
from relay_tui.room.messages import EVERYBODY, EVERYBODY_LIVE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from relay_tui.actions.call import Call, Value
    from relay_tui.actions.plan_files.following import Followed
    from relay_tui.room.claims import Claimed, Released
    from relay_tui.room.handoffs import HandoffAnswer
    from relay_tui.room.held import Claim
    from relay_tui.room.work_moves import Removal, Restoration

    Typed: TypeAlias = Callable[[str, str], str]
    Undo: TypeAlias = Callable[[Call, Any, Typed], tuple[str, dict[str, Value]] | None]

# What changes much at once, starts what costs, or cannot be taken back; a dry run is shown before it.
CONSEQUENTIAL = frozenset((
    "init", "join", "leave", "log archive", "retire", "setup", "wake", "work export", "work import", "work remove",
))  # fmt: skip
# Options with which a call does so.
_AT_ONCE = {"ack": ("all_", "through"), "followup": ("remind",)}
# What takes from somebody else, where the table says what must be typed for it.
_FORCING = ("force", "relinquish")
# Commands that fetch something to read, though a fact may be recorded on the way.
READING = frozenset(("inbox", "show"))
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
    if name_to_type(call) and any(call.values.get(option) for option in _FORCING):
        return Weight.FORCED
    to_many = call.action == "send" and call.values.get("to") in EVERYBODY | EVERYBODY_LIVE
    at_once = any(call.values.get(option) for option in ("apply", *_AT_ONCE.get(call.action, ())))
    return Weight.CONSEQUENTIAL if to_many or at_once or call.action in CONSEQUENTIAL else Weight.LIGHT


def is_reading(call: Call) -> bool:
    """Whether what counts is the answer, so that it gets a page to be read on."""
    return not ACTIONS[call.action].writes or call.action in READING or _only_lists(call)


def _only_lists(call: Call) -> bool:
    """Whether it tells what it would do, and waits for an option to do it."""
    doing = LISTING_WITHOUT.get(call.action, "apply" if call.values.get("stale") else None)
    return doing is not None and not call.values.get(doing)


def name_to_type(call: Call) -> str:
    """What a person types again before a forced act: the parameter that the table names."""
    value = call.values.get(ACTIONS[call.action].retype, "")
    return " ".join(value) if isinstance(value, list) else str(value)


def affected_lines(claims: Iterable[Claim], here: str | None, now: int) -> list[str]:
    """Who is displaced from what, and when they were last heard from."""
    return [_affected(claim, here, now) for claim in claims]


def _affected(claim: Claim, here: str | None, now: int) -> str:
    heard = heard_from(claim.holder_last_seen, now)
    note = f' · "{claim.note}"' if claim.note else ""
    holder = claim.person.seen_from(here)
    return f"{spell(claim.scope, claim.resource)} · {holder} · {claim.holder_state}, {heard}{note}"


def way_back(call: Call, result: Any, typed: Typed = spell) -> tuple[str, dict[str, Value]] | None:
    """The action that undoes what was just done, with its values; None where no single line would.

    `typed` writes a scope and a resource as the person would. The line is the same agent's, in the same room.
    """
    undo = UNDOING.get(call.action)
    return undo(call, result, typed) if undo else None


def _after_claim(call: Call, done: Claimed, typed: Typed) -> tuple[str, dict[str, Value]] | None:
    return ("release", {"resources": _names(call, done.claimed, typed)}) if done.claimed else None


def _after_release(call: Call, done: Released, typed: Typed) -> tuple[str, dict[str, Value]] | None:
    """Claims had notes, which one line says only where they are alike; who stands in line for one has it now."""
    if done.forced or not done.released or any(one.waiting for one in done.released):
        return None
    first, *rest = done.released
    note: dict[str, Value] = {"note": first.note} if first.note else {}
    if first.planned and not rest:
        return "branch claim", {"branch": first.resource, "new": True, **note}
    if any(one.planned or one.note != first.note for one in done.released):
        return None
    if call.action == "branch release":
        return "branch claim", {"branch": first.resource, **note}
    return "claim", {"resources": _names(call, done.released, typed), **note}


def _after_branch_claim(call: Call, done: Claimed, typed: Typed) -> tuple[str, dict[str, Value]] | None:
    return ("branch release", {"branch": call.values["branch"]}) if done.claimed else None


def _after_retire(call: Call, done: Any, typed: Typed) -> tuple[str, dict[str, Value]] | None:
    """Branches that were given up would not come back with the name."""
    whole = getattr(done, "changed", None) and not call.values.get("relinquish")
    return ("revive", {"name": call.values["name"]}) if whole else None


def _after_removal(call: Call, done: Removal, typed: Typed) -> tuple[str, dict[str, Value]] | None:
    return "work restore", {"id": done.item.id}


def _after_restoration(call: Call, done: Restoration, typed: Typed) -> tuple[str, dict[str, Value]] | None:
    taken_along: dict[str, Value] = {"recursive": True} if len(done.restored) > 1 else {}
    return ("work remove", {"id": done.item.id, **taken_along}) if done.changed else None


def _after_follow(call: Call, done: Followed, typed: Typed) -> tuple[str, dict[str, Value]] | None:
    return ("work follow", {"file": call.values["file"], "off": done.follow}) if done.changed else None


def _after_request(call: Call, done: HandoffAnswer, typed: Typed) -> tuple[str, dict[str, Value]] | None:
    return "handoff cancel", {"id": done.handoff.id}


def _after_cancel(call: Call, done: HandoffAnswer, typed: Typed) -> tuple[str, dict[str, Value]] | None:
    """An offer is made again by who made it."""
    offer = done.handoff
    if (done.room, call.as_) != offer.giver:
        return None
    resources = [typed(one.scope, one.resource) for one in offer.resources]
    reason: dict[str, Value] = {"reason": offer.reason} if offer.reason else {}
    return "handoff request", {"resources": resources, "to": offer.recipient.typed_in(done.room), **reason}


def _names(call: Call, claims: Sequence[Claim], typed: Typed) -> list[str]:
    """The words of the line where it names just these, else how they are typed."""
    said = call.values.get("resources")
    if isinstance(said, list) and len(said) == len(claims) and not call.values.get("scope"):
        return said
    return [typed(one.scope, one.resource) for one in claims]


UNDOING: Mapping[str, Undo] = {
    "claim": _after_claim,
    "release": _after_release,
    "branch claim": _after_branch_claim,
    "branch release": _after_release,
    "retire": _after_retire,
    "work remove": _after_removal,
    "work restore": _after_restoration,
    "work follow": _after_follow,
    "handoff request": _after_request,
    "handoff cancel": _after_cancel,
}
