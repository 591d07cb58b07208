"""What happens at each event of a client's hook: the room's facts in, an answer for the client out (DESIGN §9).

Every answer is a fact, never an instruction. Reading and writing the client's pipes stands in `hook_door`.
"""

from __future__ import annotations

from relay_tui.agents import digest
from relay_tui.agents.session import (
    ClientSession,
    actor_of,
    find_session,
    join_session,
    observed_branch,
    observed_worktree,
    own_session,
)
from relay_tui.base.processes import find_ancestor
from relay_tui.base.text import clip
from relay_tui.room.agents import view_agent
from relay_tui.room.ledger import Actor
from relay_tui.room.notices import take_untold
from relay_tui.room.presence import note_reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NamedTuple, TypeAlias

    from relay_tui.agents.hook_call import HookCall
    from relay_tui.room.agents import KnownAgent
    from relay_tui.room.guarding import HeldPath
    from relay_tui.room.rooms import Room

    Event: TypeAlias = Callable[["Visit"], "Answer"]
else:
    from relay_tui.base.record import NamedTuple

# Why a session ends, and begins, whose client goes on under another id as the same agent.
_CLEARED = "clear"
_WAITS = ("permission_prompt", "agent_needs_input", "elicitation_dialog", "ToolPermission")
_TEXT = 200


class Visit(NamedTuple):
    """One event of one session: `advise` turns the guard's refusal into a remark."""

    room: Room
    call: HookCall
    who: ClientSession
    environ: Mapping[str, str]
    advise: bool = False


def visit_of(room: Room, call: HookCall, environ: Mapping[str, str], *, advise: bool) -> Visit:
    name, pid = environ.get("RELAY_AGENT") or None, _client_pid(call.client, environ)
    who = ClientSession(call.client, call.session, call.folder, "hook", name, pid, call.own)
    return Visit(room, call, own_session(room, who), environ, advise)


def _client_pid(client: str, environ: Mapping[str, str]) -> int | None:
    """The client's own process, where it says so or can be found: Claude Code's variable reaches all that it starts,
    and so other clients too."""
    if client == "codex":
        return find_ancestor("codex")
    said = environ.get("CLAUDE_PID", "") if client == "claude" else ""
    return int(said) if said.isdecimal() else None


class Answer(NamedTuple):
    """`document` goes to standard output as JSON, `told` to standard error; both may be empty."""

    document: dict[str, Any] | None = None
    told: str = ""
    exit_code: int = 0


NOTHING = Answer()
WAKE = 2  # the exit code by which a hook that runs beside its client wakes it


def session_start(visit: Visit) -> Answer:
    """Join, and tell the session who it is, what waits for it and who else is here."""
    return _context("SessionStart", _welcome(visit))


def prompt(visit: Visit) -> Answer:
    """A turn begins: note the sign and where the session stands, and tell it of mail that is new."""
    known = find_session(visit.room, visit.who)
    if known is None:
        return _context("UserPromptSubmit", _welcome(visit))
    _follow(visit, known)
    mail = take_untold(visit.room, actor_of(known, visit.who), "hook")
    return _context("UserPromptSubmit", digest.mail_news(mail)) if mail else NOTHING


def guard(visit: Visit) -> Answer:
    """An edit is about to happen: refuse it where somebody else holds the file."""
    if not visit.call.paths or not visit.room.exists:
        return NOTHING
    from relay_tui.actions.guard import touched
    from relay_tui.room.guarding import guard_paths

    known = find_session(visit.room, visit.who)
    name = known.row.name if known else None
    held = guard_paths(visit.room, name, touched(visit.room, visit.call.paths), advise=visit.advise).held
    if name is not None:
        note_reader(visit.room, name, "hook")
    if not held:
        return NOTHING
    reason = digest.held_by_others(held, visit.room.row.name, visit.room.clock())
    if visit.advise:
        return _context("PreToolUse", reason)
    if visit.call.client == "gemini":
        return Answer({"decision": "deny", "reason": reason})
    return Answer({"hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason,
    }})  # fmt: skip


def check(visit: Visit) -> Answer:
    """A tool has run that may have written past the guard: say what is changed that somebody else holds."""
    known = find_session(visit.room, visit.who)
    if known is None:
        return NOTHING
    _note_sign(visit, known)
    passed = _report_passed(visit, known)
    if not passed:
        return NOTHING
    return _context("PostToolUse", digest.passed_the_guard(passed, visit.room.row.name, visit.room.clock()))


