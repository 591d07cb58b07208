"""Importing a plan file: reading it, planning against what the room remembers, applying the outcome.

The file's hash decides whether anything is to be done at all. A plan is made without the writers' lock and
applied only where the room has not moved on meanwhile; else it is made again.
"""

from __future__ import annotations

import gc
import os

from relay_tui.actions.plan_files.files import (
    is_of_another_worktree,
    locate,
    read_plan_file,
    read_saved,
    refuse_other_worktree,
)
from relay_tui.base.context import contextmanager
from relay_tui.base.errors import RelayError
from relay_tui.room.imports import TRIES, apply_import, list_plans, read_basis, read_plan
from relay_tui.room.work import Item, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NamedTuple

    from relay_tui.actions.plan_files.drafts import Draft
    from relay_tui.actions.plan_files.files import PlanBytes, PlanFile
    from relay_tui.roadmap.changes import Fields
    from relay_tui.room.imports import StoredPlan
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

_SWITCH = (
    "With --switch this file becomes the next version of the same plan: what it says otherwise is applied,"
    " and what the room changed stays. --dry-run shows it first."
)


class ItemUpdate(NamedTuple):
    id: str
    changes: dict[str, list[Any]]


class ItemRetitle(NamedTuple):
    id: str
    old: str
    new: str


class ItemMove(NamedTuple):
    id: str
    from_: str | None
    to: str | None


class FieldConflict(NamedTuple):
    id: str
    field: str
    base: Any
    file: Any
    room: Any


class Aside(NamedTuple):
    kind: str
    lines: list[int]
    text: str


class Remark(NamedTuple):
    line: int | None
    text: str


class LastRead(NamedTuple):
    """Where the plan was read the last time before this one."""

    worktree: str | None
    commit: str | None
    read_at: int


class Imported(NamedTuple):
    """`work import` of the contract: what the import changed, or would change.

    `marked_lines` are those that got a marker, `last_read` is None for a file that was never read, `switched`
    says that it was another worktree's then, and `moved_from` is the path that the plan had then, if another.
    """

    file: str
    dry_run: bool
    added: list[Item]
    updated: list[ItemUpdate]
    retitled: list[ItemRetitle]
    moved: list[ItemMove]
    reordered: list[str]
    removed: list[str]
    unchanged: int
    conflicts: list[FieldConflict]
    left_aside: list[Aside]
    warnings: list[Remark]
    marked_lines: tuple[int, ...] = ()
    last_read: LastRead | None = None
    switched: bool = False
    moved_from: str | None = None


class Refusal(NamedTuple):
    """The members of an error of the contract."""

    code: str
    message: str
    hint: str
    details: dict[str, object]


class Reimport(NamedTuple):
    """One line of `work import --follow`: what an import did, or why it was refused."""

    at: int
    file: str
    import_: Imported | None
    error: Refusal | None

    @property
    def is_busy(self) -> bool:
        return self.error is not None and self.error.code == "busy"


class Wishes(NamedTuple):
    """How to import: what of the file to take in (remembered for it), and what is said for this once."""

    choices: dict[str, Any]
    prefer: str | None = None
    cancel_removed: bool = False
    switch: bool = False
    mark: bool = False


def import_file(room: Room, me: Actor, typed: str, wishes: Wishes, saved: PlanBytes | None = None) -> Imported:
    """Read (unless `saved` was read), plan, apply; then write markers where that is wished.

    Raises `no_file`, `invalid`, `too_large`, `refused` for another worktree's file or one that was moved, and
    `busy` where the room never held still; where nobody attends also what `read_saved` raises, and with markers
    what `rewrite` raises, after the import was applied.
    """
    file = locate(room, typed)
    read = saved or (read_saved(room, file) if me.unattended else read_plan_file(file))
    plan = read_plan(room, file.path) or _moved_plan(room, file, read, wishes)
    if not wishes.switch:
        refuse_other_worktree(file, plan, hint=_SWITCH)
    if plan and _is_known(plan, file, read, wishes):
        return _told_again(room, plan)
    for _ in range(TRIES):
        with _collector_off():
            told = _import(room, me, file, read, wishes, plan.path if plan else file.path)
        if told is not None:
            switched = plan is not None and is_of_another_worktree(file, plan)
            moved_from = plan.path if plan and plan.path != file.path else None
            return told._replace(last_read=_last_read(plan), switched=switched, moved_from=moved_from)
    raise RelayError("busy", "Others kept changing the plan's items.", "Import again.")


def _moved_plan(room: Room, file: PlanFile, read: PlanBytes, wishes: Wishes) -> StoredPlan | None:
    """The plan that goes on in this file. Raises `refused` where nobody has said that it shall."""
    if not list_plans(room):
        return None
    from relay_tui.actions.plan_files.moved import find_moved, refuse_moved

    moved = find_moved(room, file, read)
    if moved and not wishes.switch:
        refuse_moved(file, moved)
    return moved.plan if moved else None


