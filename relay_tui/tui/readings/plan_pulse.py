"""Importing plan files again whenever they are saved, while a screen is open: those that somebody asked for alone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from relay_tui.base.text import inert
from relay_tui.room.imports import FOLLOW, list_plans
from relay_tui.tui.answers import answer_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from relay_tui.actions.importing import FieldConflict, Imported
    from relay_tui.tui.app import RelayApp

_CONFLICTS_TOLD = 3
_LOOK_AGAIN = 1.0  # seconds, while git writes into the worktree


class PlanPulse:
    """What is watched is looked up anew with every `look`. Nothing is watched where nothing may be changed."""

    def __init__(self, app: RelayApp) -> None:
        self._app = app
        self._paths: list[str] = []
        self._stop: Callable[[], None] | None = None

    def look(self) -> None:
        """Watch the files that are followed now, and no others. Raises `RelayError` where the room cannot be read."""
        paths = self._followed()
        if paths == self._paths:
            return
        self.stop()
        self._paths = paths
        if paths:
            from relay_tui.actions.following import watch_plans

            self._stop = watch_plans(paths, lambda path: self._app.call_later(import_saved, self._app, path))

    def stop(self) -> None:
        stop, self._stop, self._paths = self._stop, None, []
        if stop is not None:
            stop()

    def _followed(self) -> list[str]:
        room = self._app.desk.room
        if self._app.desk.read_only or not any(plan.choices.get(FOLLOW) for plan in list_plans(room)):
            return []
        from relay_tui.actions.following import followed_plans

        return followed_plans(room)


def import_saved(app: RelayApp, path: str) -> None:
    """Import a file that was saved, as the person at this screen, who asked for it when it was followed."""
    app.acts.try_to(partial(_import, app, path))


def _import(app: RelayApp, path: str) -> None:
    from relay_tui.actions.following import GitIsWritingError, read_saved
    from relay_tui.actions.plan_files import locate

    file = locate(app.desk.room, path)
    try:
        read_saved(app.desk.room, file)
    except GitIsWritingError:
        app.set_timer(_LOOK_AGAIN, partial(import_saved, app, path))
        return
    app.acts.carry_out(app.desk.compose("work import", file=file.typed), partial(_tell, app), unattended=True)


def _tell(app: RelayApp, done: Imported) -> None:
    """What it changed, and what it left open; nothing for a file that says what it said."""
    head, *changes = answer_lines("work import", done, app.desk.now)
    if done.conflicts:
        told = [_conflict(one) for one in done.conflicts[:_CONFLICTS_TOLD]]
        more = len(done.conflicts) - len(told)
        told += [f"and {more:,} more"] if more else []
        from relay_tui.tui.readings.plan_views import IN_CONFLICTS

        hint = f"{IN_CONFLICTS} of 4 shows them: a takes what the file says, d keeps what the room says."
        app.notify("\n".join(["Saved, " + head, *told, hint]), severity="warning", timeout=8, markup=False)
    elif changes and _has_changed(done):
        app.notify(f"Saved, {head}", markup=False)


def _has_changed(done: Imported) -> bool:
    return any((done.added, done.updated, done.retitled, done.moved, done.reordered, done.removed))


def _conflict(one: FieldConflict) -> str:
    return f"{one.id} {one.field}: the file says {_said(one.file)}, the room {_said(one.room)}"


def _said(value: object) -> str:
    return inert(", ".join(map(str, value)) if isinstance(value, list) else str(value)) if value else "nothing"
