"""The action that wires agents' clients to relay, in the project's files or in the person's own, and back."""

from __future__ import annotations

import shutil

from relay_tui.base.errors import RelayError, check_choices
from relay_tui.wiring.target import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.rooms import Room
    from relay_tui.wiring.clients import FileWiring
    from relay_tui.wiring.files import Keeper
    from relay_tui.wiring.plan import FilePlan
else:
    from relay_tui.base.record import NamedTuple


class FileChange(NamedTuple):
    """`change` is created, merged, removed or none; `diff` is the exact difference."""

    path: str
    change: str
    diff: str


class ClientChange(NamedTuple):
    client: str
    files: list[FileChange]
    notes: list[str]


class SetUp(NamedTuple):
    """Client by client what was done to its files, and the paths of those that changed."""

    clients: list[ClientChange]
    changed: list[str]


def setup(
    room: Room, clients: list[str] | None = None, *, undo: bool = False, user: bool = False, wake: bool = False
) -> SetUp:
    """Wire agents' clients to relay: hooks, tools and AGENTS.md. It shows each difference, and can undo it.

    relay setup claude codex --dry-run
    """
    from relay_tui.room.store import prepare_home
    from relay_tui.wiring import files

    named = list(dict.fromkeys(clients or []))
    _check(named, undo=undo, user=user, wake=wake)
    target = target_of(room, user=user)
    keeper = files.Keeper(room.store.home, target.root)
    chosen = _to_unwire(named, target) if undo else _to_wire(named, target)
    texts: dict[str, str | None] = {}
    plans = {client: _plans(client, target, keeper, texts, undo=undo, wake=wake) for client in chosen}
    changed = [plan for planned in plans.values() for plan in planned if plan.after != plan.before]
    files.check(changed)
    if changed and not room.store.dry_run:
        prepare_home(room.store.home)
        (files.take if undo else files.put)(changed, keeper)
    told = [
        ClientChange(
            client, [FileChange(plan.path, _change(plan, undo=undo), plan.diff) for plan in planned],
            [*([] if undo else _notes(client, target, wake=wake)), *(plan.note for plan in planned if plan.note)],
        )
        for client, planned in plans.items()
    ]  # fmt: skip
    return SetUp(told, [plan.path for plan in changed])


def target_of(room: Room, *, user: bool = False) -> Target:
    """The worktree in which the command stands, outside of git its folder; or the person's home.

    Raises `no_file` inside a repository's own files, such as a bare one.
    """
    from relay_tui.wiring.target import person

    if user:
        return person()
    if room.place is None:
        return Target(room.folder)
    if room.place.worktree is None:
        raise RelayError("no_file", f"{room.folder} is git's own and no worktree.", "Change into a worktree.")
    return Target(room.place.worktree)


def state_of_client(client: str, target: Target) -> str:
    """Whether a client's own files are wired, partly wired or not wired. Raises for files that cannot be read."""
    from relay_tui.wiring.clients import INCLUDES
    from relay_tui.wiring.files import read_text
    from relay_tui.wiring.plan import PARTLY, UNWIRED, WIRED, state_of

    states = {
        state_of(wiring, target.name(wiring), read_text(target.path(wiring)))
        for wiring in target.files(client)
        if wiring.path not in INCLUDES
    }
    return next(iter(states)) if len(states) == 1 else PARTLY if WIRED in states or PARTLY in states else UNWIRED


def _check(named: list[str], *, undo: bool, user: bool, wake: bool) -> None:
    """Raises `usage` for what cannot be meant."""
    from relay_tui.wiring.clients import GENERIC, NAMES

    check_choices(named, "client", (*NAMES, GENERIC))
    if user and GENERIC in named:
        raise RelayError("usage", "generic has no files of a person's own.", "Leave --user out.")
    if wake and (undo or (named and "claude" not in named)):
        raise RelayError("usage", "--wake is a hook of Claude Code's.", "Run: relay setup claude --wake")


def _to_wire(named: list[str], target: Target) -> list[str]:
    """The clients named, else those found here; in a project AGENTS.md as well."""
    from relay_tui.wiring.clients import GENERIC, NAMES

    chosen = named or [client for client in NAMES if shutil.which(client) or _is_wired(client, target)]
    return [one for one in chosen if one != GENERIC] + ([] if target.is_user else [GENERIC])


def _to_unwire(named: list[str], target: Target) -> list[str]:
    """The clients named, else all that are wired; AGENTS.md stays as long as another client is wired."""
    from relay_tui.wiring.clients import GENERIC, NAMES

    wired = [client for client in NAMES if _is_wired(client, target)]
    chosen = [one for one in named or wired if one != GENERIC]
    with_agents = not target.is_user and (GENERIC in named or not named or set(wired) <= set(named))
    return [*chosen, *([GENERIC] if with_agents else [])]


def _is_wired(client: str, target: Target) -> bool:
    """Whether any of its files has a part of relay's, or cannot be read and may have one: planning says why."""
    from relay_tui.wiring.plan import UNWIRED

    try:
        return state_of_client(client, target) != UNWIRED
    except RelayError:
        return any(_may_hold_relay(wiring, target) for wiring in target.files(client))


def _may_hold_relay(wiring: FileWiring, target: Target) -> bool:
    """Whether a file that may not be readable speaks of relay; one that a link leads out to is never written."""
    from relay_tui.wiring.clients import INCLUDES
    from relay_tui.wiring.files import speaks_of_relay

    try:
        return wiring.path not in INCLUDES and speaks_of_relay(target.path(wiring))
    except RelayError:
        return False


def _plans(
    client: str, target: Target, keeper: Keeper, texts: dict[str, str | None], *, undo: bool, wake: bool
) -> list[FilePlan]:
    """Each of a client's files; a link to AGENTS.md needs no line that includes it. `texts` are what the files
    planned so far will hold. Raises `invalid` where a link makes one file of two."""
    from relay_tui.wiring.clients import INCLUDES
    from relay_tui.wiring.files import read_text
    from relay_tui.wiring.plan import FilePlan, plan_putting, plan_taking

    make = plan_taking if undo else plan_putting
    plans = []
    for wiring in target.files(client, wake=wake):
        path, name = target.path(wiring), target.name(wiring)
        before = texts[path] if path in texts else read_text(path)
        if wiring.path in INCLUDES and path == target.agents_path:
            plans.append(FilePlan(path, name, before, before))
            continue
        if other := target.other_name(wiring):
            raise RelayError("invalid", f"{name} and {other} are one file.", "Make them two; nothing was written.")
        plans.append(make(wiring, path, name, before, keeper.find(path)))
        texts[path] = plans[-1].after
    return plans


def _change(plan: FilePlan, *, undo: bool) -> str:
    if plan.after == plan.before:
        return "none"
    return "removed" if undo else "created" if plan.before is None else "merged"


def _notes(client: str, target: Target, *, wake: bool) -> list[str]:
    from relay_tui.wiring.clients import wiring_of

    wiring = wiring_of(client, wake=wake)
    return wiring.user_notes if target.is_user else wiring.notes
