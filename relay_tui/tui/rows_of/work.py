"""Items of work as rows of a tree, and their details. Pure functions of what was read and the day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import inert
from relay_tui.base.times import local_date
from relay_tui.room.work import STATUSES, flatten
from relay_tui.room.work_top import STAND_IN
from relay_tui.tui.columns import Column
from relay_tui.tui.content import Words, facts, hung, lines
from relay_tui.tui.glyphs import QUIET, Glyphs
from relay_tui.tui.row_filter import Term, accepts
from relay_tui.tui.rows import Row

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.work import Item
else:
    from relay_tui.base.record import NamedTuple

COLUMNS = (
    Column("title", "item", minimum=30),
    Column("status", "status", width=15),
    Column("owner", "owner", width=10, drop=1),
    Column("due", "due", width=10, drop=2),
    Column("branch", "branch", width=18, drop=3),
)
HEADINGS = frozenset(("roadmap", "phase", "epic"))  # unfolded at the start, so that tasks are seen
MOST_AT_START = 1000  # lines; where tasks are more, epics start folded
BELOW_SHOWN = 20
_CLOSED = ("done", "cancelled")
_BARS = (10, 5, 0)  # cells of a progress bar, the longest that leaves a title whole


class Outline(NamedTuple):
    """The whole tree as of event `seq`, every item by its id, and which kinds are unfolded at the start.

    `today` (`2026-11-30`) is the day that due dates are held against.
    """

    items: Sequence[Item]
    by_id: Mapping[str, Item]
    opened: frozenset[str]
    today: str
    seq: int = 0


def make_outline(items: Sequence[Item], now: int, seq: int = 0) -> Outline:
    by_id = {item.id: item for item in flatten(items)}
    opened = opened_kinds(sum(item.kind != "todo" for item in by_id.values()))
    return Outline(items, by_id, opened, _day(now), seq)


def make_first_look(items: Sequence[Item], now: int, opened: frozenset[str]) -> Outline:
    """The top of a tree that is still being read; what stands in for the rest is nothing to act on."""
    by_id = {item.id: item for item in flatten(items) if item.title != STAND_IN}
    return Outline(items, by_id, opened, _day(now))


def opened_kinds(lines: int) -> frozenset[str]:
    """What is unfolded at the start in a tree where so many items are no todos."""
    return HEADINGS if lines <= MOST_AT_START else HEADINGS - {"epic"}


def still_current(outline: Outline, now: int, seq: int) -> Outline:
    """The same items, known to be unchanged up to event `seq`."""
    return outline._replace(today=_day(now), seq=seq)


def _day(now: int) -> str:
    return local_date(now)[:10]


NOTHING = Outline((), {}, HEADINGS, "")


# Rows


def item_row(item: Item, flags: Mapping[str, str], today: str, glyphs: Glyphs) -> Row:
    """Title and progress, at three lengths, share the first column; then status, owner, due and branch."""
    cells: tuple[Words, ...] = (
        _title(item), *(_progress(item, glyphs, bar) for bar in _BARS), _status(item, glyphs), item.owner or "",
        _due(item, today), _branch(item.branch, flags, glyphs) if item.branch else "",
    )  # fmt: skip
    return Row(item.id, cells)


def due_words(item: Item, today: str) -> str:
    """`overdue 3d`, `today`, or the date; what is done or cancelled is never overdue."""
    if item.due is None or item.status in _CLOSED or item.due > today:
        return item.due or ""
    days = (date.fromisoformat(today) - date.fromisoformat(item.due)).days
    return f"overdue {days}d" if days else "today"


def _title(item: Item) -> Content:
    return Content.styled(inert(item.title), _title_style(item))


def _title_style(item: Item) -> str:
    if item.status in _CLOSED:
        return QUIET
    return "bold" if item.kind in HEADINGS else ""


def _status(item: Item, glyphs: Glyphs) -> Content:
    """What a heading says of itself is quiet while it says nothing but todo: its progress tells more."""
    status = glyphs.work(item.status)
    return Content.styled(status.plain, QUIET) if item.children and item.status == "todo" else status


def _progress(item: Item, glyphs: Glyphs, bar: int = _BARS[0]) -> Words:
    """`███░░░░░░░  27%  4/15` for what has something below it, with a bar of so many cells."""
    if not item.children:
        return ""
    if item.progress is None:
        return Content.styled("all cancelled", QUIET)
    count = (f"  {item.done:,}/{item.leaves:,}", QUIET)
    if not bar:
        return Content.assemble(f"{item.progress}%", count)
    return Content.assemble(glyphs.progress(item.progress, bar), count)


def _due(item: Item, today: str) -> Content:
    words = due_words(item, today)
    style = {"o": "$error", "t": "$warning"}.get(words[:1], QUIET if item.status in _CLOSED else "")
    return Content.styled(words, style)


def _branch(branch: str, flags: Mapping[str, str], glyphs: Glyphs) -> Content:
    if branch not in flags:
        return Content(inert(branch))
    mark = glyphs.branch(flags[branch]).split(" ")[0]
    return Content.assemble(mark, " ", inert(branch))


# The line above the tree


def summary(outline: Outline) -> Content:
    """`4 of 15 done · 1 overdue · 1 blocked · 2 in-progress`."""
    if not outline.seq:
        return Content.styled("reading the rest …" if outline.items else "", QUIET)
    done, leaves = (sum(getattr(item, count) for item in outline.items) for count in ("done", "leaves"))
    counts = dict.fromkeys(STATUSES, 0)
    overdue = 0
    for item in outline.by_id.values():
        counts[item.status] += 1
        overdue += due_words(item, outline.today).startswith("overdue")
    told = [Content.styled(f"{done:,} of {leaves:,} done", QUIET)]
    told += [Content.styled(f"{overdue:,} overdue", "$error")] if overdue else []
    shown = [status for status in ("blocked", "review", "in-progress") if counts[status]]
    told += [Content.styled(f"{counts[status]:,} {status}", QUIET) for status in shown]
    return Content.styled(" · ", QUIET).join(told)


# The filter


def searchable(item: Item, today: str) -> tuple[str, dict[str, str]]:
    """What `/` finds an item by: its words, and the fields that `owner:codex-3` looks into; case folded."""
    fields = {
        "id": item.id, "kind": item.kind, "status": item.status, "owner": item.owner or "",
        "priority": item.priority or "", "label": " ".join(item.labels), "branch": item.branch or "",
        "due": due_words(item, today),
    }  # fmt: skip
    folded = {key: value.casefold() for key, value in fields.items()}
    return " ".join([item.title.casefold(), *folded.values()]), folded


class Fitting(NamedTuple):
    """What a filter leaves: items with what leads to them, what is unfolded for it, and how many fit."""

    items: list[Item]
    opened: frozenset[str]
    found: int


def fitting_items(
    items: Iterable[Item], terms: Sequence[Term], words: Mapping[str, tuple[str, dict[str, str]]]
) -> Fitting:
    """The items that fit and everything above them; below one that fits nothing is lost, only folded."""
    kept: list[Item] = []
    opened: set[str] = set()
    found = 0
    for item in items:
        below = fitting_items(item.children, terms, words)
        fits = accepts(terms, *words[item.id])
        found += below.found + fits
        if below.found:
            opened |= {item.id, *below.opened}
            kept.append(item._replace(children=below.items))
        elif fits:
            kept.append(item)
    return Fitting(kept, frozenset(opened), found)


# The detail


def path_of(item: Item, by_id: Mapping[str, Item]) -> list[Item]:
    """What stands above an item, from the top."""
    path: list[Item] = []
    above = by_id.get(item.parent or "")
    while above is not None:
        path.append(above)
        above = by_id.get(above.parent or "")
    return path[::-1]


def item_detail(item: Item, outline: Outline, flags: Mapping[str, str], glyphs: Glyphs, width: int = 0) -> Content:
    """Where an item stands, and everything that the room knows of it."""
    step = f" {glyphs.step} "
    above = step.join(inert(one.title) for one in path_of(item, outline.by_id)) or "at the top"
    title = Content.assemble((inert(item.id), "$accent"), "   ", (inert(item.title), "bold"))
    parts: list[Words] = [Content.styled(above, QUIET), hung(Content(""), title, width), ""]
    parts.append(facts(_facts(item, outline, flags, glyphs), width))
    if item.children:
        parts += ["", *_below(item, outline, glyphs, width)]
    return lines(parts)


def _facts(item: Item, outline: Outline, flags: Mapping[str, str], glyphs: Glyphs) -> list[tuple[str, Words]]:
    branch = Content(inert(item.branch or ""))
    if item.branch and item.branch in flags:
        branch = Content.assemble(branch, "   ", glyphs.branch(flags[item.branch]))
    late = due_words(item, outline.today)
    source = f"{item.source.file}:{item.source.line}" if item.source else "made in the room"
    pairs: list[tuple[str, Words | None]] = [
        ("status", glyphs.work(item.status)),
        ("progress", _progress(item, glyphs)),
        ("kind", item.kind),
        ("owner", item.owner or "nobody"),
        ("branch", branch),
        ("due", item.due if late in (item.due, "") else f"{item.due}, {late}"),
        ("priority", item.priority),
        ("labels", ", ".join(item.labels)),
        ("waits for", lines([_named(one, outline, glyphs) for one in item.blocked_by])),
        ("artifacts", "\n".join(map(inert, item.artifacts))),
        ("note", item.note),
        ("source", source),
        ("revision", str(item.revision)),
    ]
    return [(label, value) for label, value in pairs if value]


def _named(item_id: str, outline: Outline, glyphs: Glyphs) -> Content:
    item = outline.by_id.get(item_id)
    if item is None:
        return Content.styled(f"{inert(item_id)}, which is not here", QUIET)
    return Content.assemble(inert(item.id), "  ", glyphs.work(item.status), f"  {inert(item.title)}")


def _below(item: Item, outline: Outline, glyphs: Glyphs, width: int) -> list[Words]:
    """What stands right below, so that a folded item need not be unfolded to be read."""
    shown = [hung(Content("  "), _named(one.id, outline, glyphs), width) for one in item.children[:BELOW_SHOWN]]
    more = len(item.children) - len(shown)
    rest: list[Words] = [Content.styled(f"  and {more:,} more", QUIET)] if more else []
    return [Content.styled("below", QUIET), *shown, *rest]
