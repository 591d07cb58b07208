"""Names of agents and rooms: what is allowed and what is reserved. And what is said of a name that nobody has."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.base.text import clip, inert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_FIRST = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_REST = _FIRST | frozenset("._-")
LENGTH = 64
ROOM_LENGTH = 100  # characters

# Words that address somebody else than one agent, or that belong to relay itself (DESIGN §6.1).
RESERVED = frozenset("operator human all both leader orchestrator coordinator system relay".split())

RULE = "Use 1 to 64 of a-z, 0-9, '.', '_' and '-', beginning with a letter or digit."


def is_valid(name: str) -> bool:
    """Whether `name` follows the rule `[a-z0-9][a-z0-9._-]{0,63}` (DESIGN §2)."""
    return 0 < len(name) <= LENGTH and name[0] in _FIRST and _REST.issuperset(name)


def is_reserved(name: str) -> bool:
    """Whether no agent may join under `name`: reserved words, and names of digits only."""
    return name in RESERVED or name.isdigit()


def check_joinable(name: str) -> None:
    """Raises `invalid` for a name outside the rule and `reserved_name` for a reserved one."""
    if not is_valid(name):
        raise RelayError("invalid", f"'{clip(name, 40)}' cannot be an agent's name.", RULE)
    if is_reserved(name):
        raise RelayError("reserved_name", f"'{name}' is reserved.", "Join under another name.")


def check_room_name(name: str) -> None:
    """Raises `invalid` for what `--room` would take for a path or an option, or what cannot be seen as it is."""
    if name in (".", "..") or "/" in name:
        hint = "For the room of a folder, run relay init in it; a name has no '/' in it."
        raise RelayError("invalid", f"'{clip(name, 40)}' is a path, and no name of a room.", hint)
    if name != room_name_of(name):
        hint = f"Use up to {ROOM_LENGTH} characters of one line, with no blank around them and no '-' before them."
        raise RelayError("invalid", f"A room cannot be called '{clip(name, 40)}'.", hint)


def room_name_of(folder: str) -> str:
    """The name of a room that is made of a folder's."""
    return inert(folder)[:ROOM_LENGTH].strip().lstrip("- ") or "room"


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Up to three of the known names that are spelled most like `name`, the nearest first."""
    from difflib import get_close_matches

    return get_close_matches(name.lower(), sorted(known), n=3, cutoff=0.5)


def unknown_agent(name: str, known: Iterable[str], hint: str = "") -> RelayError:
    """The error for a name that nobody in the room has, with the nearest that somebody has."""
    near = nearest(name, known)
    meant = f"Did you mean {' or '.join(near)}?" if near else ""
    message = f"Nobody here is called '{clip(name, 40)}'."
    said = " ".join(filter(None, (meant, hint)))
    return RelayError("unknown_agent", message, said, {"name": name, "near": near})


def unknown_branch(name: str, known: Iterable[str], way_out: str = "") -> RelayError:
    """The error for a branch that git does not have, with the nearest that it has."""
    near = nearest(name, known)
    meant = f"Did you mean {' or '.join(near)}?" if near else "Run: relay branches --all."
    return RelayError(
        "unknown_branch", f"Git has no branch '{name}' here.", f"{meant} {way_out}".rstrip(), {"near": near}
    )
