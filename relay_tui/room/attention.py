"""What needs the operator, most urgent first, each with the command that settles it (DESIGN §6.6).

What makes an item of what was read stands in `attention_items`; git's part is handed in as rows of branches.
"""

from __future__ import annotations

from relay_tui.base.times import HOUR
from relay_tui.room.agents import find_agent
from relay_tui.room.attention_items import (
    AttentionItem,
    Overdue,
    branch_items,
    fault_items,
    overdue_items,
    overlap_items,
    stale_items,
)
from relay_tui.room.held import stale_claims
from relay_tui.room.mail import EVERYTHING, count_unhandled, list_open
from relay_tui.room.mishaps import LASTS, read_mishaps
from relay_tui.room.passed import read_passed
from relay_tui.room.persons import Person
from relay_tui.room.questions import questions_to
from relay_tui.room.rooms import find_room
from relay_tui.room.settling import Seat
from relay_tui.room.where import typed_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence
    from typing import NamedTuple

    from relay_tui.room.branches import BranchView
    from relay_tui.room.held import Claim
    from relay_tui.room.mail import Message
    from relay_tui.room.overlap import Contest
    from relay_tui.room.questions import Asking
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
BRANCHES_UNKNOWN = "Branches are unknown: git could not be read."
ELSE_SETTLED = "Everything else is settled; branches, worktrees and overlaps could not be checked."

_OPERATORS = "SELECT name, operator FROM rooms WHERE family = ?"
_QUESTIONS_UNHANDLED = """
SELECT count(*) FROM questions AS q JOIN messages AS m ON m.id = q.message
JOIN deliveries AS d ON d.message = m.seq AND d.agent = ?
WHERE q.room = ? AND q.whom = ? AND q.closed_at IS NULL
  AND d.handled_at IS NULL AND d.expired_at IS NULL AND d.expires_at > ?
"""
# With one min(), SQLite takes the other columns from the row that it is of.
_OVERDUE = """
SELECT a.name, count(*), m.id, m.sender, m.summary, m.sent_at, d.delivered_at, min(m.seq)
FROM messages AS m INDEXED BY messages_unsettled
JOIN deliveries AS d ON d.message = m.seq JOIN agents AS a ON a.key = d.agent
WHERE m.room = ? AND m.unsettled > 0 AND m.expires_at > ? AND m.sent_at <= ? AND a.name <> ?
  AND a.standing IN ('here', 'dormant') AND d.handled_at IS NULL AND d.expired_at IS NULL
GROUP BY a.key ORDER BY min(m.seq)
"""
_HANDOFFS = """
SELECT h.id, gr.name, g.name, tr.name, t.name, h.requested_at, count(*) FROM handoffs AS h
JOIN agents AS g ON g.key = h.giver JOIN rooms AS gr ON gr.key = g.room
JOIN agents AS t ON t.key = h.recipient JOIN rooms AS tr ON tr.key = t.room
JOIN handoff_resources AS p ON p.handoff = h.id
WHERE h.state = 'waiting' AND (g.room = ?1 OR t.room = ?1) GROUP BY h.id ORDER BY h.requested_at
"""
_BLOCKED = """
SELECT id, title, owner, status_at FROM items WHERE room = ? AND status = 'blocked' AND removed_at IS NULL ORDER BY id
"""
_BLOCKED_AGENTS = """
SELECT name, text, status_at FROM agents WHERE room = ? AND status = 'blocked' AND standing = 'here' ORDER BY name
"""


class Attention(NamedTuple):
    """`counts` are whole, also where of much mail only the oldest is among the items; `unknown` names what could
    not be looked at, such as `branches`."""

    items: list[AttentionItem]
    counts: dict[str, int]
    unknown: list[str]
    doubts: list[str]

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def unlisted_mail(self) -> int:
        """Messages to the operator that are counted and not listed."""
        return self.total - len(self.items)


def read_attention(
    room: Room,
    branches: Sequence[BranchView] | None,
    contests: Iterable[Contest] = (),
    doubts: Sequence[str] = (),
) -> Attention:
    """Everything that needs the operator of this room, given the rows of its branches and where they overlap.

    `branches` is None where git could not be read.
    """
    now = room.clock()
    operator = room.row.operator
    with room.reading() as db:
        seat = Seat(room.row.name, dict(db.execute(_OPERATORS, (room.row.family,)).fetchall()))
        asked = questions_to(db, room.row.key, operator)
        mail, more_mail = _operators_mail(db, room, operator, {one.message for one in asked}, now)
        items = [
            *_questions(asked, seat),
            *branch_items(branches or (), seat),
            *overlap_items(contests, seat, read_passed(db, room, now)),
            *mail,
            *overdue_items(_overdue(db, room, operator, now), now),
            *stale_items(_stale_claims(db, room, now), seat, now),
            *_handoffs(db, room.row.key, seat),
            *_blocked(db, room.row.key, seat),
        ]
        named = _room_to_name(db, room)
    items += fault_items(read_mishaps(room.store.home, now - LASTS))
    items = [one if "--room" in one.command else one._replace(command=[*one.command, *named]) for one in items]
    items.sort(key=lambda item: (KINDS.index(item.kind), item.since or 0))
    counts = {kind: count for kind in KINDS if (count := sum(item.kind == kind for item in items))}
    counts |= {"mail": counts["mail"] + more_mail} if more_mail else {}
    return Attention(items, counts, ["branches"] if branches is None else [], list(doubts))


