"""Reading plan files again whenever they are saved: in the foreground of a terminal, and for an open screen."""

from __future__ import annotations

import os
import threading

from relay_tui.actions.importing import Refusal, Reimport, import_file
from relay_tui.actions.plan_files import checkout_of, locate, locate_stored, read_plan_file
from relay_tui.base.errors import RelayError
from relay_tui.base.places import is_git_writing
from relay_tui.repo.saving import Saves
from relay_tui.room.imports import FOLLOW, list_plans, read_plan, set_follow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import NamedTuple

    from relay_tui.actions.importing import Wishes
    from relay_tui.actions.plan_files import PlanBytes, PlanFile
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class GitIsWritingError(Exception):
    """A checkout writes files before it moves HEAD: whose bytes they are shows when it has ended."""


class Followed(NamedTuple):
    """`work follow`: whether an open screen follows the file now, and whether that is new."""

    file: str
    follow: bool
    changed: bool


def follow_file(room: Room, me: Actor, typed: str, wishes: Wishes) -> Iterator[Reimport]:
    """Import, then again after each save, without end. The first import raises what any import raises; a later
    one that is refused is told, and the next save is awaited."""
    file = locate(room, typed)
    with Saves(_paths_of(room, file, typed)) as saves:
        last = import_file(room, me, typed, wishes)
        yield Reimport(room.clock(), file.path, last, None)
        known = _digest(room, file)
        again = wishes._replace(switch=False)
        branch = checkout_of(file).branch
        is_changed = False
        while True:
            is_changed = bool(saves.wait()) or is_changed
            if not is_changed:
                continue
            try:
                found = _import_again(room, me, typed, again, known, branch)
            except GitIsWritingError:
                continue
            is_changed = False
            if found is not None:
                yield found
                known = _digest(room, file) if found.import_ else None


def read_saved(room: Room, file: PlanFile, followed_on: str | None = None) -> PlanBytes:
    """The bytes that a person saved: what git writes into a worktree is the plan on another branch (DESIGN §6.5).

    Raises `refused` where another branch is checked out than when the file was read last, or began to be followed,
    and `GitIsWritingError` where that cannot be said yet.
    """
    was_writing = file.worktree is not None and is_git_writing(file.worktree)
    read = read_plan_file(file)
    plan = read_plan(room, file.path)
    if plan is None or file.worktree is None or read.digest == plan.digest:
        return read
    if was_writing or is_git_writing(file.worktree) or checkout_of(file) != (read.branch, read.head):
        raise GitIsWritingError
    if plan.branch is None or read.branch == plan.branch or (read.branch and read.branch == followed_on):
        return read
    now = f"{read.branch} is" if read.branch else "no branch is"
    raise RelayError(
        "refused",
        f"{file.path} was last read on the branch {plan.branch}, and {now} checked out now.",
        f"To go on with it here, run: relay work import --file {file.word}",
    )


def remember_follow(room: Room, me: Actor, typed: str, *, follow: bool) -> Followed:
    """Remember for a plan whether an open screen follows it. Raises `no_file` for what was never imported."""
    file = locate(room, typed)
    return Followed(file.path, follow, set_follow(room, me, file.path, follow))


def followed_plans(room: Room) -> list[str]:
    """The files that an open screen follows, in the worktree that the room is seen from, where they are there
    as they were read: the plan of another worktree is followed from there."""
    followed = [(plan, locate_stored(room, plan.path)) for plan in list_plans(room) if plan.choices.get(FOLLOW)]
    return [file.full for plan, file in followed if plan.worktree == file.worktree]


def watch_plans(paths: Sequence[str], ring: Callable[[str], object]) -> Callable[[], None]:
    """Call `ring` with the path of each file that was saved, from a thread, until the answer is called."""
    saves = Saves(paths)

    def listen() -> None:
        while not saves.is_over:
            for path in saves.wait():
                ring(path)

    threading.Thread(target=listen, name="relay-plans", daemon=True).start()
    return saves.close


def _import_again(
    room: Room, me: Actor, typed: str, wishes: Wishes, known: str | None, branch: str | None
) -> Reimport | None:
    """None where the bytes are those that were told of last. Raises `GitIsWritingError`."""
    file = locate(room, typed)
    try:
        saved = read_saved(room, file, branch)
        if saved.digest == known:
            return None
        return Reimport(room.clock(), file.path, import_file(room, me, typed, wishes, saved), None)
    except RelayError as fault:
        refusal = Refusal(fault.code, fault.message, fault.hint, fault.details)
        return Reimport(room.clock(), file.path, None, refusal)


def _digest(room: Room, file: PlanFile) -> str | None:
    """Of the bytes that the room read, or wrote, last."""
    plan = read_plan(room, file.path)
    return plan.digest if plan else None


def _paths_of(room: Room, file: PlanFile, typed: str) -> set[str]:
    """The file, and the name that it was typed by, which may be a link to it."""
    return {file.full, os.path.abspath(os.path.join(room.folder, typed))}
