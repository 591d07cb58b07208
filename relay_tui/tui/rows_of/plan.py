"""What an import would change, as lines to read before it is applied. Pure functions of the dry run's result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from textual.content import Content

from relay_tui.base.text import inert, named_lines
from relay_tui.tui.widgets.content import Words, first_lines, one_line
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.actions.plan_files.importing import FieldConflict, Imported
    from relay_tui.room.work import Item
else:
    from relay_tui.base.record import NamedTuple

SHOWN = 200  # lines a section


class Offer(NamedTuple):
    """A key by which the plan is made anew with one more option, what it does, and why it may have nothing to do."""

    key: str
    word: str
    option: tuple[str, str | bool]
    refusal: str


_TAKE_IN = (
    Offer("b", "bullets too", ("bullets", True), "No bullets are left aside."),
    Offer("t", "tables too", ("tables", True), "No rows of tables are left aside."),
    Offer("s", "headings too", ("sections", True), "No headings are left aside."),
)
_CANCEL = Offer("c", "cancel what is gone", ("cancel_removed", True), "Nothing is gone from the file.")
_PREFER = (
    Offer("f", "file wins", ("prefer", "file"), "There is no conflict."),
    Offer("r", "room wins", ("prefer", "room"), "There is no conflict."),
)
OFFERS = (*_TAKE_IN, *_PREFER, _CANCEL)


def offers_of(plan: Imported, said: Mapping[str, object]) -> list[Offer]:
    """The keys that have something to do, given what was `said` already."""
    aside = " ".join(one.text for one in plan.left_aside)
    found = [offer for offer in _TAKE_IN if f"`--{offer.option[0]}`" in aside]
    found += _PREFER if plan.conflicts else ()
    found += [_CANCEL] if plan.removed else []
    return [offer for offer in found if said.get(offer.option[0]) != offer.option[1]]


def changes_nothing(plan: Imported) -> bool:
    changes = (plan.added, plan.updated, plan.retitled, plan.moved, plan.reordered, plan.removed, plan.conflicts)
    return not any(changes)


def plan_lines(plan: Imported, titles: Mapping[str, str], glyphs: Glyphs) -> list[Words]:
    """A summary; then what needs the person, and then what would change."""

    def named(item: str) -> str:
        return f"{item}  {inert(titles.get(item, ''))}".rstrip()

    arrow = glyphs.arrow
    sections: tuple[tuple[str, list[Words]], ...] = (
        ("in conflict, kept as they are until you settle them",
         [line for one in plan.conflicts for line in _conflict(one, named(one.id))]),
        ("warnings", [f"line {one.line}: {one.text}" if one.line else one.text for one in plan.warnings]),
        ("left aside", [f"{one.text}  ({named_lines(one.lines)})" for one in plan.left_aside]),
        ("gone from the file, kept in the room", [named(item) for item in plan.removed]),
        ("retitled", [f"{one.id}  {inert(one.old)} {arrow} {inert(one.new)}" for one in plan.retitled]),
        ("updated", [_update(named(one.id), one.changes, arrow) for one in plan.updated]),
        ("moved", [f"{named(one.id)}: {_place(one.from_)} {arrow} {_place(one.to)}" for one in plan.moved]),
        ("in another order", [named(item) for item in plan.reordered]),
        ("added", _added(plan.added, glyphs)),
    )  # fmt: skip
    shown = [Content.styled(_summary(plan), "bold")]
    return [*shown, *(line for title, told in sections if told for line in _section(title, told))]


def _section(title: str, told: list[Words]) -> list[Words]:
    shown = first_lines(told, SHOWN, lambda words: Content.assemble("  ", one_line(words)))
    return ["", Content.styled(title, QUIET), *shown]


def _summary(plan: Imported) -> str:
    parts = (
        (len(plan.conflicts), "in conflict"), (len(plan.added), "added"), (len(plan.updated), "updated"),
        (len(plan.retitled), "retitled"), (len(plan.moved), "moved"), (len(plan.reordered), "reordered"),
        (len(plan.removed), "gone"), (plan.unchanged, "unchanged"),
    )  # fmt: skip
    told = " · ".join(f"{count:,} {word}" for count, word in parts if count)
    return f"Nothing would change: {told or 'there is no item in it'}." if changes_nothing(plan) else told


def _conflict(conflict: FieldConflict, named: str) -> list[Words]:
    said = f"  {conflict.field}: the file says {value_words(conflict.file)}, the room {value_words(conflict.room)}"
    return [named, Content.assemble((said, "$warning"), (f", it was {value_words(conflict.base)}", QUIET))]


def _update(named: str, changes: Mapping[str, list[Any]], arrow: str) -> Words:
    told = ", ".join(f"{field} {value_words(old)} {arrow} {value_words(new)}" for field, (old, new) in changes.items())
    return f"{named}: {told}"


def _added(items: Iterable[Item], glyphs: Glyphs) -> list[Words]:
    """New items in the file's order, each as far in as its parents among them; what is not todo says so."""
    depths: dict[str, int] = {}
    told: list[Words] = []
    for item in items:
        depth = depths[item.id] = depths.get(item.parent or "", -1) + 1
        status = "" if item.status == "todo" else Content.assemble("   ", glyphs.work(item.status))
        told.append(Content.assemble("  " * depth, inert(item.title), status))
    return told


def _place(item: str | None) -> str:
    return f"below {item}" if item else "the top"


def value_words(value: object) -> str:
    """As it is said in a line; texts of several lines are cut to the first."""
    if isinstance(value, list):
        return inert(", ".join(map(str, value))) or "nothing"
    if value is None:
        return "nothing"
    first, *rest = str(value).split("\n")
    return inert(first) + (" …" if rest else "")
