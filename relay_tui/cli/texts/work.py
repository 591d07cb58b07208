"""Texts of the actions on work."""

from __future__ import annotations

from relay_tui.base.text import inert
from relay_tui.cli.texts.layout import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.actions.importing import Imported
    from relay_tui.room.work import Item, ItemChange, ItemList

_MARKS = {"todo": "☐", "in-progress": "◧", "blocked": "⊘", "review": "◎", "done": "☑", "cancelled": "─"}
_BAR = 10  # cells of a progress bar


def add(change: ItemChange, now: int) -> Iterator[str]:
    yield f"{change.item.id} added: {inert(change.item.title)}"


def set_fields(change: ItemChange, now: int) -> Iterator[str]:
    said = f"changed {', '.join(change.changed)}" if change.changed else "says that already; nothing changed"
    yield f"{change.item.id} {inert(change.item.title)}: {said}"


def tree(found: ItemList, now: int) -> Iterator[str]:
    if not found.items:
        yield "No work yet. Bring a plan in with: relay work import --file ROADMAP.md"
    for item in found.items:
        yield from _lines(item, "")


def show(change: ItemChange, now: int) -> Iterator[str]:
    item = change.item
    yield _line(item)
    facts = {
        "kind": item.kind, "parent": item.parent, "owner": item.owner, "priority": item.priority,
        "labels": ", ".join(item.labels), "branch": item.branch, "due": item.due,
        "blocked by": ", ".join(item.blocked_by), "artifacts": ", ".join(item.artifacts), "note": item.note,
        "source": f"{item.source.file}:{item.source.line}" if item.source else None,
    }  # fmt: skip
    yield from (f"  {name:<10}  {inert(value)}" for name, value in facts.items() if value)


def import_plan(done: Imported, now: int) -> Iterator[str]:
    would = "would change" if done.dry_run else "changed"
    yield f"{inert(done.file)}: {_summary(done)}" if _touched(done) else f"{inert(done.file)}: nothing {would}."
    for item in done.added:
        yield f"  added      {item.id}  {item.kind}  {inert(item.title)}"
    for retitle in done.retitled:
        yield f"  retitled   {retitle.id}  {inert(retitle.old)} → {inert(retitle.new)}"
    for update in done.updated:
        said = ", ".join(f"{field} {_value(old)} → {_value(new)}" for field, (old, new) in update.changes.items())
        yield f"  updated    {update.id}  {said}"
    for move in done.moved:
        yield f"  moved      {move.id}  {move.from_ or 'top'} → {move.to or 'top'}"
    for name, ids in (("reordered", done.reordered), ("left file", done.removed)):
        if ids:
            yield f"  {name:<9}  {', '.join(ids)}"
    for conflict in done.conflicts:
        yield (
            f"  conflict   {conflict.id}  {conflict.field}: file says {_value(conflict.file)}, "
            f"room says {_value(conflict.room)} (was {_value(conflict.base)})"
        )
    for aside in done.left_aside:
        yield f"  left aside {inert(aside.text)}"
    for remark in done.warnings:
        where = f"line {remark.line}: " if remark.line else ""
        yield f"  note       {where}{inert(remark.text)}"


def _touched(done: Imported) -> bool:
    changes = (done.added, done.updated, done.retitled, done.moved, done.reordered, done.removed, done.conflicts)
    return any(changes)


def _summary(done: Imported) -> str:
    parts = (
        (len(done.added), "added"), (len(done.updated), "updated"), (len(done.retitled), "retitled"),
        (len(done.moved), "moved"), (len(done.reordered), "reordered"), (len(done.removed), "gone from the file"),
        (done.unchanged, "unchanged"),
    )  # fmt: skip
    said = [f"{count:,} {word}" for count, word in parts if count]
    said += [counted(len(done.conflicts), "conflict")] if done.conflicts else []
    return ", ".join(said) + "."


def _value(value: object) -> str:
    if isinstance(value, list):
        return inert(", ".join(map(str, value))) or "nothing"
    return "nothing" if value is None else inert(str(value))


def _lines(item: Item, indent: str) -> Iterator[str]:
    yield indent + _line(item)
    for child in item.children:
        yield from _lines(child, indent + "  ")


def _line(item: Item) -> str:
    words = [_MARKS[item.status], item.id, inert(item.title)]
    if item.leaves > 1 or item.children:
        full = (item.progress or 0) * _BAR // 100
        percent = "none" if item.progress is None else f"{item.progress}%"
        words.append(f"{'█' * full}{'░' * (_BAR - full)} {percent} {item.done}/{item.leaves}")
    words += [f"({item.status})"] if item.status not in ("todo", "done") else []
    words += [f"@{inert(item.owner)}"] if item.owner else []
    words += [f"branch:{inert(item.branch)}"] if item.branch else []
    words += [f"due:{item.due}"] if item.due else []
    return " ".join(words)
