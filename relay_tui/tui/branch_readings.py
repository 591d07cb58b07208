"""What git is asked about single branches: numbers for the rows that are seen, and the chosen one in full.

Read in threads, kept while it is young and the branch has not moved. What is shown of it stands elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.timer import Timer

from relay_tui.actions.branches import branch_show, look_at
from relay_tui.base.times import SECOND
from relay_tui.tui.lookout import Looked, Lookout
from relay_tui.tui.rows_of.branch_detail import Closer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.dom import DOMNode

    from relay_tui.actions.branch_numbers import BranchNumbers
    from relay_tui.actions.branches import BranchDetail
    from relay_tui.room.branches import BranchView
    from relay_tui.room.rooms import Room
    from relay_tui.tui.desk import Desk

YOUNG = 5 * SECOND  # an older answer is asked for again when its row is seen
RESTS = 0.15  # seconds that the cursor rests on a row before git is asked about it
COUNTED_APART = 0.3
KEPT = 200  # branches in full


class BranchReadings:
    """One reading of each kind at a time; the node hears `Looked` and hands it to `take`."""

    def __init__(self, node: DOMNode, desk: Desk, is_live: bool) -> None:
        self.details: dict[str, Any] = {}  # by short name, as `with_numbers` takes them
        self.paths: dict[str, list[str]] = {}
        self.changed: dict[str, dict[str, set[str]]] = {}
        self._node = node
        self._desk = desk
        self._rests = RESTS if is_live else 0.0
        self._counter = Lookout(node, desk, self._count, COUNTED_APART if is_live else 0.0)
        self._closer = Lookout(node, desk, self._look_closer)
        self._counted: dict[str, tuple[str | None, int]] = {}
        self._to_count: list[BranchView] = []
        self._closers: dict[str, tuple[str | None, Closer]] = {}
        self._chosen: BranchView | None = None
        self._asked: BranchView | None = None
        self._resting: Timer | None = None

    # Numbers

    def count(self, seen: Sequence[BranchView]) -> None:
        """Have these counted, as far as what is known of them is old: at first those that have moved."""
        due = [branch for branch in seen if branch.head and not self._is_counted(branch)]
        self._to_count = [branch for branch in due if self._counted_head(branch) != branch.head] or due
        if self._to_count:
            self._counter.look()

    def counted_at(self, branch: BranchView) -> int | None:
        """When git was last asked for its numbers."""
        return self._counted[branch.branch][1] if branch.branch in self._counted else None

    def _is_counted(self, branch: BranchView) -> bool:
        head, at = self._counted.get(branch.branch, (None, 0))
        return head == branch.head and self._desk.now - at < YOUNG

    def _counted_head(self, branch: BranchView) -> str | None:
        return self._counted.get(branch.branch, (None, 0))[0]

    def _count(self, room: Room) -> tuple[list[BranchView], BranchNumbers]:
        asked = list(self._to_count)
        return asked, look_at(room, asked)

    def _take_numbers(self, found: tuple[list[BranchView], BranchNumbers] | None) -> None:
        asked, numbers = found or (self._to_count, None)
        for branch in asked:
            self._counted[branch.branch] = (branch.head, self._desk.now)
        if numbers is not None:
            self.details |= numbers.details
            self.paths |= numbers.paths
            self.changed |= numbers.changed

    # One branch

    def closer(self, branch: BranchView) -> Closer | None:
        """What was last read of it; None before the first time."""
        return self._closers.get(branch.branch, (None, None))[1]

    def look_closer(self, branch: BranchView) -> None:
        """Read it in full: at once where the cursor was before, else when it has rested there."""
        is_new = self._chosen is None or self._chosen.branch != branch.branch
        self._chosen = branch
        if self._resting is not None:
            self._resting.stop()
        head, closer = self._closers.get(branch.branch, (None, None))
        if branch.head is None or (closer and head == branch.head and self._desk.now - closer.read_at < YOUNG):
            return
        if self._rests and is_new:
            self._resting = self._node.set_timer(self._rests, self._closer.look)
        else:
            self._closer.look()

    def _look_closer(self, room: Room) -> tuple[BranchDetail, int]:
        self._asked = self._chosen
        assert self._asked is not None
        at = room.clock()
        return branch_show(room, self._asked.branch), at

    def _take_closer(self, message: Looked) -> None:
        branch = self._asked
        if branch is None:
            return
        if len(self._closers) >= KEPT:
            self._closers.clear()
        detail, at = message.found or (None, self._desk.now)
        self._closers[branch.branch] = branch.head, Closer(detail, message.fault.message if message.fault else "", at)

    def take(self, message: Looked) -> bool:
        """Keep an answer that was asked for here; False where it was asked for elsewhere."""
        lookout: Any = message.lookout
        if lookout is self._counter:
            self._take_numbers(message.found)
        elif lookout is self._closer:
            self._take_closer(message)
        else:
            return False
        lookout.ended()
        return True
