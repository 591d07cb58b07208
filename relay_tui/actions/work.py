"""Actions on work: the tree that a roadmap is imported into, and its items."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.room import work as items
from relay_tui.room.work import STATUSES, Item, ItemChange, ItemList, flatten
from relay_tui.room.work_fold import LISTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from relay_tui.actions.importing import Imported
    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room

_UNSET = ("owner", "priority", "label", "branch", "artifact", "due", "blocked-by")


def add(
    room: Room,
    me: Actor,
    *,
    title: str,
    parent: str | None = None,
    kind: Literal["roadmap", "phase", "epic", "task", "todo"] | None = None,
    status: Literal["todo", "in-progress", "blocked", "review", "done", "cancelled"] | None = None,
    owner: str | None = None,
    priority: str | None = None,
    label: list[str] | None = None,
    branch: str | None = None,
    artifact: list[str] | None = None,
    due: str | None = None,
    blocked_by: list[str] | None = None,
) -> ItemChange:
    """Add an item below another, or a task of its own.

    relay work add --title "Rotate tokens" --parent W3 --owner codex-3
    """
    said = _fields(title, kind, status, owner, priority, label, branch, artifact, due, blocked_by)
    return items.add_item(room, me, {**said, "parent": parent})


def set_fields(
    room: Room,
    me: Actor,
    id: str,
    *,
    title: str | None = None,
    status: Literal["todo", "in-progress", "blocked", "review", "done", "cancelled"] | None = None,
    owner: str | None = None,
    priority: str | None = None,
    label: list[str] | None = None,
    branch: str | None = None,
    artifact: list[str] | None = None,
    due: str | None = None,
    blocked_by: list[str] | None = None,
    unset: list[str] | None = None,
) -> ItemChange:
    """Change what an item says; only what you name changes.

    relay work set W3 --status in-progress --owner codex-3
    """
    said = _fields(title, None, status, owner, priority, label, branch, artifact, due, blocked_by)
    emptied: dict[str, Any] = {_column(field): [] if _column(field) in LISTS else None for field in unset or ()}
    if not said and not emptied:
        raise RelayError("usage", "Nothing to change.", "Name a field, such as --status done.")
    return items.set_item(room, me, id, {**emptied, **said})


def tree(
    room: Room,
    id: str | None = None,
    *,
    pretty: bool = False,
    flat: bool = False,
    status: list[str] | None = None,
    owner: str | None = None,
    label: str | None = None,
    depth: int | None = None,
) -> ItemList:
    """The work tree with its progress; filters keep whatever leads to a match.

    relay work tree --owner codex-3
    """
    del pretty  # text is drawn pretty anyway; the option is accepted because people write it
    for one in status or ():
        if one not in STATUSES:
            raise RelayError("usage", f"'{one}' is not a status.", f"Use one of {', '.join(STATUSES)}.")
    found = items.read_tree(room, id).items
    if status or owner is not None or label is not None:
        found = _kept(found, status, owner, label)
    if depth is not None:
        found = [_cut(item, depth) for item in found]
    return ItemList([item._replace(children=[]) for item in flatten(found)] if flat else found)


def show(room: Room, id: str) -> ItemChange:
    """One item in full.

    relay work show W3
    """
    return items.show_item(room, id)


def import_plan(
    room: Room,
    me: Actor,
    *,
    file: str,
    prefer: Literal["file", "room"] | None = None,
    cancel_removed: bool = False,
    bullets: bool = False,
    tables: bool = False,
    sections: bool = False,
    only: list[str] | None = None,
    skip: list[str] | None = None,
) -> Imported:
    """Bring a Markdown plan in, or bring it up to date; importing the same file again changes nothing.

    relay work import --file ROADMAP.md --dry-run
    """
    from relay_tui.actions.importing import import_file

    choices = {
        "bullets": bullets, "tables": tables, "sections": sections, "only": only or [], "skip": skip or [],
    }  # fmt: skip
    return import_file(room, me, file, choices, prefer=prefer, cancel_removed=cancel_removed)


def _fields(
    title: str | None, kind: str | None, status: str | None, owner: str | None, priority: str | None,
    label: list[str] | None, branch: str | None, artifact: list[str] | None, due: str | None,
    blocked_by: list[str] | None,
) -> dict[str, Any]:  # fmt: skip
    said = {
        "title": title, "kind": kind, "status": status, "owner": owner, "priority": priority, "labels": label,
        "branch": branch, "artifacts": artifact, "due": due, "blocked_by": blocked_by,
    }  # fmt: skip
    distinct = {field: list(dict.fromkeys(value)) for field, value in said.items() if isinstance(value, list)}
    return {field: value for field, value in {**said, **distinct}.items() if value is not None}


def _column(field: str) -> str:
    if field not in _UNSET:
        raise RelayError("usage", f"'{field}' cannot be emptied.", f"Use one of {', '.join(_UNSET)}.")
    return {"label": "labels", "artifact": "artifacts", "blocked-by": "blocked_by"}.get(field, field)


def _kept(tree: list[Item], status: list[str] | None, owner: str | None, label: str | None) -> list[Item]:
    """Items that match, and those above them; progress stays that of the whole."""
    kept = []
    for item in tree:
        below = _kept(item.children, status, owner, label)
        matches = (
            (not status or item.status in status)
            and owner in (None, item.owner)
            and (label is None or label in item.labels)
        )
        if matches or below:
            kept.append(item._replace(children=below))
    return kept


def _cut(item: Item, depth: int) -> Item:
    return item._replace(children=[_cut(child, depth - 1) for child in item.children] if depth > 1 else [])
