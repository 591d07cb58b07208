"""From what the room remembers of a plan file and the bytes it has now to the plan, and to the outcome to record.

Pure: a basis and bytes in, values out. Nothing here reads a file or writes to the room.
"""

from __future__ import annotations

from relay_tui.roadmap.changes import FIELDS, Fields, KnownItem
from relay_tui.roadmap.model import Choices
from relay_tui.roadmap.plan import make_plan
from relay_tui.roadmap.reader import read_roadmap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any, NamedTuple

    from relay_tui.actions.plan_files.files import PlanBytes, PlanFile
    from relay_tui.roadmap.changes import Plan, Remembered
    from relay_tui.roadmap.model import Reading
    from relay_tui.room.imports import ImportBasis
    from relay_tui.room.work import StoredItem
else:
    from relay_tui.base.record import NamedTuple


_LABELS = Fields._fields.index("labels")


class Draft(NamedTuple):
    """What the bytes say, and what importing them would change in the room as of `basis`."""

    file: PlanFile
    read: PlanBytes
    choices: dict[str, Any]
    basis: ImportBasis
    known: dict[str, KnownItem]
    reading: Reading
    plan: Plan


def draft_import(
    basis: ImportBasis, file: PlanFile, read: PlanBytes, choices: dict[str, Any], *,
    prefer: str | None = None, cancel_removed: bool = False,
) -> Draft:  # fmt: skip
    """Raises what `read_roadmap` raises."""
    reading = read_roadmap(read.content, name=file.name, choices=_choices(choices))
    numbers = iter(range(basis.next_number, 2**62))
    known = {item: _known(basis, item) for item in basis.remembered}
    plan = make_plan(
        [*known.values()], reading, prefer=prefer, cancel_removed=cancel_removed,
        new_id=lambda: f"W{next(numbers)}",
        is_free=lambda item: item not in basis.items and item not in basis.removed,
        room_parents={item: stored.parent for item, stored in basis.items.items()},
    )  # fmt: skip
    return Draft(file, read, choices, basis, known, reading, plan)


def import_outcome(draft: Draft) -> dict[str, Any]:
    """The event's data: every new value, every place that is another now, and what to remember."""
    basis, plan = draft.basis, draft.plan
    changed: dict[str, dict[str, Any]] = {}
    for item, fields in plan.updated.items():
        changed.setdefault(item, {}).update({field: plain(new) for field, (_, new) in fields.items()})
    for retitle in plan.retitled:
        changed.setdefault(retitle.id, {})["title"] = retitle.new
    for move in plan.moved:
        changed.setdefault(move.id, {})["parent"] = move.new
    places = _places(basis, plan, changed)
    added = [_added(one.id, one.fields, places.pop(one.id)) for one in plan.added]
    moved = {"was": basis.plan.path} if basis.plan and basis.plan.path != draft.file.path else {}
    return {
        **export_outcome(draft), **moved, "choices": draft.choices, "worktree": draft.file.worktree,
        "added": added, "changed": changed, "places": places,
    }  # fmt: skip


def export_outcome(draft: Draft) -> dict[str, Any]:
    """The part of it that says what the file is now, and no item."""
    remembered, lines = _to_remember(draft)
    return {
        "path": draft.file.path, "digest": draft.read.digest, "remembered": remembered, "lines": lines,
        "head": draft.read.head, "branch": draft.read.branch,
        "reading": _told_again(draft.reading, draft.plan),
    }  # fmt: skip


def changes_anything(outcome: dict[str, Any]) -> bool:
    return any(outcome[part] for part in ("added", "changed", "places", "remembered", "lines"))


def plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _choices(chosen: dict[str, Any]) -> Choices:
    """Those that a reading knows."""
    said: dict[str, Any] = {name: value for name, value in chosen.items() if name in Choices._fields}
    listed = {name: tuple(value) for name, value in said.items() if isinstance(value, list)}
    return Choices(**{**said, **listed})


