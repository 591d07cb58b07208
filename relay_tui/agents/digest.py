"""What a client's model is told, in words: statements of fact, with peers' words quoted as a peer's. Pure.

A model takes text from a hook as part of its own context, so nothing here is an instruction, nothing is
longer than `CHARACTERS`, and what others wrote is made inert and stands in quotation marks (DESIGN §9).
"""

from __future__ import annotations

from relay_tui.base.text import clip, counted, first_of, inert, quote, quote_name
from relay_tui.base.times import age

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from relay_tui.room.agents import Agent
    from relay_tui.room.guarding import HeldPath
    from relay_tui.room.held import Claim
    from relay_tui.room.notices import Untold

CHARACTERS = 2000
_SHOWN = 8  # messages, agents or claims of one kind
_LISTED = 300  # characters of a list within a sentence
_NAME = 80
_QUOTED = 120
PEERS = "Quoted words are other agents', not the user's."


def welcome(me: Agent, room: str, others: Sequence[Agent], claims: Sequence[Claim], mail: Sequence[Untold]) -> str:
    """What a session that begins should know: its name, its mail, who else is here and what they hold."""
    from relay_tui.room.held import shown_resource

    where = f", on branch {_branch(me)}" if me.branch else ""
    begins = [f"relay: this session is '{me.agent}' in the room '{clip(inert(room), _NAME)}'{where}."]
    if me.unhandled:
        begins.append(f"It has {counted(me.unhandled, 'unhandled message')}; `relay inbox` shows them.")
    ends = []
    if others:
        ends.append("Also live here: " + _listed(map(_presence, others)) + ".")
    mine = [claim for claim in claims if claim.person == (room, me.agent)]
    theirs = [claim for claim in claims if claim not in mine]
    if mine:
        ends.append("This session holds " + _listed(map(shown_resource, mine)) + ".")
    if theirs:
        held = _listed(f"{shown_resource(claim)} ({claim.person.seen_from(room)})" for claim in theirs)
        ends.append(f"Held by others: {held}. `relay handoff ask RESOURCE` asks a holder for it.")
    return _text(begins, _mail_lines(mail), ends)


def mail_news(mail: Sequence[Untold]) -> str:
    """New mail since the session was last told."""
    return _text([f"relay: {counted(len(mail), 'new message')}; `relay inbox` shows the whole."], _mail_lines(mail))


def questions_open(mail: Sequence[Untold]) -> str:
    """Mail that asks this agent something, told before it stops."""
    told = (
        f"relay: {counted(len(mail), 'question')} to this agent came in meanwhile and waits for an answer"
        " (`relay send --reply-to ID --message …` answers)."
    )
    return _text([told], _mail_lines(mail))


def held_by_others(held: Sequence[HeldPath], here: str, now: int) -> str:
    """Why an edit in the room `here` meets somebody's claim: who holds what, since when, and how to ask."""
    return _text([], _held_lines(held, here, now), [_way_to_ask(held)])


def passed_the_guard(passed: Sequence[HeldPath], here: str, now: int) -> str:
    """What is changed though somebody else holds it; the holder knows."""
    changed = f"{counted(len(passed), 'file')} that somebody else holds {'is' if len(passed) == 1 else 'are'} changed"
    told = f"relay: {changed} in this worktree; the holder was told."
    return _text([told], _held_lines(passed, here, now), [_way_to_ask(passed)])


def _held_lines(held: Sequence[HeldPath], here: str, now: int) -> list[str]:
    from relay_tui.room.held import describe

    lines = []
    for path, claim, _ in held:
        of = "" if path == claim.resource else f"{quote_name(path, _NAME)}: "
        lines.append(f"{of}{describe(claim, now, here)}, for {age(claim.claimed_at, now)}.")
    return lines


def _way_to_ask(held: Sequence[HeldPath]) -> str:
    asked = held[0].word if len(held[0].word) <= 2 * _NAME else "RESOURCE"
    return f"`relay handoff ask {asked} --reason …` asks the holder; `relay claims --over {asked}` shows it."


def _mail_lines(mail: Sequence[Untold]) -> list[str]:
    return [
        f"- {one.id} from {one.from_}{' (a question)' if one.asks else ''}: {quote(one.summary, _QUOTED)}"
        for one in mail
    ]


def _presence(agent: Agent) -> str:
    return f"{agent.agent} on {_branch(agent)}" if agent.branch else agent.agent


def _branch(agent: Agent) -> str:
    return quote_name(agent.branch or "", _NAME)


def _listed(words: Iterable[str]) -> str:
    """The first of them, and how many there are besides."""
    named, length, most = list(words), 0, 0
    for word in named[:_SHOWN]:
        length += len(word)
        most += length <= _LISTED
    return first_of(named, most)


def _text(begins: Sequence[str], lines: Sequence[str], ends: Sequence[str] = ()) -> str:
    """As many of the lines as fit, and how many there are besides, between what stands in any case.

    Where anything is quoted, whose words these are stands in any case too.
    """
    quoted = [PEERS] if any('"' in line for line in (*lines, *ends)) else []
    left = CHARACTERS - sum(len(line) + 1 for line in (*begins, *quoted, *ends, "- and 100 more"))
    shown = []
    for line in lines[:_SHOWN]:
        left -= len(line) + 1
        if left < 0:
            break
        shown.append(line)
    more = [f"- and {len(lines) - len(shown)} more"] if len(shown) < len(lines) else []
    return "\n".join([*begins, *shown, *more, *quoted, *ends])
