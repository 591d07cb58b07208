"""Importing a plan file: reading it, planning against what the room remembers, applying the outcome.

The file's hash decides whether anything is to be done at all. A plan is made without the writers' lock and
applied only where the room has not moved on meanwhile; else it is made again.
"""

from __future__ import annotations

import os

from relay_tui.base.digest import sha256
from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.room.imports import ImportBasis, apply_import, empty_basis, read_basis
from relay_tui.room.work import Item, Source, StoredItem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any, NamedTuple

    from relay_tui.roadmap.changes import Fields, KnownItem, Plan, Remembered
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

FILE_BYTES = 16 * 1024 * 1024
_TRIES = 5


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


class Imported(NamedTuple):
    """`work import` of the contract: what the import changed, or would change."""

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


def import_file(
    room: Room, me: Actor, file: str, choices: dict[str, Any], *, prefer: str | None, cancel_removed: bool
) -> Imported:
    """Read, plan, apply. Raises `no_file`, `invalid`, `too_large`, and `busy` where the room never held still."""
    path, content = read_file(room, file)
    for _ in range(_TRIES):
        basis = _basis(room, path)
        chosen = {**basis.choices, **{name: value for name, value in choices.items() if value}}
        digest = sha256(content).digest().hex()
        plan = _plan(basis, content, path, chosen, prefer, cancel_removed)
        outcome = _outcome(room, basis, plan, path, digest, chosen)
        told = _told(path, room.store.dry_run, plan)
        nothing_new = not _changes_anything(outcome) and digest == basis.digest and chosen == basis.choices
        if nothing_new or apply_import(room, me, basis, outcome):
            return told
    raise RelayError("busy", "Others kept changing the plan's items.", "Import again.")


def read_file(room: Room, file: str) -> tuple[str, bytes]:
    """The path from the tree's top, and the bytes. Raises `no_file` and `too_large`."""
    full = os.path.realpath(os.path.join(room.folder, file))
    top = room.place.worktree if room.place and room.place.worktree else room.folder
    path = os.path.relpath(full, top) if full.startswith(top.rstrip("/") + "/") else full
    try:
        if not os.path.isfile(full):
            raise RelayError("no_file", f"There is no file {inert(file)}.", "Check the path.")
        if os.path.getsize(full) > FILE_BYTES:
            raise RelayError("too_large", f"{inert(file)} has more than 16 MiB.", "A plan is shorter: split it.")
        with open(full, "rb") as source:
            return path, source.read()
    except OSError as fault:
        raise RelayError("no_file", f"{inert(file)} cannot be read ({fault.strerror}).", "Check it.") from None


def _basis(room: Room, path: str) -> ImportBasis:
    if not room.exists:
        return empty_basis()
    with room.reading() as db:
        return read_basis(db, room.row.key, path)


def _plan(
    basis: ImportBasis, content: bytes, path: str, choices: dict[str, Any], prefer: str | None, cancel_removed: bool
) -> Plan:
    from relay_tui.roadmap.model import Choices
    from relay_tui.roadmap.plan import make_plan
    from relay_tui.roadmap.reader import read_roadmap

    listed: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in choices.items()
    }
    taken = Choices(**listed)
    reading = read_roadmap(content, name=os.path.basename(path), choices=taken)
    numbers = iter(range(basis.next_number, 2**62))
    known = [_known(basis, item) for item in basis.remembered]
    everything = {**basis.removed, **basis.items}
    return make_plan(
        known, reading, prefer=prefer, cancel_removed=cancel_removed,
        new_id=lambda: f"W{next(numbers)}",
        is_free=lambda item: item not in everything,
        room_parents={item: stored.parent for item, stored in basis.items.items()},
    )  # fmt: skip


def _known(basis: ImportBasis, item: str) -> KnownItem:
    from relay_tui.roadmap.changes import KnownItem

    kept = basis.remembered[item]
    stored = basis.items.get(item) or basis.removed[item]
    return KnownItem(
        item, kept.place, kept.gone, item in basis.removed, _fields(kept.seen), _fields(kept.base), _room_fields(stored)
    )


