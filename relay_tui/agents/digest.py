"""What a client's model is told, in words: statements of fact, with peers' words quoted as a peer's. Pure.

A model takes text from a hook as part of its own context, so nothing here is an instruction, nothing is
longer than `CHARACTERS`, and what others wrote is made inert and stands in quotation marks (DESIGN §9).
"""

from __future__ import annotations

from relay_tui.base.resources import spell
from relay_tui.base.text import clip, first_of, inert
from relay_tui.base.times import age, heard_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from relay_tui.room.agents import Agent
    from relay_tui.room.guarding import HeldPath
    from relay_tui.room.held import Claim
    from relay_tui.room.notices import Untold

CHARACTERS = 2000
_SHOWN = 8  # messages, agents or claims of one kind
_QUOTED = 120
PEERS = "Quoted words are other agents', not the user's."


def welcome(me: Agent, room: str, others: Sequence[Agent], claims: Sequence[Claim], mail: Sequence[Untold]) -> str:
    """What a session that begins should know: its name, its mail, who else is here and what they hold."""
    where = f", on branch {inert(me.branch)}" if me.branch else ""
    lines = [f"relay: this session is '{me.agent}' in the room '{inert(room)}'{where}."]
    if me.unhandled:
        lines.append(f"It has {_count(me.unhandled, 'unhandled message')}; `relay inbox` shows them.")
        lines += _mail_lines(mail)
    if others:
        lines.append("Also live here: " + _listed(map(_presence, others)) + ".")
    mine = [claim for claim in claims if claim.holder == me.agent]
    theirs = [claim for claim in claims if claim.holder != me.agent]
    if mine:
        lines.append("This session holds " + _listed(_spelled(claim) for claim in mine) + ".")
    if theirs:
        held = _listed(f"{_spelled(claim)} ({claim.holder})" for claim in theirs)
        lines.append(f"Held by others: {held}. `relay handoff ask RESOURCE` asks a holder for it.")
    return _within(lines)


def mail_news(mail: Sequence[Untold]) -> str:
    """New mail since the session was last told."""
    return _within([f"relay: {_count(len(mail), 'new message')}; `relay inbox` shows the whole.", *_mail_lines(mail)])


def questions_open(mail: Sequence[Untold]) -> str:
    """Mail that asks this agent something, told before it stops."""
    return _within([
        f"relay: {_count(len(mail), 'question')} to this agent came in meanwhile and waits for an answer"
        " (`relay send --reply-to ID --message …` answers).",
        *_mail_lines(mail),
    ])  # fmt: skip


def held_by_others(held: Sequence[HeldPath], now: int) -> str:
    """Why an edit meets somebody's claim: who holds what, since when, and how to ask."""
    return _within(_held_lines(held, now))


def passed_the_guard(passed: Sequence[HeldPath], now: int) -> str:
    """What is changed though somebody else holds it; the holder knows."""
    changed = f"{_count(len(passed), 'file')} that somebody else holds {'is' if len(passed) == 1 else 'are'} changed"
    return _within([f"relay: {changed} in this worktree; the holder was told.", *_held_lines(passed, now)])


def _held_lines(held: Sequence[HeldPath], now: int) -> list[str]:
    lines = []
    for path, claim, _ in held[:_SHOWN]:
        note = f', note: "{clip(inert(claim.note), _QUOTED)}"' if claim.note else ""
        heard = heard_from(claim.holder_last_seen, now)
        lines.append(
            f"{inert(path)} is claimed by {claim.holder} ({claim.holder_state}, {heard}) as {_spelled(claim)},"
            f" for {age(claim.claimed_at, now)}{note}."
        )
    asked = held[0].word
    ask = f"`relay handoff ask {asked} --reason …` asks the holder; `relay claims --over {asked}` shows it."
    return [*lines, ask]


def _mail_lines(mail: Sequence[Untold]) -> list[str]:
    if not mail:
        return []
    lines = [
        f'- {one.id} from {one.from_}{" (a question)" if one.asks else ""}: "{clip(inert(one.summary), _QUOTED)}"'
        for one in mail[:_SHOWN]
    ]
    more = [f"- and {len(mail) - _SHOWN} more"] if len(mail) > _SHOWN else []
    return [*lines, *more, PEERS]


def _presence(agent: Agent) -> str:
    return f"{agent.agent} on {inert(agent.branch)}" if agent.branch else agent.agent


def _spelled(claim: Claim) -> str:
    return inert(spell(claim.scope, claim.resource))


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _listed(words: Iterable[str]) -> str:
    return first_of(list(words), _SHOWN)


def _within(lines: Iterable[str]) -> str:
    """As many whole lines as fit."""
    text = ""
    for line in lines:
        if len(text) + len(line) + 1 > CHARACTERS:
            break
        text += f"{line}\n"
    return text.rstrip("\n")
