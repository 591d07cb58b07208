"""The order of siblings: which changed theirs, and after which one each new or moved item stands."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence, Set
from operator import lt

from relay_tui.roadmap.matching import Matching


def find_reordered(matching: Matching, ids: Sequence[str]) -> list[str]:
    """The fewest items whose move explains the new order among those that stayed under their parent."""
    stayed: dict[int, list[int]] = defaultdict(list)
    for index, parent in enumerate(matching.parents):
        item = matching.items.get(index)
        old_parent = ids[parent] if parent >= 0 else None
        if item and not item.gone and not item.removed and item.seen.parent == old_parent:
            stayed[parent].append(index)
    moved = []
    for siblings in stayed.values():
        places = [matching.items[index].place for index in siblings]
        if all(map(lt, places, places[1:])):
            continue
        keep = longest_rising(places)
        moved += [index for at, index in enumerate(siblings) if at not in keep]
    return [ids[index] for index in sorted(moved)]


def find_places(
    matching: Matching, ids: Sequence[str], placed: Set[str], removed_here: Set[str]
) -> dict[str, str | None]:
    """For each of `placed`, the sibling of the file that it follows.

    What is new below a parent that the room removed stands where that parent stood.
    """
    if not placed:
        return {}
    last_below: dict[int, str] = {}
    after: dict[str, str | None] = {}
    for index, parent in enumerate(matching.parents):
        while index not in matching.items and parent >= 0 and ids[parent] in removed_here:
            parent = matching.parents[parent]
        if ids[index] in placed:
            after[ids[index]] = last_below.get(parent)
        if ids[index] not in removed_here:
            last_below[parent] = ids[index]
    return after


def longest_rising(places: Sequence[int]) -> set[int]:
    """Positions of a longest rising run of places; of several the one that lets an item move down, not up."""
    tails: list[int] = []
    ends: list[int] = []
    following: dict[int, int | None] = {}
    for at in range(len(places) - 1, -1, -1):
        slot = bisect_left(tails, -places[at])
        following[at] = ends[slot - 1] if slot else None
        tails[slot : slot + 1] = [-places[at]]
        ends[slot : slot + 1] = [at]
    kept: set[int] = set()
    step = ends[-1] if ends else None
    while step is not None:
        kept.add(step)
        step = following[step]
    return kept
