"""Items that would wait for themselves, also by what stands above and below them: pure (DESIGN §6.5).

An item begins once what it waits for is done and what stands above it has begun; it is done once it has begun and all
below it is done.
"""

from __future__ import annotations

from itertools import groupby, pairwise

from relay_tui.base.errors import RelayError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import NamedTuple
else:
    from relay_tui.base.record import NamedTuple

PART = "What stands below an item is a part of it, and neither waits for the other. Name another item."


class Step(NamedTuple):
    """The beginning of an item, or its end."""

    item: str
    is_end: bool


class Waits:
    """What each item waits for, of those that wait for anything, and what it stands below."""

    def __init__(self, blockers: Mapping[str, Sequence[str]], parents: Mapping[str, str | None]) -> None:
        self._blockers = blockers
        self._parents = parents
        self._children: dict[str | None, list[str]] = {}
        for item, parent in parents.items():
            self._children.setdefault(parent, []).append(item)

    def refuse_circle(self, item: str, blockers: Iterable[str]) -> None:
        """Raises `refused` with the path where the item would wait for itself now that it waits for `blockers`."""
        begins = Step(item, False)
        if way := self._way([Step(blocker, True) for blocker in blockers], begins):
            raise _circle([begins, *way])

    def refuse_below(self, item: str, parent: str) -> None:
        """Raises `refused` with the path where one would wait for the other now that the item stands below it."""
        for start, end in ((Step(parent, False), Step(item, False)), (Step(item, True), Step(parent, True))):
            if way := self._way([start], end):
                raise _circle([end, *way])

    def _way(self, starts: Sequence[Step], end: Step) -> list[Step]:
        """From one of the starts to the end; nothing where none leads there."""
        before: dict[Step, Step | None] = dict.fromkeys(starts)
        waiting = list(before)
        for here in waiting:
            if here == end:
                return _trace(here, before)
            for step in self._needs(here):
                if step not in before:
                    before[step] = here
                    waiting.append(step)
        return []

    def _needs(self, step: Step) -> Iterator[Step]:
        """What has to come before it."""
        item, is_end = step
        if is_end:
            yield Step(item, False)
            yield from (Step(child, True) for child in self._children.get(item, ()))
            return
        yield from (Step(blocker, True) for blocker in self._blockers.get(item, ()))
        if (parent := self._parents.get(item)) is not None:
            yield Step(parent, False)


def _trace(last: Step, before: Mapping[Step, Step | None]) -> list[Step]:
    way: list[Step] = []
    step: Step | None = last
    while step is not None:
        way.append(step)
        step = before[step]
    return way[::-1]


def _circle(way: Sequence[Step]) -> RelayError:
    """The first step is what is new; the way out is to undo a wait that was there."""
    path = [item for item, _ in groupby(step.item for step in way)]
    if len(path) == 1:
        path, way_out = path * 2, "Name another item."
    else:
        waits = (here.item for here, needed in pairwise(way[1:]) if not here.is_end and needed.is_end)
        first = next(waits, None)
        way_out = f"Run: relay work set {first} --unset blocked-by" if first else PART
    return RelayError("refused", f"That closes a circle: {' → '.join(path)}.", way_out, {"cycle": path})