def _room_to_name(db: sqlite3.Connection, room: Room) -> list[str]:
    """`--room NAME` for lines that the folder alone would lead to another room."""
    found = find_room(db, room.folder)
    return [] if found is not None and found.key == room.row.key else ["--room", room.row.name]


def kind_words(kind: str) -> str:
    """A kind as people read it: the thing is a handover, the command and the kind are `handoff`."""
    return "handover" if kind == "handoff" else kind.replace("_", " ")


def _questions(asked: Iterable[Asking], seat: Seat) -> Iterator[AttentionItem]:
    for question, asker, text, asked_at, _ in asked:
        command = seat.line("send", "--reply-to", question, "--message", "…")
        yield AttentionItem(f"question:{question}", "question", asker, asked_at, text, command)


def _handoffs(db: sqlite3.Connection, room: int, seat: Seat) -> Iterator[AttentionItem]:
    """Offers by or to somebody of this room."""
    for handoff, *names, requested_at, parts in db.execute(_HANDOFFS, (room,)):
        giver, to = Person(*names[:2]), Person(*names[2:])
        things = f"{parts} claim" if parts == 1 else f"{parts} claims"
        text = f"{giver.seen_from(seat.room)} → {to.seen_from(seat.room)}"
        if to.name == seat.operators.get(to.room):
            command = seat.line("handoff", "respond", handoff, "--accept", room=to.room)
        else:
            command = seat.write_to(to, f"Please answer {handoff}, which {giver.seen_from(to.room)} offers you.")
        yield AttentionItem(f"handoff:{handoff}", "handoff", things, requested_at, text, command)


def _operators_mail(
    db: sqlite3.Connection, room: Room, operator: str, asked: set[str], now: int
) -> tuple[list[AttentionItem], int]:
    """The oldest messages that wait for the operator, and how many more there are; questions stand apart."""
    known = find_agent(db, room.row.key, operator, now, room.settings)
    if known is None:
        return [], 0
    listed = list_open(db, known.row.key, now, 0, _MAIL_SHOWN, EVERYTHING)
    items = [_mail_item(message, operator) for message in listed if message.id not in asked]
    if len(listed) < _MAIL_SHOWN:
        return items, 0
    (questions,) = db.execute(_QUESTIONS_UNHANDLED, (known.row.key, room.row.key, operator, now)).fetchone()
    return items, count_unhandled(db, known.row.key, now) - questions - len(items)


def _mail_item(message: Message, operator: str) -> AttentionItem:
    command = ["relay", "ack" if message.delivered_at else "show", message.id, "--as", operator]
    return AttentionItem(f"mail:{message.id}", "mail", message.from_, message.sent_at, message.summary, command)


def _overdue(db: sqlite3.Connection, room: Room, operator: str, now: int) -> list[Overdue]:
    rows = db.execute(_OVERDUE, (room.row.key, now, now - OVERDUE, operator))
    return [Overdue(*row[:-1]) for row in rows]


def _stale_claims(db: sqlite3.Connection, room: Room, now: int) -> Iterator[tuple[Claim, str]]:
    for claim in (one.claim for one in stale_claims(db, room, now)):
        yield claim, typed_here(room, claim.scope, claim.resource)


def _blocked(db: sqlite3.Connection, room: int, seat: Seat) -> Iterator[AttentionItem]:
    """Blocked items and agents, each since it says so."""
    for item, title, owner, since in db.execute(_BLOCKED, (room,)):
        text = f"{title}" + (f" ({owner})" if owner else "")
        yield AttentionItem(f"blocked:{item}", "blocked", item, since, text, ["relay", "work", "show", item])
    for name, text, since in db.execute(_BLOCKED_AGENTS, (room,)):
        said = text or "says that it is blocked"
        command = seat.write_to(Person(seat.room, name), "What do you need?")
        yield AttentionItem(f"blocked:{name}", "blocked", name, since, said, command)
