"""Texts of the actions on work."""

from __future__ import annotations

from relay_tui.base.text import clip, counted, inert
from relay_tui.cli.texts.layout import NAME_SHOWN, of_any_moment, title_words, value_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.room.work import Item, ItemChange, ItemList
    from relay_tui.room.work_conflicts import Resolution
    from relay_tui.room.work_detail import ItemDetail, Relative
    from relay_tui.room.work_moves import Removal, Restoration
    from relay_tui.room.work_next import NextItems

_MARKS = {"todo": "☐", "in-progress": "◧", "blocked": "⊘", "review": "◎", "done": "☑", "cancelled": "─"}
_BAR = 10  # cells of a progress bar
_EXCLUDED_SHOWN = 10


def add(change: ItemChange, now: int) -> Iterator[str]:
    yield f"{change.item.id} added: {title_words(change.item.title)}"


def set_fields(change: ItemChange, now: int) -> Iterator[str]:
    said = f"changed {', '.join(change.changed)}" if change.changed else "says that already; nothing changed"
    yield f"{change.item.id} {title_words(change.item.title)}: {said}"


def move(change: ItemChange, now: int) -> Iterator[str]:
    item = change.item
    where = f"below {item.parent}" if item.parent else "at the top"
    said = f"stands {where} now" if "parent" in change.changed else f"has another place {where} now"
    yield f"{item.id} {title_words(item.title)}: {said if change.changed else 'stands there already; nothing changed'}"


def remove(done: Removal, now: int) -> Iterator[str]:
    below = len(done.removed) - 1
    and_below = f", with {counted(below, 'item')} below it" if below else ""
    yield f"{done.item.id} removed: {title_words(done.item.title)}{and_below}"
    yield f"Back: relay work restore {done.item.id}"


def restore(done: Restoration, now: int) -> Iterator[str]:
    below = len(done.restored) - 1
    and_below = f", with {counted(below, 'item')} below it" if below > 0 else ""
    said = f"is back{and_below}" if done.changed else "was not removed; nothing changed"
    yield f"{done.item.id} {title_words(done.item.title)}: {said}"


def choose_next(found: NextItems, now: int) -> Iterator[str]:
    if not found.items:
        yield "Nothing can be taken up now." if found.excluded else "No open work."
    yield from (_line(item, priority=True) for item in found.items)
    if found.more:
        yield f"and {found.more:,} more; see them with --limit {len(found.items) + found.more}"
    shown = found.excluded[:_EXCLUDED_SHOWN]
    if shown:
        yield "Left out:"
        yield from (f"  {one.id} {title_words(one.title)}: {inert('; '.join(one.reasons))}" for one in shown)
    if len(found.excluded) > len(shown):
        yield f"  and {len(found.excluded) - len(shown):,} more; see them with --json"


def resolve(done: Resolution, now: int) -> Iterator[str]:
    conflict = done.conflict
    value, other = (conflict.file, conflict.room) if done.side == "file" else (conflict.room, conflict.file)
    yield f"{done.item.id} {conflict.field}: {value_words(value)}, as the {done.side} says (not {value_words(other)})"


@of_any_moment
def tree(found: ItemList, now: int) -> Iterator[str]:
    if not found.items:
        yield "No items to show. Bring a plan in with: relay work import --file ROADMAP.md"
    for item in found.items:
        yield from _lines(item, "")


def show(found: ItemDetail, now: int) -> Iterator[str]:
    item = found.item
    yield _line(item)
    facts = {
        "kind": item.kind, "parent": item.parent, "owner": _owner(found), "priority": item.priority,
        "labels": ", ".join(item.labels), "branch": item.branch, "due": item.due,
        "artifacts": ", ".join(item.artifacts), "note": item.note,
        "source": f"{item.source.file}:{item.source.line}" if item.source else None,
    }  # fmt: skip
    yield from (f"  {name:<10}  {inert(value)}" for name, value in facts.items() if value)
    yield from (f"  {'waits for':<10}  {_relative(one)}" for one in found.waits_for)
    yield from (f"  {'blocks':<10}  {_relative(one)}" for one in found.blocks)
    for one in found.conflicts:
        file, here, before = map(value_words, (one.file, one.room, one.base))
        settle = f"relay work resolve {item.id} {one.field} file|room"
        yield f"  conflict    {one.field}: {inert(one.path)} says {file}, room says {here} (was {before}); {settle}"


def _owner(found: ItemDetail) -> str | None:
    state = f" ({found.owner_state})" if found.owner_state else ""
    return f"{found.item.owner}{state}" if found.item.owner else None


def _relative(one: Relative) -> str:
    return f"{_MARKS[one.status]} {one.id} {title_words(one.title)}{'' if one.open else ' (settled)'}"


def _lines(item: Item, indent: str) -> Iterator[str]:
    yield indent + _line(item)
    for child in item.children:
        yield from _lines(child, indent + "  ")


def _line(item: Item, *, priority: bool = False) -> str:
    words = [_MARKS[item.status], item.id, title_words(item.title)]
    if item.leaves > 1 or item.children:
        full = (item.progress or 0) * _BAR // 100
        percent = "none" if item.progress is None else f"{item.progress}%"
        words.append(f"{'█' * full}{'░' * (_BAR - full)} {percent} {item.done}/{item.leaves}")
    words += [f"({item.status})"] if item.status not in ("todo", "done") else []
    words += [f"!{item.priority}"] if priority and item.priority else []
    words += [f"@{inert(clip(item.owner, NAME_SHOWN))}"] if item.owner else []
    words += [f"branch:{inert(item.branch)}"] if item.branch else []
    words += [f"due:{item.due}"] if item.due else []
    return " ".join(words)
