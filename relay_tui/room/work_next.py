"""What can be taken up next: open items that nothing and nobody stands in the way of, and why the others are not.

Pure functions of the tree, of how agents are, and of who asks.
"""

from __future__ import annotations

from relay_tui.room.agents import read_agents
from relay_tui.room.work import Item, build_tree, flatten, read_items, read_sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import NamedTuple

    from relay_tui.room.ledger import Actor
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

CLOSED = ("done", "cancelled")
HEADINGS = ("roadmap", "phase", "epic")
# What has no priority is ordinary: before what is said to be low.
_RANKS = {"high": 0, "1": 0, "med": 1, "2": 1, None: 2, "low": 3, "3": 3, "4": 4}
_NO_DATE = "~"  # sorts behind every date


class Excluded(NamedTuple):
    """An open item that is not next, and every reason."""

    id: str
    title: str
    reasons: list[str]


class NextItems(NamedTuple):
    """`more` is how many further items could be taken up."""

    items: list[Item]
    excluded: list[Excluded]
    more: int = 0


def read_next(room: Room, me: Actor | None, limit: int) -> NextItems:
    """The first `limit` items that `me` could take up."""
    with room.reading() as db:
        tree = build_tree(read_items(db, room.row.key), read_sources(db, room.row.key))
        agents = read_agents(db, room.row.key, room.clock(), room.settings)
    found = choose_next(tree, {known.row.name: known.state for known in agents}, me.name if me else None)
    return found._replace(items=found.items[:limit], more=max(len(found.items) - limit, 0))


def choose_next(tree: Sequence[Item], states: Mapping[str, str], me: str | None) -> NextItems:
    """Open items without a reason against them, by priority, due date and place; the others with theirs.

    `states` are the agents' states by name. What only waits for items below it stands last among the others.
    """
    every = flatten(tree)
    by_id = {item.id: item for item in every}
    below = _count_open_below(every)
    items: list[Item] = []
    excluded: list[Excluded] = []
    for item in filter(is_open, every):
        reasons = [
            *_own_reasons(item, by_id), *_reasons_above(item, by_id), *_owner_reasons(item, states, me),
            *_reasons_below(below[item.id]),
        ]  # fmt: skip
        if reasons:
            excluded.append(Excluded(item.id, item.title, reasons))
        else:
            items.append(item._replace(children=[]))
    items.sort(key=lambda item: (_RANKS.get(item.priority, 2), item.due or _NO_DATE))
    excluded.sort(key=lambda one: below[one.id] > 0)
    return NextItems(items, excluded)


def is_open(item: Item) -> bool:
    """Whether something is left to do. Nobody ticks a heading: it is done with the last item below it."""
    if item.status in CLOSED:
        return False
    return item.kind not in HEADINGS or not item.children or item.done < item.leaves


def _own_reasons(item: Item, by_id: Mapping[str, Item]) -> Iterator[str]:
    if item.status == "blocked":
        yield "its status is blocked"
    if item.status == "review":
        yield "it is in review"
    for blocker in _open_blockers(item, by_id):
        yield f"waits for {blocker.id}, which is {blocker.status}"


def _reasons_above(item: Item, by_id: Mapping[str, Item]) -> Iterator[str]:
    """What holds up a whole part of the plan, unless it is this item or stands above it itself."""
    line = [item, *_above(item, by_id)]
    for above in line[1:]:
        if above.status in ("blocked", "cancelled"):
            yield f"{above.id} above is {above.status}"
        for blocker in _open_blockers(above, by_id):
            if blocker not in line:
                yield f"{above.id} above waits for {blocker.id}, which is {blocker.status}"


def _owner_reasons(item: Item, states: Mapping[str, str], me: str | None) -> Iterator[str]:
    if item.owner is not None and item.owner != me and states.get(item.owner) == "live":
        yield f"{item.owner} has it and is live"


def _reasons_below(count: int) -> Iterator[str]:
    if count:
        yield "1 open item below" if count == 1 else f"{count:,} open items below"


def _above(item: Item, by_id: Mapping[str, Item]) -> Iterator[Item]:
    above = by_id.get(item.parent or "")
    while above is not None:
        yield above
        above = by_id.get(above.parent or "")


def _open_blockers(item: Item, by_id: Mapping[str, Item]) -> list[Item]:
    """Removed ones are not there and hold nobody up."""
    return [by_id[one] for one in item.blocked_by if one in by_id and is_open(by_id[one])]


def _count_open_below(every: Sequence[Item]) -> dict[str, int]:
    """How many open items stand below each, however deep."""
    counts = {item.id: 0 for item in every}
    for item in reversed(every):
        for child in item.children:
            counts[item.id] += counts[child.id] + is_open(child)
    return counts
