"""The detail of an item of work: where it stands, what the room knows of it, and what is open about it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import clip, inert
from relay_tui.tui.rows_of.plan import value_words
from relay_tui.tui.rows_of.work import due_words, progress
from relay_tui.tui.widgets.content import MOST_SHOWN, Words, facts, first_lines, hung, lines
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs

if TYPE_CHECKING:
    from relay_tui.room.work import Item
    from relay_tui.room.work_conflicts import OpenConflict
    from relay_tui.tui.rows_of.work import Outline

BELOW_SHOWN = 20
_NAME_SHOWN = 200  # characters of the title of another item


def _title(item: Item, characters: int) -> str:
    return inert(clip(item.title, characters))


def _not_its_own(item: Item) -> str:
    """Progress is counted from the leaves: a parent that says done of itself does not make them so."""
    open_below = item.leaves - item.done if item.children and item.status == "done" else 0
    return f"{open_below} below it not done; its own status is not counted" if open_below > 0 else ""


def path_of(item: Item, by_id: Mapping[str, Item]) -> list[Item]:
    """What stands above an item, from the top."""
    path: list[Item] = []
    above = by_id.get(item.parent or "")
    while above is not None:
        path.append(above)
        above = by_id.get(above.parent or "")
    return path[::-1]


def item_detail(
    item: Item, outline: Outline, flags: Mapping[str, str], glyphs: Glyphs, width: int = 0, note: Words = ""
) -> Content:
    """Everything about an item; `note` is what the view says of it, such as why it is not next."""
    step = f" {glyphs.step} "
    above = step.join(_title(one, _NAME_SHOWN) for one in path_of(item, outline.by_id)) or "at the top"
    title = Content.assemble((inert(item.id), "$accent"), "   ", (_title(item, MOST_SHOWN), "bold"))
    parts: list[Words] = [Content.styled(above, QUIET), hung(Content(""), title, width)]
    parts += [hung(Content(""), note, width), ""] if note else [""]
    conflicts = outline.conflicts.get(item.id, ())
    parts += [*conflict_lines(conflicts, width), ""] if conflicts else []
    parts.append(facts(_facts(item, outline, flags, glyphs), width))
    if item.children:
        parts += ["", *_below(item, outline, glyphs, width)]
    return lines(parts)


def conflict_lines(conflicts: Sequence[OpenConflict], width: int = 0) -> list[Words]:
    """Each field in which file and room differ, with the three values, and the keys that settle it."""
    told: list[Words] = [Content.styled("in conflict: the file and the room say different things", "$warning")]
    for one in conflicts:
        sides = ((inert(one.path), one.file), ("the room", one.room), ("both, before", one.base))
        told.append(Content.styled(f"  {one.field}", "bold"))
        indent = max(len(side) for side, _ in sides) + 2
        shown = [(side.ljust(indent), value_words(value)) for side, value in sides]
        told += [hung(Content(f"    {side}"), value, width) for side, value in shown]
    keys = (("a", "takes what the file says"), ("d", "keeps what the room says"))
    return [*told, *(Content.assemble("  ", (key, "$accent"), f"  {does}") for key, does in keys)]


def _facts(item: Item, outline: Outline, flags: Mapping[str, str], glyphs: Glyphs) -> list[tuple[str, Words | None]]:
    branch = Content(inert(item.branch or ""))
    if item.branch and item.branch in flags:
        branch = Content.assemble(branch, "   ", glyphs.branch(flags[item.branch]))
    late = due_words(item, outline.today)
    waiting = [one.id for one in outline.by_id.values() if item.id in one.blocked_by]
    return [
        ("status", glyphs.work(item.status)),
        ("progress", progress(item, glyphs)),
        ("", _not_its_own(item)),
        ("kind", item.kind),
        ("owner", item.owner or "nobody"),
        ("branch", branch),
        ("due", item.due if late in (item.due, "") else f"{item.due}, {late}"),
        ("priority", item.priority),
        ("labels", ", ".join(item.labels)),
        ("waits for", lines([_named(one, outline, glyphs) for one in item.blocked_by])),
        ("blocks", lines([_named(one, outline, glyphs) for one in waiting])),
        ("artifacts", lines(map(inert, item.artifacts))),
        ("note", item.note),
        ("source", _source(item, outline)),
        ("revision", str(item.revision)),
    ]


def _source(item: Item, outline: Outline) -> Words:
    if item.source is None:
        return "it stands in no file"
    line = f":{item.source.line}" if item.source.line else ""
    saved = "   imported when it is saved" if item.source.file in outline.followed else ""
    return Content.assemble(inert(item.source.file), line, (saved, QUIET))


def _named(item_id: str, outline: Outline, glyphs: Glyphs) -> Content:
    item = outline.by_id.get(item_id)
    if item is None:
        return Content.styled(f"{inert(item_id)}, which is not here", QUIET)
    return Content.assemble(inert(item.id), "  ", glyphs.work(item.status), f"  {_title(item, _NAME_SHOWN)}")


def _below(item: Item, outline: Outline, glyphs: Glyphs, width: int) -> list[Words]:
    """What stands right below, so that a folded item need not be unfolded to be read."""

    def line(child: Item) -> Content:
        return hung(Content("  "), _named(child.id, outline, glyphs), width)

    return [Content.styled("below", QUIET), *first_lines(item.children, BELOW_SHOWN, line)]
