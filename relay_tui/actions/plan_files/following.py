"""Reading plan files again whenever they are saved: in the foreground of a terminal, and for an open screen."""

from __future__ import annotations

import os
import threading
from math import inf

from relay_tui.actions.plan_files.files import checkout_of, locate, locate_stored, read_saved
from relay_tui.actions.plan_files.importing import Refusal, Reimport, import_file
from relay_tui.base.errors import RelayError
from relay_tui.base.times import SECOND
from relay_tui.repo.saving import Saves
from relay_tui.room.imports import FOLLOW, list_plans, read_plan, set_follow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import NamedTuple

    from relay_tui.actions.plan_files.files import PlanFile
    from relay_tui.actions.plan_files.importing import Wishes
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

SILENT_FOR = 5 * SECOND


class Followed(NamedTuple):
    """`work follow`: whether an open screen follows the file now, and whether that is new."""

    file: str
    follow: bool
    changed: bool


class Wait:
    """What is busy ends by itself, so one waits in silence; where it does not end, that is told once."""

    def __init__(self) -> None:
        self._tell_at: float | None = None

    def is_to_tell(self, now: int) -> bool:
        """It is busy at this moment, in microseconds."""
        if self._tell_at is None:
            self._tell_at = now + SILENT_FOR
        if now < self._tell_at:
            return False
        self._tell_at = inf
        return True


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
        is_due, wait = False, Wait()
        while True:
            is_due = bool(saves.wait()) or is_due
            if not is_due:
                continue
            found = _import_again(room, me, typed, again, known, branch)
            is_due = found is not None and found.is_busy
            if not is_due:
                wait = Wait()
            elif not wait.is_to_tell(room.clock()):
                continue
            if found is not None:
                yield found
                known = _digest(room, file) if found.import_ else None


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
    """None where the bytes are those that were told of last."""
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