def _fields(said: dict[str, Any]) -> Fields:
    from relay_tui.roadmap.changes import Fields

    return Fields(**{**said, "labels": tuple(said["labels"])})


def _room_fields(stored: StoredItem) -> Fields:
    from relay_tui.roadmap.changes import FIELDS, Fields

    values = {field: getattr(stored, field) for field in FIELDS}
    return Fields(**{**values, "labels": tuple(values["labels"])})


def _outcome(
    room: Room, basis: ImportBasis, plan: Plan, path: str, digest: str, choices: dict[str, Any]
) -> dict[str, Any]:
    """The event's data: every new value, every place that is another now, and what to remember."""
    changed: dict[str, dict[str, Any]] = {}
    for item, fields in plan.updated.items():
        changed.setdefault(item, {}).update({field: _plain(new) for field, (_, new) in fields.items()})
    for retitle in plan.retitled:
        changed.setdefault(retitle.id, {})["title"] = retitle.new
    for move in plan.moved:
        changed.setdefault(move.id, {})["parent"] = move.new
    places = _places(basis, plan, changed)
    added = [_added(one.id, one.fields, places.pop(one.id)) for one in plan.added]
    remembered, lines = _to_remember(basis, plan)
    return {
        "path": path, "digest": digest, "choices": choices, "worktree": room.place.worktree if room.place else None,
        "added": added, "changed": changed, "places": places, "remembered": remembered, "lines": lines,
    }  # fmt: skip


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


def _to_remember(basis: ImportBasis, plan: Plan) -> tuple[dict[str, Any], dict[str, int | None]]:
    """Items to remember anew, and those of which only the line moved."""
    remembered: dict[str, Any] = {}
    lines: dict[str, int | None] = {}
    for item, kept in plan.bases.items():
        before = basis.remembered.get(item)
        now = _remembered(kept)
        if before is None or before._replace(line=None)._asdict() != {**now, "line": None}:
            remembered[item] = now
        elif before.line != kept.line:
            lines[item] = kept.line
    return remembered, lines


def _remembered(kept: Remembered) -> dict[str, Any]:
    return {
        "place": kept.place, "line": kept.line, "gone": kept.gone, "seen": _said(kept.seen), "base": _said(kept.base),
    }  # fmt: skip


def _said(fields: Fields) -> dict[str, Any]:
    return {field: _plain(value) for field, value in fields._asdict().items()}


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _added(item: str, fields: Fields, place: int) -> dict[str, Any]:
    return {"id": item, **_said(fields), "place": place, "artifacts": [], "blocked_by": []}


def _changes_anything(outcome: dict[str, Any]) -> bool:
    return any(outcome[part] for part in ("added", "changed", "places", "remembered", "lines"))


def _told(path: str, dry_run: bool, plan: Plan) -> Imported:
    return Imported(
        path, dry_run,
        [_told_item(one.id, one.fields, Source(path, one.line)) for one in plan.added],
        [
            ItemUpdate(item, {field: [_plain(old), _plain(new)] for field, (old, new) in fields.items()})
            for item, fields in plan.updated.items()
        ],
        [ItemRetitle(*one) for one in plan.retitled],
        [ItemMove(*one) for one in plan.moved],
        list(plan.reordered), list(plan.removed), plan.unchanged,
        [FieldConflict(one.id, one.field, *map(_plain, one[2:])) for one in plan.conflicts],
        [Aside(one.kind, list(one.lines), one.text) for one in plan.left_aside],
        [Remark(one.line, one.text) for one in plan.warnings],
    )  # fmt: skip


def _told_item(item: str, fields: Fields, source: Source) -> Item:
    """A new item as it is before anything below it is counted."""
    leaves, done = int(fields.status != "cancelled"), int(fields.status == "done")
    progress = None if not leaves else 100 * done
    return Item(
        item, fields.kind, fields.title, fields.status, progress, leaves, done, fields.owner, fields.priority,
        list(fields.labels), fields.branch, [], fields.due, [], fields.parent, 1, fields.note, source, [],
    )  # fmt: skip
