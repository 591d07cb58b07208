"""Who may do what: the one place that decides it, from names and doors alone (DESIGN §6.3, §11).

Agents are cooperative names, not accounts. What depends on a row (whose delivery, whose claim) stays with
that row's job, which raises `not_yours`.
"""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.names import is_reserved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.ledger import Actor

# Doors that agents come through; a person has a terminal.
AGENTS_DOORS = ("hook", "mcp")
# What the operator alone may do, and what others can do about it.
OPERATORS_ACTS = {
    "backup": ("copy the home", "Ask the operator."),
    "db": ("ask relay.db in SQL", "Ask the operator."),
    "export": ("export a room", "Ask the operator."),
    "inbox --of": ("read another's mailbox", "Run: relay inbox"),
    "init --operator": ("name another operator", "Ask the operator."),
    "join --takeover": ("take over a live name", "Join under another name."),
    "log archive": ("archive the ledger", "Ask the operator."),
    "log attach": ("attach an archive", "Ask the operator."),
    "release --force": ("force a release", "Ask the holder."),
    "restore": ("restore a room", "Ask the operator."),
    "retire OTHER": ("retire somebody else", "Ask the operator."),
    "revive": ("revive a name", "Ask the operator."),
    "sweep --apply": ("apply a sweep", "Without --apply it lists the candidates."),
}


def allowed(who: Actor, act: str, operator: str) -> bool:
    """Whether `who` may do `act`: an action's name, or one of `OPERATORS_ACTS`, in the room that `operator` runs.

    Reserved names act through a person's doors only. A live name is taken over before its new session has
    a name of its own, so there the person at the keyboard counts.
    """
    if who.via in AGENTS_DOORS and (who.name == operator or is_reserved(who.name)):
        return False
    if act not in OPERATORS_ACTS:
        return True
    return who.name == operator or (act == "join --takeover" and who.at_keyboard)


def nobody_acts(command: str, operator: str) -> RelayError:
    """The error of a command that came without a name to act under."""
    return RelayError("usage", f"relay {command} must know who acts.", how_to_act(command, operator))


def how_to_act(act: str, operator: str) -> str:
    """The hint for who acts under no name, where it is only the operator's with how to be that."""
    if act not in OPERATORS_ACTS:
        return "Add --as NAME, or set RELAY_AGENT."
    return f"Only the operator may {OPERATORS_ACTS[act][0]}: add --as {operator}, or set RELAY_OPERATOR=1."


def require_allowed(who: Actor, act: str, operator: str) -> None:
    """Raises `reserved_name` for a name that this door may not use, `not_operator` for what is not `who`'s to do."""
    if allowed(who, act, operator):
        return
    if not allowed(who, "", operator):
        raise RelayError(
            "reserved_name",
            f"'{who.name}' is reserved; nobody acts under it over {who.via}.",
            "Act under an agent's own name.",
        )
    what, hint = OPERATORS_ACTS[act]
    raise RelayError("not_operator", f"Only the operator may {what}.", hint)
