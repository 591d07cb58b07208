"""What a call would do, in the words of a question: made from its dry run, before a person agrees (DESIGN §8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from textual.content import Content

from relay_tui.base.resources import spell
from relay_tui.base.text import counted, inert, shell_word
from relay_tui.base.times import age, heard_from
from relay_tui.room.held import shown_resource
from relay_tui.room.presence import STATE_WORDS
from relay_tui.tui.answers import answer_lines
from relay_tui.tui.widgets.content import Words
from relay_tui.tui.widgets.glyphs import QUIET

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.actions.call import Call
    from relay_tui.actions.plan_files.exporting import Exported
    from relay_tui.room.followups import FollowUp, OpenDelivery
    from relay_tui.room.held import Claim
    from relay_tui.room.lobby import RoomInit
    from relay_tui.room.messages import Acknowledged
    from relay_tui.room.persons import Person
    from relay_tui.room.registry import AgentChange
    from relay_tui.room.sweep_records import Sweep
    from relay_tui.room.work_moves import Removal
else:
    from relay_tui.base.record import NamedTuple

_SWEEPS = {
    "prune": "set aside as dormant; it keeps its inbox, and any act of its own brings it back",
    "leave": "recorded as left; it comes back with join",
    "retire": "retired; its history stays, and only V brings it back",
}


class Preview(NamedTuple):
    """`does` is False where carrying it out would change nothing, so that there is nothing to ask."""

    lines: Sequence[Words]
    does: bool = True


def preview(call: Call, result: Any, now: int) -> Preview:
    """The answer of a dry run as what would happen."""
    if hasattr(result, "candidates"):
        return sweep_preview(call.action, result, now)
    known = _PREVIEWS.get(call.action)
    return known(result, now) if known else Preview(answer_lines(call.action, result, now))


def sweep_preview(action: str, sweep: Sweep, now: int) -> Preview:
    """Who would be set aside and when each was last heard from; who is skipped, and why."""
    parts: list[Words] = []
    if sweep.candidates:
        would = counted(len(sweep.candidates), "agent would be", "agents would each be")
        parts.append(f"{would} {_SWEEPS[action]}:")
    else:
        parts.append("Nobody would be set aside.")
    signs = [(inert(one.agent), heard_from(one.last_seen, now)) for one in sweep.candidates]
    parts += [Content.assemble("  ", name, (f"   {heard}", QUIET)) for name, heard in signs]
    if sweep.skipped:
        parts += ["", Content.styled(f"Silent as long, but skipped ({len(sweep.skipped):,}):", QUIET)]
        parts += [
            Content.assemble("  ", inert(one.agent), (f"   {', '.join(map(inert, one.reasons))}", QUIET))
            for one in sweep.skipped
        ]
    return Preview(parts, bool(sweep.candidates))


def init_preview(done: RoomInit, now: int) -> Preview:
    """Where the folder would belong; the screen goes on showing the room that it shows."""
    name, root = inert(done.room.room), inert(done.room.root)
    if done.hides is None:
        return Preview([f"{name} would be the room of {root}, as it is now or with another operator."])
    kept = f"What is in {inert(done.hides)} stays there, and this screen goes on showing it."
    reach = f"Lines typed in this folder reach it with --room {shell_word(done.hides)}."
    return Preview([f"The room of {root} would be {name} from then on, and no more {inert(done.hides)}.", kept, reach])


def retire_preview(change: AgentChange, now: int) -> Preview:
    agent, name = change.agent, inert(change.agent.agent)
    if not change.changed:
        return Preview([f"{name} is retired already."], does=False)
    heard = heard_from(agent.last_seen, now)
    parts = [f"{name}, {heard}, would be retired: nobody writes to it or acts under its name."]
    if agent.unhandled:
        parts.append(f"{counted(agent.unhandled, 'message')} in its inbox would stay unhandled.")
    if agent.claims:
        parts.append(f"{counted(agent.claims, 'claim')} would stay, shown as stale.")
    return Preview([*parts, "Its history stays; only V, the operator's revive, brings it back."])


def join_preview(change: AgentChange, now: int) -> Preview:
    name = inert(change.agent.agent)
    facts = [fact for fact in change.changed if fact != "state"]
    if not change.changed:
        return Preview([f"{name} is here already; nothing would change."], does=False)
    comes = f"{name} would be here, and live." if "state" in change.changed else f"{name} is here already."
    said = [f"  {fact}   {inert(str(getattr(change.agent, fact)))}" for fact in facts if fact != "session"]
    began = ["A new session would begin under its name."] if "session" in facts else []
    return Preview([comes, *began, *said])


def ack_preview(done: Acknowledged, now: int) -> Preview:
    if not done.handled:
        nothing = "Nothing that was fetched is left to handle." if done.doubts else "All of these are handled already."
        return Preview([nothing, *done.doubts], does=False)
    handled = f"{counted(len(done.handled), 'message')} would be handled, which cannot be taken back."
    return Preview([handled, *done.doubts])


def remove_preview(done: Removal, now: int) -> Preview:
    below = len(done.removed) - 1
    and_below = f", with {counted(below, 'item')} below it:" if below else "."
    return Preview([f"{done.item.id} {inert(done.item.title)} would be removed{and_below}"])


def export_preview(done: Exported, now: int) -> Preview:
    """How much of the file would be written, and which boxes would be left as they are."""
    file, left = inert(done.file), [inert(one) for one in done.doubts]
    if not done.changed_lines:
        why = ":" if left else " says what the room says;"
        return Preview([f"{file}{why} nothing would be written.", *left], does=False)
    return Preview([f"{counted(len(done.changed_lines), 'line')} of {file} would change, and no other byte.", *left])


def reminder_preview(found: FollowUp, now: int) -> Preview:
    """Who would get a reminder of what, and who not."""
    if not found.open:
        return Preview(["Nothing that you sent is open."], does=False)
    at = max((one.reminded_at or 0 for one in found.open), default=0) if found.reminded else None
    due = [one for one in found.open if one.id in found.reminded and one.reminded_at == at]
    others = [one for one in found.open if one not in due]
    parts: list[Words] = (
        [f"{counted(len(due), 'reminder')} would be sent, each a reply to what is open:"] if due else []
    )
    parts += [_reminded(one, f"sent {age(one.receipt.stored_at, now)} ago, {_fetched(one, now)}") for one in due]
    if others:
        parts += [*([""] if due else []), Content.styled(f"Left alone ({len(others):,}):", QUIET)]
        parts += [_reminded(one, _why_not(one, now)) for one in others]
    return Preview(parts, bool(due))


def _reminded(one: OpenDelivery, why: str) -> Content:
    return Content.assemble("  ", inert(one.receipt.agent), "   ", inert(one.summary), (f"   {why}", QUIET))


def _fetched(one: OpenDelivery, now: int) -> str:
    at = one.receipt.delivered_at
    return "never fetched" if at is None else f"fetched {age(at, now)} ago"


def _why_not(one: OpenDelivery, now: int) -> str:
    if one.receipt.agent_state in ("left", "retired"):
        return f"it {STATE_WORDS[one.receipt.agent_state]}"
    return f"reminded {age(one.reminded_at or now, now)} ago, once a day is enough"


def forced_release(claims: Sequence[Claim], by: Person) -> list[Words]:
    """What the ledger will hold once somebody else's claims are freed, and who is told."""
    kinds = [("claim.released", f"by {by.name}, forced, with your reason: {_freed(claims, by.room)}")]
    offers = dict.fromkeys(claim.handoff for claim in claims if claim.handoff)
    kinds += [("handoff.cancelled", f"by {by.name}: {offer}, which waits; its recipient is told") for offer in offers]
    kinds += [("message.sent", _told_of(claim, by)) for claim in claims]
    told: list[Words] = [Content.styled("What will be recorded:", QUIET)]
    return [*told, *(Content.assemble((kind, "bold"), f" {inert(words)}") for kind, words in kinds)]


def _freed(claims: Sequence[Claim], here: str) -> str:
    return ", ".join(f"{spell(claim.scope, claim.resource)} of {claim.person.seen_from(here)}" for claim in claims)


def _told_of(claim: Claim, by: Person) -> str:
    holder = claim.person.seen_from(by.room)
    if claim.holder_state in ("left", "retired"):
        return f"to nobody, since {holder} {STATE_WORDS[claim.holder_state]}"
    return f"to {holder}: {by.seen_from(claim.room)} released {shown_resource(claim)}, which you held. Reason: …"


_PREVIEWS: dict[str, Callable[[Any, int], Preview]] = {
    "ack": ack_preview,
    "followup": reminder_preview,
    "init": init_preview,
    "join": join_preview,
    "retire": retire_preview,
    "work export": export_preview,
    "work remove": remove_preview,
}
