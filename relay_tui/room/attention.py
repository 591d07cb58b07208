"""What needs the operator, most urgent first, each with the command that settles it (DESIGN §6.6).

The rules are pure functions of what was read; git's part is handed in as rows of branches.
"""

from __future__ import annotations

from relay_tui.base.resources import spell
from relay_tui.base.text import clip, inert
from relay_tui.base.times import HOUR, age
from relay_tui.room.agents import find_agent
from relay_tui.room.held import held_claims
from relay_tui.room.mail import EVERYTHING, list_open
from relay_tui.room.presence import STATE_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence
    from typing import NamedTuple

    from relay_tui.room.branches import BranchView
    from relay_tui.room.held import Claim
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

# Most urgent first.
KINDS = (
    "question", "contested", "orphaned", "missing", "handoff", "mail", "unhandled", "stale_claim", "blocked",
    "wrong_worktree", "overlap", "fault",
)  # fmt: skip
OVERDUE = HOUR  # mail that nobody handled for this long is the operator's concern too
_MAIL_SHOWN = 50

_QUESTIONS = """
SELECT id, asker, text, asked_at, message FROM questions WHERE room = ? AND whom = ? AND closed_at IS NULL
ORDER BY asked_at
"""
_OVERDUE = """
SELECT a.name, m.id, m.sender, m.summary, m.sent_at, d.delivered_at
FROM messages AS m INDEXED BY messages_unsettled
JOIN deliveries AS d ON d.message = m.seq JOIN agents AS a ON a.key = d.agent
WHERE m.room = ? AND m.unsettled > 0 AND m.expires_at > ? AND m.sent_at <= ? AND a.name <> ?
  AND a.standing IN ('here', 'dormant') AND d.handled_at IS NULL AND d.expired_at IS NULL
ORDER BY m.seq
"""
_HANDOFFS = """
SELECT h.id, g.name, t.name, h.requested_at, count(*) FROM handoffs AS h
JOIN agents AS g ON g.key = h.giver JOIN agents AS t ON t.key = h.recipient
JOIN handoff_resources AS p ON p.handoff = h.id
WHERE h.room = ? AND h.state = 'waiting' GROUP BY h.id ORDER BY h.requested_at
"""
_BLOCKED = """
SELECT id, title, owner FROM items WHERE room = ? AND status = 'blocked' AND removed_at IS NULL ORDER BY id
"""
_BLOCKED_AGENTS = """
SELECT a.name, a.text, p.last_seen FROM agents AS a LEFT JOIN presence AS p ON p.agent = a.key
WHERE a.room = ? AND a.status = 'blocked' AND a.standing = 'here' ORDER BY a.name
"""


class AttentionItem(NamedTuple):
    """One thing that needs a person. `id` is stable while the thing is the same; `command` is an argv."""

    id: str
    kind: str
    subject: str
    since: int | None
    text: str
    command: list[str]


class Attention(NamedTuple):
    items: list[AttentionItem]
    counts: dict[str, int]
    doubts: list[str]


class Overdue(NamedTuple):
    agent: str
    message: str
    sender: str
    summary: str
    sent_at: int
    delivered_at: int | None


def read_attention(room: Room, branches: Sequence[BranchView], doubts: Sequence[str] = ()) -> Attention:
    """Everything that needs the operator of this room, given the rows of its branches."""
    now = room.clock()
    operator = room.row.operator
    with room.reading() as db:
        asked = {row[4] for row in db.execute(_QUESTIONS, (room.row.key, operator))}
        items = [
            *_questions(db, room.row.key, operator),
            *branch_items(branches, operator, now),
            *_operators_mail(db, room, operator, asked, now),
            *overdue_items(_overdue(db, room, operator, now), operator, now),
            *stale_items([held.claim for held in held_claims(db, room, now)], operator, now),
            *_handoffs(db, room.row.key, operator),
            *_blocked(db, room.row.key, operator),
        ]
    items.sort(key=lambda item: (KINDS.index(item.kind), item.since or 0))
    counts = {kind: count for kind in KINDS if (count := sum(item.kind == kind for item in items))}
    return Attention(items, counts, list(doubts))


def branch_items(rows: Iterable[BranchView], operator: str, now: int) -> Iterator[AttentionItem]:
    """Branches that need a decision, and agents that do not stand where they say."""
    for row in rows:
        if row.flag in ("contested", "orphaned", "missing"):
            since = row.claim.claimed_at if row.claim else None
            if row.flag == "orphaned" and row.claim:
                since = row.claim.holder_last_seen
            text = "; ".join(row.reasons)
            yield AttentionItem(
                f"{row.flag}:{row.branch}", row.flag, row.branch, since, text, _settle_branch(row, operator)
            )
        for mismatch in row.mismatches:
            if mismatch.live:
                told = f"Please check your worktree: {mismatch.text}."
                yield AttentionItem(
                    f"wrong_worktree:{mismatch.agent}", "wrong_worktree", mismatch.agent, None, mismatch.text,
                    _send(operator, mismatch.agent, told),
                )  # fmt: skip


