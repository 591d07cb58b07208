"""Writing into a plan file: what the room says into its boxes, and markers behind its titles; no other byte.

A file is written only where it is what the room last read, so no edit of a person's is ever lost. The room
remembers the new bytes in the moment in which they are put in place, so the next import finds nothing new.
"""

from __future__ import annotations

from relay_tui.actions.plan_files.drafts import draft_import, export_outcome
from relay_tui.actions.plan_files.files import (
    changed_since,
    locate,
    locate_stored,
    read_plan_file,
    refuse_other_worktree,
)
from relay_tui.actions.plan_files.replacement import Replacement
from relay_tui.base.errors import RelayError
from relay_tui.base.text import first_of
from relay_tui.roadmap import writer
from relay_tui.room.imports import TRIES, apply_export, list_plans, read_basis, read_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.actions.plan_files.drafts import Draft
    from relay_tui.actions.plan_files.files import PlanFile
    from relay_tui.roadmap.model import Node
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

_SWITCH = "Export it there, or make this file the plan first: relay work import --switch --file {}"
_BOXLESS_NAMED = 6


class Exported(NamedTuple):
    """`work export` of the contract; `doubts` name what the room says and the file does not, and why it stayed."""

    file: str
    changed_lines: list[int]
    doubts: list[str]


class Edited(NamedTuple):
    """The new bytes of a plan file, the lines (from 1) that differ, and what was left as it is."""

    content: bytes
    changed_lines: tuple[int, ...]
    left: list[str]


def export_file(room: Room, me: Actor, typed: str | None, *, mark: bool) -> Exported:
    """Raises `no_file` where nothing was imported, `ambiguous` where several files were and none is named,
    `refused` for another worktree's file, and what `rewrite` raises."""
    file = locate(room, typed) if typed is not None else _only_plan(room)
    plan = read_plan(room, file.path)
    if plan is None:
        hint = f"Run: relay work import --file {file.word}"
        raise RelayError("no_file", f"{file.path} was never imported, so the room knows nothing of it.", hint)
    refuse_other_worktree(file, plan, hint=_SWITCH.format(file.word))
    done = rewrite(room, me, file, statuses=True, mark=mark)
    return Exported(file.path, list(done.changed_lines), done.left)


def rewrite(room: Room, me: Actor, file: PlanFile, *, statuses: bool, mark: bool) -> Edited:
    """Write into a file that is what the room last read.

    Raises `edit_conflict` where an import has to come first, `storage` where the disk refuses, `busy` where the
    room never held still; in each case with the file as it was.
    """
    for _ in range(TRIES):
        draft = _draft_known(room, file)
        edited = edit_plan(draft, statuses=statuses, mark=mark)
        if not edited.changed_lines or _apply(room, me, draft, edited.content):
            return edited
    raise RelayError("busy", "Others kept changing the plan's items.", "Do it again.")


def edit_plan(draft: Draft, *, statuses: bool, mark: bool) -> Edited:
    """The file's bytes with the room's statuses, with markers, or both.

    Only what the file and the room last agreed on is brought up to date: a box in conflict stays.
    """
    changes: list[writer.Change] = []
    left: list[str] = []
    boxless: list[str] = []
    for node, item in zip(draft.reading.walk(), draft.plan.ids, strict=True):
        if item in draft.basis.removed:
            continue
        status = _status_to_write(draft, node, item, left, boxless) if statuses else None
        changes.append(writer.Change(node, status, item if mark else None))
    written = writer.export(draft.read.content, draft.file.name, changes)
    return Edited(written.text, written.changed_lines, left + _without_box(boxless))


def _status_to_write(draft: Draft, node: Node, item: str, left: list[str], boxless: list[str]) -> str | None:
    """What the room says, where that is another status; where it cannot be written, `left` or `boxless` says so."""
    room = draft.basis.items[item].status
    if room == node.status:
        return None
    if not node.box:
        boxless.append(f"{item} is {room} (line {node.line})")
        return None
    if draft.known[item].base.status != node.status:
        left.append(f"line {node.line} stays: the file says {node.status}, the room {room}, and {item} is in conflict.")
        return None
    if node.struck:
        left.append(f"line {node.line} stays: its title is struck out, and the room says {room} of {item}.")
        return None
    return room


def _without_box(told: list[str]) -> list[str]:
    """One sentence for all headings, bullets and rows of tables: there is nowhere to write what became of them."""
    if not told:
        return []
    named = first_of(told, _BOXLESS_NAMED)
    return [f"What has no checkbox stays, though the room says more than the file: {named}."]


def _draft_known(room: Room, file: PlanFile) -> Draft:
    """The file as the room knows it. Raises `edit_conflict` where it is another one by now."""
    basis, read = read_basis(room, file.path), read_plan_file(file)
    if basis.plan is None or basis.plan.digest != read.digest:
        with room.store.writing():
            pass  # whoever put it in place a moment ago has recorded that now
        basis, read = read_basis(room, file.path), read_plan_file(file)
    if basis.plan is None or basis.plan.digest != read.digest:
        raise changed_since(file)
    draft = draft_import(basis, file, read, basis.plan.choices)
    if not draft.plan.is_empty:
        raise changed_since(file)  # the room took back what kept it from taking the file's value in
    return draft


def _apply(room: Room, me: Actor, draft: Draft, new: bytes) -> bool:
    """Put the bytes in place and remember them; False, and nothing done, where the room moved on."""
    outcome = export_outcome(draft_import(draft.basis, draft.file, draft.read.with_content(new), draft.choices))
    if room.store.dry_run:
        return apply_export(room, me, draft.basis, outcome, lambda: None)
    with Replacement(draft.file, draft.read.content, new) as replacement:
        return apply_export(room, me, draft.basis, outcome, replacement.put_in_place)


def _only_plan(room: Room) -> PlanFile:
    plans = [plan for plan in list_plans(room) if plan.reading is None or plan.reading["items"]]
    if not plans:
        raise RelayError("no_file", "No plan was imported yet.", "Run: relay work import --file ROADMAP.md")
    if len(plans) > 1:
        names = [plan.path for plan in plans]
        told = f"There are {len(names)} plans: {', '.join(names)}."
        raise RelayError("ambiguous", told, "Add --file.", {"files": names})
    return locate_stored(room, plans[0].path)
