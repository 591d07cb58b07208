"""The items of Attention, each from what was read: pure rules, which know neither database nor git (DESIGN §6.6)."""

from __future__ import annotations

from relay_tui.base.resources import spell
from relay_tui.base.text import inert
from relay_tui.base.times import age, heard_from
from relay_tui.room.branches import UNSETTLED
from relay_tui.room.overlap import describe
from relay_tui.room.presence import STATE_WORDS
from relay_tui.room.settling import settle_branch, settle_overlap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import NamedTuple

    from relay_tui.room.branches import BranchView
    from relay_tui.room.held import Claim
    from relay_tui.room.mishaps import Mishap
    from relay_tui.room.overlap import Contest
    from relay_tui.room.passed import Passed
    from relay_tui.room.persons import Person
    from relay_tui.room.settling import Seat
else:
    from relay_tui.base.record import NamedTuple


class AttentionItem(NamedTuple):
    """One thing that needs a person. `id` is stable while the thing is the same; `command` is an argv."""

    id: str
    kind: str
    subject: str
    since: int | None
    text: str
    command: list[str]


class Overdue(NamedTuple):
    """How much an agent has left lying, and the oldest of it."""

    agent: str
    messages: int
    message: str
    sender: str
    summary: str
    sent_at: int
    delivered_at: int | None


def branch_items(rows: Iterable[BranchView], seat: Seat) -> Iterator[AttentionItem]:
    """Branches that need a decision, and agents that do not stand where they say."""
    for row in rows:
        if row.flag in UNSETTLED:
            since = row.claim.claimed_at if row.claim else None
            if row.flag == "orphaned" and row.claim:
                since = row.claim.holder_last_seen
            text = "; ".join(row.reasons)
            yield AttentionItem(f"{row.flag}:{row.branch}", row.flag, row.branch, since, text, settle_branch(row, seat))
        for mismatch in row.mismatches:
            if mismatch.live:
                told = f"Please check your worktree: {mismatch.text}."
                yield AttentionItem(
                    f"wrong_worktree:{_key(mismatch.person, seat)}", "wrong_worktree",
                    mismatch.person.seen_from(seat.room), None, mismatch.text, seat.write_to(mismatch.person, told),
                )  # fmt: skip


def _key(person: Person, seat: Seat) -> str:
    """Of an item that is about somebody: stable, and of each namesake another."""
    return person.name if person.room == seat.room else f"{person.room}/{person.name}"


def overlap_items(contests: Iterable[Contest], seat: Seat, passed: Sequence[Passed] = ()) -> Iterator[AttentionItem]:
    """One item for the same branches and claim, however many files, named by the first of them.

    `passed` are changes that a holder was told of: they say since when, and stand alone where git does not show
    them, as when nobody live is on the branch.
    """
    told = {(one.path, one.holder): one.at for one in passed}
    groups: dict[str, list[Contest]] = {}
    for contest in contests:
        places = sorted(side.branch or side.worktree or "" for side in contest.sides)
        holder = [_key(contest.claim.person, seat)] if contest.claim else []
        groups.setdefault("+".join([*places, *holder]), []).append(contest)
    for key, (first, *rest) in groups.items():
        said = describe(first.overlap, lambda tree: tree.rpartition("/")[2], seat.room)
        more = f", and {len(rest)} more like it" if rest else ""
        command = settle_overlap(first, said, seat)
        people = {one.path: one.claim.person for one in (first, *rest) if one.claim}
        moments = [told.pop(one) for one in people.items() if one in told]
        since = min(moments, default=None)
        yield AttentionItem(f"overlap:{key}", "overlap", first.path, since, said + more, command)
    yield from _passed_items([one for one in passed if (one.path, one.holder) in told], seat)


def _passed_items(passed: Iterable[Passed], seat: Seat) -> Iterator[AttentionItem]:
    """One item for an agent and a holder."""
    groups: dict[tuple[Person, Person], list[Passed]] = {}
    for one in passed:
        groups.setdefault((one.agent, one.holder), []).append(one)
    for (agent, holder), (first, *rest) in groups.items():
        more = f", and {len(rest)} more like it" if rest else ""
        path = inert(first.path)
        text = f"changed where {agent.seen_from(seat.room)} works, claimed by {holder.seen_from(seat.room)}{more}"
        ask = f"Please settle with {holder.seen_from(agent.room)} who goes on with {path}."
        tell = f"{agent.seen_from(seat.room)} left {path} changed; look at it."
        command = seat.write_to(agent, ask) if first.is_here else seat.write_to(holder, tell)
        item = f"overlap:{_key(agent, seat)}+{_key(holder, seat)}"
        yield AttentionItem(item, "overlap", first.path, first.at, text, command)


def overdue_items(overdue: Iterable[Overdue], now: int) -> Iterator[AttentionItem]:
    """One item an agent, however much it has left lying."""
    for agent, messages, message, sender, summary, sent_at, delivered_at in overdue:
        more = f" and {messages - 1:,} more" if messages > 1 else ""
        fetched = f"fetched {age(delivered_at, now)} ago" if delivered_at else "not fetched"
        text = f'"{inert(summary)}" from {sender}{more}: {fetched}, not handled'
        yield AttentionItem(f"unhandled:{agent}", "unhandled", agent, sent_at, text, ["relay", "receipt", message])


def stale_items(claims: Iterable[tuple[Claim, str]], seat: Seat, now: int) -> Iterator[AttentionItem]:
    """Claims whose holder is not live, each with how it is typed; a branch of that kind is already orphaned."""
    for claim, typed in claims:
        if claim.stale and claim.scope != "branch":
            resource = spell(claim.scope, claim.resource)
            heard = heard_from(claim.holder_last_seen, now)
            text = f"held by {claim.person.seen_from(seat.room)}, who {STATE_WORDS[claim.holder_state]}, {heard}"
            command = seat.line("release", typed, "--force", "--reason", "…")
            yield AttentionItem(
                f"stale_claim:{resource}", "stale_claim", resource, claim.holder_last_seen, text, command
            )


def fault_items(mishaps: Iterable[Mishap]) -> Iterator[AttentionItem]:
    """One item for a line that fails in a folder, however often, with what it said last."""
    groups: dict[tuple[str, str], list[Mishap]] = {}
    for mishap in mishaps:
        groups.setdefault((mishap.where, mishap.folder), []).append(mishap)
    for (where, folder), failed in groups.items():
        often = f"{len(failed)} times, the last: " if len(failed) > 1 else ""
        text = f"{often}{failed[-1].text.strip()}" + (f" (in {folder})" if folder else "")
        yield AttentionItem(f"fault:{where}:{folder}", "fault", where, failed[0].at, inert(text), ["relay", "doctor"])
