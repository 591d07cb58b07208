"""Items of work as rows of a tree, the line above it, and its filter. Pure functions of what was read and the day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import clip, inert
from relay_tui.base.times import local_date
from relay_tui.room.work import STATUSES, flatten
from relay_tui.room.work_top import STAND_IN
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import Words
from relay_tui.tui.widgets.glyphs import BRANCH_FLAGS, QUIET, Glyphs
from relay_tui.tui.widgets.row_filter import Term, accepts
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.room.work import Item
    from relay_tui.room.work_conflicts import OpenConflict
else:
    from relay_tui.base.record import NamedTuple

COLUMNS = (
    Column("title", "item", minimum=30),
    Column("status", "status", width=15),
    Column("owner", "owner", width=10, drop=1),
    Column("due", "due", width=12, drop=2),
    Column("branch", "branch", width=18, drop=3),
)
HEADINGS = frozenset(("roadmap", "phase", "epic"))  # unfolded at the start, so that tasks are seen
MOST_AT_START = 1000  # lines; where tasks are more, epics start folded
_CLOSED = ("done", "cancelled")
_TITLE_SHOWN = 500  # characters; no terminal is as wide
_DAYS_TOLD = 730  # by which something is overdue; above they do not fit into the column, and years tell more
_BARS = (10, 5, 0)  # cells of a progress bar, the longest that leaves a title whole


class Outline(NamedTuple):
    """The whole tree as of event `seq`, every item by its id, and which kinds are unfolded at the start.

    `today` (`2026-11-30`) is the day that due dates are held against; `conflicts` are those open, by item, and
    `followed` the plan files that are imported when they are saved.
    """

    items: Sequence[Item]
    by_id: Mapping[str, Item]
    opened: frozenset[str]
    today: str
    seq: int = 0
    conflicts: Mapping[str, Sequence[OpenConflict]] = {}
    followed: frozenset[str] = frozenset()


def make_outline(
    items: Sequence[Item],
    now: int,
    seq: int = 0,
    conflicts: Mapping[str, Sequence[OpenConflict]] | None = None,
    followed: Iterable[str] = (),
) -> Outline:
    by_id = {item.id: item for item in flatten(items)}
    opened = opened_kinds(sum(item.kind != "todo" for item in by_id.values()))
    return Outline(items, by_id, opened, _day(now), seq, conflicts or {}, frozenset(followed))


def make_first_look(items: Sequence[Item], now: int, opened: frozenset[str]) -> Outline:
    """The top of a tree that is still being read; what stands in for the rest is nothing to act on."""
    by_id = {item.id: item for item in flatten(items) if not item.id.endswith(STAND_IN)}
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


def item_row(item: Item, flags: Mapping[str, str], today: str, glyphs: Glyphs, in_conflict: bool = False) -> Row:
    """Title and progress, at three lengths, share the first column; then status, owner, due and branch."""
    cells: tuple[Words, ...] = (
        title_of(item, glyphs, in_conflict), *(progress(item, glyphs, bar) for bar in _BARS),
        status_of(item, glyphs), item.owner or "", due_of(item, today),
        _branch(item.branch, flags, glyphs) if item.branch else "",
    )  # fmt: skip
    return Row(item.id, cells)


def is_overdue(item: Item, today: str) -> bool:
    return item.due is not None and item.due < today and item.status not in _CLOSED


def due_words(item: Item, today: str) -> str:
    """`overdue 3d`, `overdue 2y`, `today`, or the date; what is done or cancelled is never overdue."""
    if item.due is None or item.status in _CLOSED or item.due > today:
        return item.due or ""
    days = (date.fromisoformat(today) - date.fromisoformat(item.due)).days
    late = f"{days}d" if days < _DAYS_TOLD else f"{days // 365}y"
    return f"overdue {late}" if days else "today"


def title_of(item: Item, glyphs: Glyphs, in_conflict: bool = False) -> Content:
    """What is in conflict says so before its title; the words for it stand in the detail and above the tree."""
    title = Content.styled(inert(clip(item.title, _TITLE_SHOWN)), _title_style(item))
    return Content.assemble((f"{glyphs.unequal} ", "$warning"), title) if in_conflict else title


def _title_style(item: Item) -> str:
    if item.status in _CLOSED:
        return QUIET
    return "bold" if item.kind in HEADINGS else ""


def status_of(item: Item, glyphs: Glyphs) -> Content:
    """What a heading says of itself is quiet while it says nothing but todo: its progress tells more."""
    status = glyphs.work(item.status)
    return Content.styled(status.plain, QUIET) if item.children and item.status == "todo" else status


def progress(item: Item, glyphs: Glyphs, bar: int = 10) -> Words:
    """`███░░░░░░░  27%  4/15` for what has something below it, with a bar of so many cells."""
    if not item.children:
        return ""
    if item.progress is None:
        return Content.styled("all cancelled", QUIET)
    count = (f"  {item.done:,}/{item.leaves:,}", QUIET)
    if not bar:
        return Content.assemble(f"{item.progress}%", count)
    return Content.assemble(glyphs.progress(item.progress, bar), count)


def due_of(item: Item, today: str) -> Content:
    style = QUIET
    if item.status not in _CLOSED:
        style = "$error" if is_overdue(item, today) else "$warning" if item.due == today else ""
    return Content.styled(due_words(item, today), style)


def _branch(branch: str, flags: Mapping[str, str], glyphs: Glyphs) -> Content:
    if branch not in flags:
        return Content(inert(branch))
    return Content.assemble(glyphs.mark(BRANCH_FLAGS, flags[branch]), " ", inert(branch))


# The line above the tree


def summary(outline: Outline) -> Content:
    """`4 of 15 done · 1 overdue · 1 in conflict · 1 blocked · 2 in-progress`."""
    if not outline.seq:
        return Content.styled("reading the rest …" if outline.items else "", QUIET)
    done, leaves = (sum(getattr(item, count) for item in outline.items) for count in ("done", "leaves"))
    counts = dict.fromkeys(STATUSES, 0)
    overdue = 0
    for item in outline.by_id.values():
        counts[item.status] += 1
        overdue += is_overdue(item, outline.today)
    told = [Content.styled(f"{done:,} of {leaves:,} done", QUIET)]
    told += [Content.styled(f"{overdue:,} overdue", "$error")] if overdue else []
    told += [Content.styled(f"{len(outline.conflicts):,} in conflict", "$warning")] if outline.conflicts else []
    shown = [status for status in ("blocked", "review", "in-progress") if counts[status]]
    told += [Content.styled(f"{counts[status]:,} {status}", QUIET) for status in shown]
    return Content.styled(" · ", QUIET).join(told)


# The filter


def searchable(item: Item, today: str, **more: str) -> tuple[str, dict[str, str]]:
    """What `/` finds an item by: its words, and the fields that `owner:codex-3` looks into; case folded.

    `more` are fields that a view adds.
    """
    fields = {
        "id": item.id, "kind": item.kind, "status": item.status, "owner": item.owner or "",
        "priority": item.priority or "", "label": " ".join(item.labels), "branch": item.branch or "",
        "due": due_words(item, today), **more,
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
    """The items that fit and everything above them; below one that fits nothing is lost, only folded.

    What has no `words` fits nothing.
    """
    kept: list[Item] = []
    opened: set[str] = set()
    found = 0
    for item in items:
        below = fitting_items(item.children, terms, words)
        fits = item.id in words and accepts(terms, *words[item.id])
        found += below.found + fits
        if below.found:
            opened |= {item.id, *below.opened}
            kept.append(item._replace(children=below.items))
        elif fits:
            kept.append(item)
    return Fitting(kept, frozenset(opened), found)