@contextmanager
def _collector_off() -> Iterator[None]:
    """The collector would walk the thousands of records again and again while they are made."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _chosen(plan: StoredPlan | None, wishes: Wishes) -> dict[str, Any]:
    """What is remembered for the file, and what is wished now on top of it."""
    return {**(plan.choices if plan else {}), **{name: value for name, value in wishes.choices.items() if value}}


def _is_known(plan: StoredPlan, file: PlanFile, read: PlanBytes, wishes: Wishes) -> bool:
    """Whether these are the bytes of last time and nothing was left open, so that they have nothing new to say."""
    same = _is_unchanged(plan, file, read, _chosen(plan, wishes))
    settled = plan.reading is not None and plan.reading["settled"]
    return bool(same and settled and not wishes.mark and not wishes.cancel_removed)


def _is_unchanged(plan: StoredPlan | None, file: PlanFile, read: PlanBytes, chosen: dict[str, Any]) -> bool:
    state = plan and (plan.path, plan.digest, plan.choices, plan.worktree)
    return state == (file.path, read.digest, chosen, file.worktree)


def _told_again(room: Room, plan: StoredPlan) -> Imported:
    assert plan.reading is not None
    unchanged = plan.reading["items"] - plan.removed
    return Imported(
        plan.path, room.store.dry_run, [], [], [], [], [], [], unchanged, [],
        [Aside(*one) for one in plan.reading["left_aside"]], [Remark(*one) for one in plan.reading["warnings"]],
        (), _last_read(plan), False, None,
    )  # fmt: skip


def _last_read(plan: StoredPlan | None) -> LastRead | None:
    return plan and LastRead(plan.worktree, plan.head, plan.read_at)


def _import(room: Room, me: Actor, file: PlanFile, read: PlanBytes, wishes: Wishes, known_as: str) -> Imported | None:
    """What was done, or None where the room moved on meanwhile."""
    from relay_tui.actions.plan_files.drafts import changes_anything, draft_import, import_outcome
    from relay_tui.actions.plan_files.replacement import sweep_parts

    basis = read_basis(room, known_as)
    chosen = _chosen(basis.plan, wishes)
    draft = draft_import(basis, file, read, chosen, prefer=wishes.prefer, cancel_removed=wishes.cancel_removed)
    outcome = import_outcome(draft)
    has_news = changes_anything(outcome) or not _is_unchanged(basis.plan, file, read, chosen)
    if has_news and not apply_import(room, me, basis, outcome):
        return None
    if not room.store.dry_run:
        sweep_parts(os.path.dirname(file.full))
    told = _told(file.path, room.store.dry_run, draft)
    return told._replace(marked_lines=_mark(room, me, draft)) if wishes.mark else told


def _mark(room: Room, me: Actor, draft: Draft) -> tuple[int, ...]:
    """Write the markers; the import itself is applied already, and stays whatever becomes of them."""
    from relay_tui.actions.plan_files.exporting import edit_plan, rewrite

    if room.store.dry_run:
        return edit_plan(draft, statuses=False, mark=True).changed_lines
    try:
        return rewrite(room, me, draft.file, statuses=False, mark=True).changed_lines
    except RelayError as fault:
        done = f"The import is done, but no marker was written. {fault.message}"
        raise RelayError(fault.code, done, fault.hint, fault.details) from fault


def _told(path: str, dry_run: bool, draft: Draft) -> Imported:
    from relay_tui.actions.plan_files.drafts import plain

    plan = draft.plan
    return Imported(
        path, dry_run,
        [_told_item(one.id, one.fields, Source._make((path, one.line))) for one in plan.added],
        [
            ItemUpdate(item, {field: [plain(old), plain(new)] for field, (old, new) in fields.items()})
            for item, fields in plan.updated.items()
        ],
        [ItemRetitle(*one) for one in plan.retitled],
        [ItemMove(*one) for one in plan.moved],
        list(plan.reordered), list(plan.removed), plan.unchanged,
        [FieldConflict(one.id, one.field, *map(plain, one[2:])) for one in plan.conflicts],
        [Aside(one.kind, list(one.lines), one.text) for one in plan.left_aside],
        [Remark(one.line, one.text) for one in plan.warnings],
    )  # fmt: skip


def _told_item(item: str, fields: Fields, source: Source) -> Item:
    """A new item as it is before anything below it is counted."""
    leaves, done = int(fields.status != "cancelled"), int(fields.status == "done")
    progress = None if not leaves else 100 * done
    return Item._make((
        item, fields.kind, fields.title, fields.status, progress, leaves, done, fields.owner, fields.priority,
        list(fields.labels), fields.branch, [], fields.due, [], fields.parent, 1, fields.note, source, [],
    ))  # fmt: skip
