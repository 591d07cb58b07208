"""Actions on work: the tree that a roadmap is imported into, and its items."""

from __future__ import annotations

from relay_tui.base.errors import RelayError, check_choices, check_number
from relay_tui.room import work_conflicts, work_edit, work_moves, work_next
from relay_tui.room.work import STATUSES, Item, ItemChange, ItemList, flatten, read_tree
from relay_tui.room.work_detail import ItemDetail, show_item
from relay_tui.room.work_fold import LISTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from relay_tui.room.ledger import Actor
    from relay_tui.room.past import AsOf
    from relay_tui.room.rooms import Room
    from relay_tui.room.work_conflicts import Resolution
    from relay_tui.room.work_moves import Removal, Restoration
    from relay_tui.room.work_next import NextItems

NEXT_SHOWN = 20  # items unless --limit says otherwise
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
    blocks: list[str] | None = None,
) -> ItemChange:
    """Add an item below another, or a task of its own.

    relay work add --title "Rotate tokens" --parent W3 --owner codex-3
    """
    said = _fields(title, kind, status, owner, priority, label, branch, artifact, due, blocked_by)
    return work_edit.add_item(room, me, {**said, "parent": parent}, blocks or ())


def set_fields(
    room: Room,
    me: Actor,
    id: str,
    *,
    title: str | None = None,
    kind: Literal["roadmap", "phase", "epic", "task", "todo"] | None = None,
    status: Literal["todo", "in-progress", "blocked", "review", "done", "cancelled"] | None = None,
    owner: str | None = None,
    priority: str | None = None,
    label: list[str] | None = None,
    branch: str | None = None,
    artifact: list[str] | None = None,
    due: str | None = None,
    blocked_by: list[str] | None = None,
    blocks: list[str] | None = None,
    unset: list[str] | None = None,
) -> ItemChange:
    """Change what an item says; only what you name changes.

    relay work set W3 --status in-progress --owner codex-3
    """
    said = _fields(title, kind, status, owner, priority, label, branch, artifact, due, blocked_by)
    emptied: dict[str, Any] = {_column(field): [] if _column(field) in LISTS else None for field in unset or ()}
    if not (said or emptied or blocks):
        raise RelayError("usage", "Nothing to change.", "Name a field, such as --status done.")
    return work_edit.set_item(room, me, id, {**emptied, **said}, blocks or ())


def move(
    room: Room, me: Actor, id: str, *, parent: str | None = None, root: bool = False, before: str | None = None,
    after: str | None = None,
) -> ItemChange:  # fmt: skip
    """Move an item below another, or among its siblings. --root moves it to the top; its kind stays.

    relay work move W7 --parent W3 --before W5
    """
    if parent is not None and root:
        raise RelayError("usage", "Below an item and at the top are two places.", "Give --parent or --root.")
    if before is not None and after is not None:
        raise RelayError("usage", "Before and after are two places.", "Give --before or --after.")
    if (parent, before, after) == (None, None, None) and not root:
        raise RelayError("usage", "Nothing says where to.", "Give --parent ID, --root, --before ID or --after ID.")
    return work_moves.move_item(room, me, id, work_moves.Destination(parent, root, before, after))


def remove(room: Room, me: Actor, id: str, *, recursive: bool = False) -> Removal:
    """Take an item out of the plan. `work restore` brings it back as it was.

    relay work remove W7
    """
    return work_moves.remove_item(room, me, id, recursive=recursive)


def restore(room: Room, me: Actor, id: str) -> Restoration:
    """Bring back a removed item, and what went with it from below it.

    relay work restore W7
    """
    return work_moves.restore_item(room, me, id)


def tree(
    room: Room,
    id: str | None = None,
    *,
    under: str | None = None,
    pretty: bool = False,
    flat: bool = False,
    status: list[str] | None = None,
    owner: str | None = None,
    label: str | None = None,
    depth: int | None = None,
    at: str | None = None,
) -> ItemList | AsOf:
    """The work tree with its progress. Filters keep whatever leads to a match.

    relay work tree --owner codex-3
    """
    if id is not None and under not in (None, id):
        raise RelayError("usage", "Two items say where the tree begins.", "Give --under or the id alone.")
    del pretty  # text is drawn pretty anyway; the option is accepted because people write it
    check_choices(status or (), "status", STATUSES)
    if depth is not None:
        check_number("--depth", depth)
    top = id if under is None else under

    def read(room: Room) -> ItemList:
        found = read_tree(room, top).items
        if status or owner is not None or label is not None:
            found = _kept(found, status, owner, label)
        if depth is not None:
            found = [_cut(item, depth) for item in found]
        return ItemList([item._replace(children=[]) for item in flatten(found)] if flat else found)

    if at is None:
        return read(room)
    from relay_tui.actions.past import MAIL, look_back

    return look_back(room, at, read, without=MAIL)


def show(room: Room, id: str) -> ItemDetail:
    """One item in full. Also what it waits for, what waits for it, and open conflicts of imports.

    relay work show W3
    """
    return show_item(room, id)


def choose_next(room: Room, me: Actor | None, *, limit: int = NEXT_SHOWN) -> NextItems:
    """What you can take up now, most urgent first. Says of every other open item why not.

    relay work next --limit 5
    """
    check_number("--limit", limit)
    return work_next.read_next(room, me, limit)


def resolve(room: Room, me: Actor, id: str, field: str, side: Literal["file", "room"]) -> Resolution:
    """Settle a conflict that an import left open. The value is the file's or the room's.

    relay work resolve W7 status file
    """
    return work_conflicts.resolve_conflict(room, me, id, field, side)


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
