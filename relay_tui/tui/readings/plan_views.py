"""The views of the Roadmap: what each reads besides the tree, its columns and rows, and what it says when empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import inert
from relay_tui.base.times import age
from relay_tui.room.agents import read_agents
from relay_tui.room.work import flatten
from relay_tui.room.work_aside import read_removed
from relay_tui.room.work_next import choose_next
from relay_tui.tui.rows_of.work import COLUMNS, NOTHING, due_words, item_row, status_of, summary, title_of
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import Words
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.rooms import Room
    from relay_tui.room.work import Item
    from relay_tui.tui.rows_of.work import Outline
else:
    from relay_tui.base.record import NamedTuple

# Where something stands: which view comes next depends on the one that is shown.
IN_CONFLICTS, IN_REMOVED = (f"The view '{name}' ([ and ])" for name in ("conflicts", "removed"))
TREE, NEXT, CONFLICTS, REMOVED = range(4)
_SIDE_COLUMNS = (Column("title", "item", minimum=24), Column("status", "status", width=15, drop=1))


class PlanView(NamedTuple):
    """One view, in the order of the constants above; `idle` are the keys that do nothing in it, by their ids."""

    name: str
    columns: Sequence[Column]
    empty: str
    idle: tuple[str, ...] = ()


_MOVES = ("item.down", "item.up", "item.out", "item.in")
PLAN_VIEWS = (
    PlanView(
        "tree", COLUMNS,
        "There is no plan yet.\ni imports one, or type :work import --file ROADMAP.md\nn adds a single item.",
        ("act.revive",),
    ),
    PlanView(
        "next", (*_SIDE_COLUMNS, Column("owner", "owner", width=10, drop=2), Column("note", "why", minimum=24)),
        "No work is open.\n[ goes back to the tree.", (*_MOVES, "act.revive", "tree.fold"),
    ),
    PlanView(
        "conflicts", (*_SIDE_COLUMNS, Column("note", "file and room differ in", minimum=24)),
        "File and room agree on every item.\nAn import tells what is in conflict, and lists it here.",
        (*_MOVES, "act.revive", "tree.fold"),
    ),
    PlanView(
        "removed", (*_SIDE_COLUMNS, Column("note", "removed", minimum=24)),
        "Nothing was removed.\nx in the tree removes an item; it is kept, and listed here.",
        (*_MOVES, "act.status", "act.new", "act.sibling", "act.owner", "act.edit", "act.release", "act.message"),
    ),
)  # fmt: skip


class Look(NamedTuple):
    """What a view shows: its items, all of them by id, and what it says of each. `outline` is the tree itself.

    `left_out` are those that are not next.
    """

    view: int
    outline: Outline
    items: Sequence[Item]
    by_id: Mapping[str, Item]
    notes: Mapping[str, str]
    lead: str
    left_out: frozenset[str] = frozenset()


NOTHING_SEEN = Look(TREE, NOTHING, (), {}, {}, "")


def look_at_tree(outline: Outline) -> Look:
    return Look(TREE, outline, outline.items, outline.by_id, {}, "")


def read_look(view: int, room: Room, me: str, outline: Outline) -> Look:
    """What a view shows now, given the tree as it is now."""
    if view == NEXT:
        return _look_at_next(outline, _read_states(room), me)
    if view == CONFLICTS:
        return _look_at_conflicts(outline)
    return _look_at_removed(room, outline) if view == REMOVED else look_at_tree(outline)


def _read_states(room: Room) -> dict[str, str]:
    with room.reading() as db:
        return {known.row.name: known.state for known in read_agents(db, room.row.key, room.clock(), room.settings)}


def _look_at_next(outline: Outline, states: Mapping[str, str], me: str) -> Look:
    """What can be taken up, in the order of `work next`; then the rest with its reasons."""
    found = choose_next(outline.items, states, me)
    notes = {item.id: _why_next(item, outline.today) for item in found.items}
    notes |= {one.id: "; ".join(one.reasons) for one in found.excluded}
    items = [*found.items, *(outline.by_id[one.id]._replace(children=[]) for one in found.excluded)]
    lead = f"{len(found.items):,} ready to be taken up · {len(found.excluded):,} left out"
    return Look(NEXT, outline, items, outline.by_id, notes, lead, frozenset(one.id for one in found.excluded))


def _why_next(item: Item, today: str) -> str:
    """`ready: priority high, overdue 3d`."""
    late = due_words(item, today)
    due = late if not late or late.startswith("overdue") else f"due {late}"
    urgent = ", ".join(filter(None, (f"priority {item.priority}" if item.priority else "", due)))
    return f"ready: {urgent}" if urgent else "ready"


def _look_at_conflicts(outline: Outline) -> Look:
    found = {item: conflicts for item, conflicts in outline.conflicts.items() if item in outline.by_id}
    notes = {item: ", ".join(one.field for one in conflicts) for item, conflicts in found.items()}
    items = [item._replace(children=[]) for item in outline.by_id.values() if item.id in found]
    return Look(CONFLICTS, outline, items, outline.by_id, notes, f"{len(items):,} in conflict")


def _look_at_removed(room: Room, outline: Outline) -> Look:
    """Removed items nested as they stood; what one removal took is brought back together."""
    found, now = read_removed(room), room.clock()
    by_id = {item.id: item for item in flatten(found.items)}
    notes = {item: f"{age(at, now)} ago" for item, at in found.removed_at.items()}
    for item in found.items:
        above = outline.by_id.get(item.parent or "")
        notes[item.id] += f", stood below {inert(above.title)}" if above else ""
    return Look(REMOVED, outline, found.items, by_id, notes, f"{len(by_id):,} removed")


def look_row(item: Item, look: Look, flags: Mapping[str, str], glyphs: Glyphs) -> Row:
    """An item as the view shows it; what is left out of `next` is quiet."""
    outline = look.outline
    in_conflict = item.id in outline.conflicts
    if look.view == TREE:
        return item_row(item, flags, outline.today, glyphs, in_conflict)
    note = look.notes.get(item.id, "")
    why: Words = Content.styled(note, QUIET) if item.id in look.left_out else note
    owner = [item.owner or ""] if look.view == NEXT else []
    title = title_of(item, glyphs, in_conflict and look.view == NEXT)
    return Row(item.id, (title, "", "", "", status_of(item, glyphs), *owner, why))


def note_of(item: Item, look: Look) -> str:
    """What the detail says of an item besides its facts."""
    note = look.notes.get(item.id, "")
    if look.view == REMOVED:
        return f"removed {note}"
    return f"not next: {note}" if item.id in look.left_out else note if look.view == NEXT else ""


def banner_of(look: Look) -> Content:
    return summary(look.outline) if look.view == TREE else Content.styled(look.lead, QUIET)
