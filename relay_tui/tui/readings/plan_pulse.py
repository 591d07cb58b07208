"""Importing plan files again whenever they are saved, while a screen is open: those that somebody asked for alone."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from relay_tui.base.text import inert
from relay_tui.room.imports import FOLLOW, list_plans
from relay_tui.tui.answers import answer_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from relay_tui.actions.plan_files.following import Wait
    from relay_tui.actions.plan_files.importing import FieldConflict, Imported
    from relay_tui.base.errors import RelayError
    from relay_tui.tui.app import RelayApp

_CONFLICTS_TOLD = 3
_LOOK_AGAIN = 1.0  # seconds, while git writes into the worktree or the room is busy


class PlanPulse:
    """What is watched is looked up anew with every `look`. Nothing is watched where nothing may be changed."""

    def __init__(self, app: RelayApp) -> None:
        self._app = app
        self._paths: list[str] = []
        self._due: set[str] = set()  # those that are looked at again without a save
        self._waits: dict[str, Wait] = {}
        self._stop: Callable[[], None] | None = None

    def look(self) -> None:
        """Watch the files that are followed now, and no others. Raises `RelayError` where the room cannot be read."""
        paths = self._followed()
        if paths == self._paths:
            return
        self.stop()
        self._paths = paths
        if paths:
            from relay_tui.actions.plan_files.following import watch_plans

            self._stop = watch_plans(paths, lambda path: self._app.call_later(self._saved, path))

    def stop(self) -> None:
        stop, self._stop, self._paths = self._stop, None, []
        if stop is not None:
            stop()

    def _followed(self) -> list[str]:
        room = self._app.desk.room
        if self._app.desk.read_only or not any(plan.choices.get(FOLLOW) for plan in list_plans(room)):
            return []
        from relay_tui.actions.plan_files.following import followed_plans

        return followed_plans(room)

    def _saved(self, path: str) -> None:
        if path not in self._due:
            self._app.acts.try_to(partial(self._import, path))

    def _look_again(self, path: str) -> None:
        self._due.discard(path)
        self._saved(path)

    def _import(self, path: str) -> None:
        """As the person at this screen, who asked for it when the file was followed."""
        if path in self._paths:
            call = self._app.desk.compose("work import", file=os.path.relpath(path, self._app.desk.room.folder))
            self._app.acts.act_unasked(call, partial(self._imported, path), partial(self._put_off, path))

    def _imported(self, path: str, done: Imported) -> None:
        self._waits.pop(path, None)
        _tell(self._app, done)

    def _put_off(self, path: str, fault: RelayError) -> bool:
        """What is busy is looked at again, once for all saves until then; whether nobody needs to hear of it."""
        if fault.code != "busy":
            self._waits.pop(path, None)
            return False
        if path not in self._due:
            self._due.add(path)
            self._app.set_timer(_LOOK_AGAIN, partial(self._look_again, path))
        from relay_tui.actions.plan_files.following import Wait

        return not self._waits.setdefault(path, Wait()).is_to_tell(self._app.desk.now)


def _tell(app: RelayApp, done: Imported) -> None:
    """What it changed, and what it left open; nothing for a file that says what it said."""
    head, *changes = answer_lines("work import", done, app.desk.now)
    if done.conflicts:
        told = [_conflict(one) for one in done.conflicts[:_CONFLICTS_TOLD]]
        more = len(done.conflicts) - len(told)
        told += [f"and {more:,} more"] if more else []
        from relay_tui.tui.readings.plan_views import IN_CONFLICTS

        hint = f"Press 4. {IN_CONFLICTS} shows them: a takes what the file says, d keeps what the room says."
        app.notify("\n".join(["Saved, " + head, *told, hint]), severity="warning", timeout=8, markup=False)
    elif changes and _has_changed(done):
        app.notify(f"Saved, {head}", markup=False)


def _has_changed(done: Imported) -> bool:
    return any((done.added, done.updated, done.retitled, done.moved, done.reordered, done.removed))


def _conflict(one: FieldConflict) -> str:
    return f"{one.id} {one.field}: the file says {_said(one.file)}, the room {_said(one.room)}"


def _said(value: object) -> str:
    return inert(", ".join(map(str, value)) if isinstance(value, list) else str(value)) if value else "nothing"