def stop(visit: Visit) -> Answer:
    """A turn ends: once, where somebody asked this agent something that its runner was not told of."""
    known = find_session(visit.room, visit.who)
    if known is None:
        return NOTHING
    _note_sign(visit, known)
    if not visit.call.is_continuing:
        asked = take_untold(visit.room, actor_of(known, visit.who), "hook", asking=True)
        if asked:
            return Answer({"decision": "block", "reason": digest.questions_open(asked)})
    _report_passed(visit, known, tell_me=True)  # last, as git may fail; after a question the turn ends once more
    return NOTHING


def watch(visit: Visit) -> Answer:
    """Beside an idle session, where the person has allowed it: wait for mail and wake the session once."""
    from relay_tui.agents.waker import wait_for_mail
    from relay_tui.room.wakes import wake_line

    # A client that nobody attends ends only after its hooks: waiting beside it would keep it from that.
    known = None if visit.environ.get("CLAUDE_CODE_SESSION_ATTENDED") == "0" else find_session(visit.room, visit.who)
    if known is None or not visit.room.settings.wakes(known.row.name):
        return NOTHING
    mail = wait_for_mail(visit.room, actor_of(known, visit.who))
    return Answer(None, wake_line(len(mail)), WAKE) if mail else NOTHING


def notification(visit: Visit) -> Answer:
    """The client waits for its person: say so in the room."""
    from relay_tui.room.registry import report_status

    known = find_session(visit.room, visit.who)
    waits = visit.call.occasion in _WAITS
    if known is None or not waits or known.row.status == "waiting" or not _asks_nothing(visit.room, known):
        return NOTHING
    facts = {"status": "waiting", "text": clip(visit.call.text, _TEXT) or None}
    report_status(visit.room, actor_of(known, visit.who), facts, None)
    return NOTHING


def session_end(visit: Visit) -> Answer:
    """The session is over: leave. What it holds stays claimed."""
    from relay_tui.room.registry import leave

    known = find_session(visit.room, visit.who)
    if known is not None and visit.call.occasion != _CLEARED:
        leave(visit.room, actor_of(known, visit.who))
    return NOTHING


def _welcome(visit: Visit) -> str:
    from relay_tui.room.held import list_claims
    from relay_tui.room.registry import list_agents

    room = visit.room
    name = join_session(room, visit.who, replaces=visit.call.occasion == _CLEARED)
    mail = take_untold(room, Actor(name, visit.who.id, "hook"), "hook")
    others = [one for one in list_agents(room, ["live"]).agents if one.agent not in (name, room.operator)]
    with room.reading() as db:
        me = view_agent(db, room.row.key, name, room.clock(), room.settings)
    return digest.welcome(me, room.row.name, others, list_claims(room).claims, mail)


def _follow(visit: Visit, known: KnownAgent) -> None:
    """Where the session stands now, and a sign of it."""
    here = observed_branch(visit.room)
    moved = observed_worktree(visit.room) != known.row.worktree or here not in (None, known.row.branch)
    if moved or known.row.standing == "left":
        join_session(visit.room, visit.who)
    else:
        _note_sign(visit, known)


def _note_sign(visit: Visit, known: KnownAgent) -> None:
    """The client was heard from, and so waits for its person no more."""
    if known.row.status == "waiting":
        from relay_tui.room.registry import take_back_waiting

        take_back_waiting(visit.room, actor_of(known, visit.who))
    note_reader(visit.room, known.row.name, "hook")


def _asks_nothing(room: Room, known: KnownAgent) -> bool:
    """Whether the agent has no open question, which its next report would close."""
    from relay_tui.room.questions import open_question_of

    with room.reading() as db:
        return open_question_of(db, known.row.key) is None


def _report_passed(visit: Visit, known: KnownAgent, *, tell_me: bool = False) -> list[HeldPath]:
    """What got past the guard since the last look."""
    from relay_tui.room.guarding import held_elsewhere

    held = held_elsewhere(visit.room, known)
    if not held:
        return []
    from relay_tui.actions.guard import changed_paths
    from relay_tui.room.passed import report_passed

    changed = changed_paths(visit.room, held)
    return report_passed(visit.room, actor_of(known, visit.who), changed, tell_me=tell_me) if changed else []


def _context(event: str, text: str) -> Answer:
    return Answer({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})


EVENTS: dict[str, Event] = {
    "session-start": session_start, "prompt": prompt, "guard": guard, "check": check, "stop": stop, "watch": watch,
    "notification": notification, "session-end": session_end,
}  # fmt: skip
