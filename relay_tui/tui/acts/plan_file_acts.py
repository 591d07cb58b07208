"""What the Roadmap's keys do with plan files: importing, exporting, following. Asked here, carried out by `Acts`."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.actions.plan_files.files import locate_stored
from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.room.imports import FOLLOW, list_plans
from relay_tui.tui.acts.editor import edit_at
from relay_tui.tui.answers import answer_lines
from relay_tui.tui.dialogs.picker import Picker
from relay_tui.tui.readings.plan_views import IN_CONFLICTS
from relay_tui.tui.widgets.content import Words
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from relay_tui.actions.plan_files.exporting import Exported
    from relay_tui.actions.plan_files.importing import Imported
    from relay_tui.room.imports import StoredPlan
    from relay_tui.room.work import Item
    from relay_tui.tui.app import RelayApp
    from relay_tui.tui.rows_of.work import Outline

_PLANS = ("ROADMAP.md", "TODO.md", "PLAN.md")  # what people call them, for the first import
LINES_SHOWN = 200
TO_SETTLE = f"{IN_CONFLICTS} shows what is in conflict: a takes what the file says, d keeps what the room says."


class PlanFileActs:
    """Files are named as a person in the room's folder would type them."""

    def __init__(self, app: RelayApp) -> None:
        self._app = app
        self._desk = app.desk

    def import_plan(self, item: Item | None) -> None:
        """Ask for the file; the plan of the import is shown before it is applied."""

        def imported(done: Imported) -> None:
            kept = f"\nConflicts stay open until you settle them. {TO_SETTLE}" if done.conflicts else ""
            self._app.notify(answer_lines("work import", done, self._desk.now)[0] + kept, markup=False)

        self._app.acts.start("work import", {"file": self._file_to_import(item)}, ("file",), "Import a plan", imported)

    def export(self, item: Item | None, outline: Outline) -> None:
        """Ask for the file; the lines that would change are shown before it is written."""
        plan = self._plan_of(item)
        defaults = {"file": self._typed(plan.path) if plan else None}
        told = partial(changed_lines, outline, self._app.glyphs)
        title = "Write the room's statuses into a plan file"
        self._app.acts.start("work export", defaults, ("file", "mark"), title, told=told, verb="show it")

    def follow(self, item: Item | None) -> None:
        """Begin to import a plan whenever it is saved, or leave it; asks which where the row does not say."""
        plans = list_plans(self._desk.room)
        if not plans:
            raise RelayError("refused", "No plan was imported yet.", "i imports one.")
        plan = self._plan_of(item)
        if plan is not None:
            return self._turn_follow(plan)

        def picked(path: str | None) -> None:
            if path is not None:
                self._app.acts.try_to(partial(self._turn_follow, next(one for one in plans if one.path == path)))

        words = {one.path: inert(one.path) + ("   followed" if _is_followed(one) else "") for one in plans}
        self._app.push_screen(Picker("Import which plan on every save", dict(words), glyphs=self._app.glyphs), picked)
        return None

    def edit(self, item: Item) -> None:
        """Open the person's editor at the line that an item came from; what was saved is then read like any save."""
        if item.source is None:
            raise RelayError("refused", f"{item.id} stands in no file.", "e edits it.")
        edit_at(self._app, locate_stored(self._desk.room, item.source.file).full, item.source.line)
        self._app.refresh_room()

    def _turn_follow(self, plan: StoredPlan) -> None:
        self._app.acts.act(self._desk.compose("work follow", file=self._typed(plan.path), off=_is_followed(plan)))

    def _plan_of(self, item: Item | None) -> StoredPlan | None:
        """The plan that an item came from, else the only one."""
        plans = list_plans(self._desk.room)
        source = item.source.file if item and item.source else None
        if source is None and len(plans) == 1:
            return plans[0]
        return next((plan for plan in plans if plan.path == source), None)

    def _file_to_import(self, item: Item | None) -> str | None:
        """The file that this row came from, else the first that is called as plans are called."""
        names = [*([item.source.file] if item and item.source else []), *_PLANS]
        typed = map(self._typed, names)
        return next((one for one in typed if os.path.isfile(os.path.join(self._desk.room.folder, one))), None)

    def _typed(self, path: str) -> str:
        """A plan's path counts from the top of its worktree; a person types it from the folder."""
        room = self._desk.room
        top = (room.place.worktree if room.place else None) or room.folder
        return os.path.relpath(os.path.join(top, path), room.folder)


def changed_lines(outline: Outline, glyphs: Glyphs, done: Exported) -> Sequence[Words]:
    """The lines that an export would write, each with its item and the status that the room has of it."""
    at = {one.source.line: one for one in outline.by_id.values() if one.source and one.source.file == done.file}
    width = len(str(max(done.changed_lines, default=0)))
    told: list[Words] = []
    for line in done.changed_lines[:LINES_SHOWN]:
        item = at.get(line)
        about = (
            Content.assemble("  ", glyphs.work(item.status), f"   {inert(item.id)}  {inert(item.title)}")
            if item
            else ""
        )
        told.append(Content.assemble((f"  line {line:>{width}}", QUIET), about))
    more = len(done.changed_lines) - len(told)
    return [*told, *([f"  and {more:,} more"] if more else [])]


def _is_followed(plan: StoredPlan) -> bool:
    return bool(plan.choices.get(FOLLOW))