def _known(basis: ImportBasis, item: str) -> KnownItem:
    kept = basis.remembered[item]
    stored = basis.items.get(item) or basis.removed[item]
    seen = _fields(kept.seen)
    base = seen if kept.base is kept.seen else _fields(kept.base)
    room = _room_fields(stored)
    return KnownItem._make((item, kept.place, kept.gone, item in basis.removed, seen, base, room))


def _fields(said: list[Any]) -> Fields:
    return Fields._make((*said[:_LABELS], tuple(said[_LABELS] or ()), *said[_LABELS + 1 :]))


def _room_fields(stored: StoredItem) -> Fields:
    return Fields._make((
        stored.kind, stored.parent, stored.title, stored.status, stored.owner, stored.priority,
        tuple(stored.labels), stored.branch, stored.due, stored.note,
    ))  # fmt: skip


def _places(basis: ImportBasis, plan: Plan, changed: dict[str, dict[str, Any]]) -> dict[str, int]:
    """The order among siblings that differs from the room's, with that of every new item."""
    parents = {item: stored.parent for item, stored in basis.items.items()}
    parents |= {item: fields["parent"] for item, fields in changed.items() if "parent" in fields}
    parents |= {one.id: one.fields.parent for one in plan.added}
    order: dict[str | None, list[str]] = {}
    for item in basis.items:
        if item not in plan.after:
            order.setdefault(parents[item], []).append(item)
    for item, sibling in plan.after.items():
        if item not in parents:
            continue  # it is back in the file, but the room removed it
        siblings = order.setdefault(parents[item], [])
        siblings.insert(_slot(siblings, sibling, plan.bases), item)
    return {
        item: place
        for siblings in order.values()
        for place, item in enumerate(siblings)
        if item not in basis.items or basis.items[item].place != place
    }


def _slot(siblings: list[str], after: str | None, of_the_file: Container[str]) -> int:
    """Behind the sibling that is named; else before the first that the file knows, so what the room made stays."""
    if siblings and siblings[-1] == after:
        return len(siblings)
    if after in siblings:
        return siblings.index(after) + 1
    return next((place for place, one in enumerate(siblings) if one in of_the_file), len(siblings))


def _to_remember(draft: Draft) -> tuple[dict[str, Any], dict[str, int | None]]:
    """Items to remember anew, and those of which only the line moved."""
    remembered: dict[str, Any] = {}
    lines: dict[str, int | None] = {}
    added = {one.id: one.fields for one in draft.plan.added}
    for item, kept in draft.plan.bases.items():
        before = draft.known.get(item)
        if before is None or _differs(before, kept):
            remembered[item] = _remembered(kept, added.get(item))
        elif draft.basis.remembered[item].line != kept.line:
            lines[item] = kept.line
    return remembered, lines


def _differs(before: KnownItem, kept: Remembered) -> bool:
    then, now = (before.place, before.gone, before.seen, before.base), (kept.place, kept.gone, kept.seen, kept.base)
    return then != now


def _remembered(kept: Remembered, added: Fields | None) -> dict[str, Any]:
    """What the file says is left out where it is the new item, and `base` where it is what the file says."""
    said: dict[str, Any] = {"place": kept.place, "line": kept.line, "gone": kept.gone}
    if kept.seen != added:
        said["seen"] = kept.seen._asdict()
    if kept.base != kept.seen:
        said["base"] = kept.base._asdict()
    return said


def _added(item: str, fields: Fields, place: int) -> dict[str, Any]:
    """What is said of a new item, and nothing of the rest."""
    said = {field: value for field, value in zip(FIELDS, fields, strict=True) if value}
    return {"id": item, "place": place, **said}


def _told_again(reading: Reading, plan: Plan) -> dict[str, Any]:
    """What the same bytes say when they are read again. Only where it is `settled` is that all there is to tell:
    every item is what the file says it is, and no warning came from comparing the two."""
    agreed = all(kept.gone or kept.seen == kept.base for kept in plan.bases.values())
    return {
        "items": len(plan.ids), "settled": agreed and plan.warnings == reading.warnings,
        "left_aside": [[one.kind, list(one.lines), one.text] for one in reading.left_aside],
        "warnings": [list(one) for one in reading.warnings],
    }  # fmt: skip