def overdue_items(overdue: Iterable[Overdue], operator: str, now: int) -> Iterator[AttentionItem]:
    """One item an agent, however much it has left lying, named by the oldest."""
    by_agent: dict[str, list[Overdue]] = {}
    for one in overdue:
        by_agent.setdefault(one.agent, []).append(one)
    for agent, left in by_agent.items():
        oldest = left[0]
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        fetched = f"fetched {age(oldest.delivered_at, now)} ago" if oldest.delivered_at else "not fetched"
        text = f'"{inert(oldest.summary)}" from {oldest.sender}{more}: {fetched}, not handled'
        command = ["relay", "receipt", oldest.message]
        yield AttentionItem(f"unhandled:{agent}", "unhandled", agent, oldest.sent_at, text, command)


def stale_items(claims: Iterable[Claim], operator: str, now: int) -> Iterator[AttentionItem]:
    """Claims whose holder is not live; a branch of that kind is already orphaned."""
    for claim in claims:
        if claim.stale and claim.scope != "branch":
            resource = spell(claim.scope, claim.resource)
            heard = (
                f"heard from {age(claim.holder_last_seen, now)} ago" if claim.holder_last_seen else "never heard from"
            )
            text = f"held by {claim.holder}, who {STATE_WORDS[claim.holder_state]}, {heard}"
            command = ["relay", "release", resource, "--force", "--reason", "…", "--as", operator]
            yield AttentionItem(
                f"stale_claim:{resource}", "stale_claim", resource, claim.holder_last_seen, text, command
            )


def _questions(db: sqlite3.Connection, room: int, operator: str) -> Iterator[AttentionItem]:
    for question, asker, text, asked_at, _ in db.execute(_QUESTIONS, (room, operator)):
        command = ["relay", "send", "--reply-to", question, "--message", "…", "--as", operator]
        yield AttentionItem(f"question:{question}", "question", asker, asked_at, text, command)


def _handoffs(db: sqlite3.Connection, room: int, operator: str) -> Iterator[AttentionItem]:
    for handoff, giver, recipient, requested_at, parts in db.execute(_HANDOFFS, (room,)):
        things = f"{parts} claim" if parts == 1 else f"{parts} claims"
        answer = ["relay", "handoff", "respond", handoff, "--accept", "--as", operator]
        command = answer if recipient == operator else ["relay", "handoff", "list"]
        yield AttentionItem(f"handoff:{handoff}", "handoff", things, requested_at, f"{giver} → {recipient}", command)


def _operators_mail(
    db: sqlite3.Connection, room: Room, operator: str, asked: set[str], now: int
) -> Iterator[AttentionItem]:
    known = find_agent(db, room.row.key, operator, now, room.settings)
    if known is None:
        return
    for message in list_open(db, known.row.key, now, 0, _MAIL_SHOWN, EVERYTHING):
        if message.id not in asked:
            command = ["relay", "ack" if message.delivered_at else "show", message.id, "--as", operator]
            yield AttentionItem(f"mail:{message.id}", "mail", message.from_, message.sent_at, message.summary, command)


def _overdue(db: sqlite3.Connection, room: Room, operator: str, now: int) -> list[Overdue]:
    rows = db.execute(_OVERDUE, (room.row.key, now, now - OVERDUE, operator))
    return [Overdue(*row) for row in rows]


def _blocked(db: sqlite3.Connection, room: int, operator: str) -> Iterator[AttentionItem]:
    for item, title, owner in db.execute(_BLOCKED, (room,)):
        text = f"{title}" + (f" ({owner})" if owner else "")
        yield AttentionItem(f"blocked:{item}", "blocked", item, None, text, ["relay", "work", "show", item])
    for name, text, last_seen in db.execute(_BLOCKED_AGENTS, (room,)):
        said = text or "says that it is blocked"
        yield AttentionItem(
            f"blocked:{name}", "blocked", name, last_seen, said, _send(operator, name, "What do you need?")
        )


def _settle_branch(row: BranchView, operator: str) -> list[str]:
    if row.flag == "contested":
        live = [agent.agent for agent in row.agents if agent.state == "live"]
        stranger = next((name for name in live if not row.claim or name != row.claim.holder), None)
        if stranger:
            return _send(operator, stranger, f"Please leave {row.branch}.")
    if row.claim and row.flag != "contested":
        return ["relay", "branch", "release", row.branch, "--force", "--reason", "…", "--as", operator]
    return ["relay", "branch", "show", row.branch]


def _send(operator: str, to: str, message: str) -> list[str]:
    return ["relay", "send", "--to", to, "--message", clip(message, 200), "--as", operator]
