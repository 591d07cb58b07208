"""What git is asked about single branches: numbers for the rows that are seen, and the chosen one in full.

Read in threads, kept while it is young and nothing that it depends on has moved; what has moved comes first. What
is not committed is read apart, so that a slow worktree hides no distance. What is shown of it stands elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.timer import Timer

from relay_tui.actions.branch_looks import look_at, look_closer, look_for_uncommitted
from relay_tui.actions.branch_numbers import readable_paths
from relay_tui.actions.branches import branch_names
from relay_tui.base.times import SECOND
from relay_tui.tui.readings.lookout import Looked, Lookout
from relay_tui.tui.rows_of.branch_detail import Closer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.dom import DOMNode

    from relay_tui.actions.branch_numbers import BranchNumbers, Uncommitted
    from relay_tui.actions.branches import BranchDetail
    from relay_tui.repo.facts import BranchDetails, GitFacts
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
        self.details: dict[str, BranchDetails] = {}  # by short name, as `with_numbers` takes them
        self.paths: dict[str, list[str]] = {}
        self.changed: dict[str, dict[str, set[str]]] = {}
        self._node = node
        self._desk = desk
        self._rests = RESTS if is_live else 0.0
        apart = COUNTED_APART if is_live else 0.0
        self._counter = Lookout(node, desk, self._count, apart, self._ask_for_numbers)
        self._dirty_counter = Lookout(node, desk, self._count_dirty, apart, self._ask_for_uncommitted)
        self._closer = Lookout(node, desk, self._look_closer, ask=lambda: (self._chosen,))
        self._counted: dict[str, tuple[object, int]] = {}
        self._doubted: set[str] = set()
        self._to_count: list[BranchView] = []
        self._to_look_into: dict[str, BranchView] = {}
        self._dirty: dict[str, int | None] = {}
        self._uncounted: dict[str, str] = {}  # why, by short name; what was counted before is old
        self._unread: dict[str, list[str]] = {}
        self._git: GitFacts | None = None
        self._against: str | None = None
        self._closers: dict[str, tuple[str | None, Closer]] = {}
        self._chosen: BranchView | None = None
        self._resting: Timer | None = None

    # Numbers

    def know(self, facts: GitFacts) -> None:
        """What git said last, which every question starts from.

        What was read of branches and folders that are gone since is forgotten.
        """
        self._git, self._against = facts, facts.default_head
        known, readable = branch_names(facts), set(readable_paths(facts.worktrees))
        for counted in (self.details, self.changed, self._counted, self._dirty, self._uncounted, self._unread):
            for name in counted.keys() - known:
                del counted[name]
        self.paths = {path: files for path, files in self.paths.items() if path in readable}

    def count(self, seen: Sequence[BranchView]) -> None:
        """Have these counted, as far as what is known of them is old: at first those that have moved."""
        due = [branch for branch in seen if _has_numbers(branch) and not self._is_counted(branch)]
        self._to_count = [branch for branch in due if self._counted_facts(branch) != self._facts(branch)] or due
        self._to_look_into |= {branch.branch: branch for branch in self._to_count}
        if self._to_count:
            self._counter.look()
            self._dirty_counter.look()

    def doubt(self) -> None:
        """Something of git's has moved, an upstream perhaps: what is seen is counted again."""
        self._doubted |= self._counted.keys()

    def troubles(self, branch: BranchView) -> list[str]:
        """Why numbers of it are missing that git should have."""
        name = branch.branch
        if name in self._uncounted:
            counted = [self._uncounted[name]]
        else:
            counted = self.details[name].trouble if name in self.details else []
        return list(dict.fromkeys([*counted, *self._unread.get(name, [])]))

    def counted_at(self, branch: BranchView) -> int | None:
        """When its numbers were read last; None where git could not be asked for them."""
        known = self._counted.get(branch.branch)
        return known[1] if known and branch.branch not in self._uncounted else None

    def _is_counted(self, branch: BranchView) -> bool:
        known, at = self._counted.get(branch.branch, (None, 0))
        is_young = self._desk.now - at < YOUNG and branch.branch not in self._doubted
        return is_young and known == self._facts(branch)

    def _counted_facts(self, branch: BranchView) -> object:
        return self._counted.get(branch.branch, (None, 0))[0]

    def _facts(self, branch: BranchView) -> object:
        """What the numbers depend on, as far as it is known without them."""
        tree = branch.worktree._replace(dirty=None) if branch.worktree else None
        return branch.head, branch.upstream, self._against, tree

    def _ask_for_numbers(self) -> tuple[list[tuple[BranchView, object]]]:
        return ([(branch, self._facts(branch)) for branch in self._to_count],)

    def _count(self, _: Room, asked: list[tuple[BranchView, object]]) -> BranchNumbers:
        return look_at(self._known_git, [branch for branch, _ in asked])

    def _ask_for_uncommitted(self) -> tuple[list[BranchView]]:
        asked, self._to_look_into = list(self._to_look_into.values()), {}
        return (asked,)

    def _count_dirty(self, _: Room, asked: list[BranchView]) -> Uncommitted:
        return look_for_uncommitted(self._known_git, asked)

    @property
    def _known_git(self) -> GitFacts:
        assert self._git is not None  # a row is there to be asked about, and it was made of them
        return self._git

    def _take_numbers(self, message: Looked) -> None:
        """What failed is not asked for again at once either, and says so."""
        for branch, facts in message.asked[0]:
            name = branch.branch
            self._counted[name] = (facts, self._desk.now)
            self._doubted.discard(name)
            self._uncounted.pop(name, None)
            if message.fault is not None:
                self._uncounted[name] = message.fault.message
            else:
                self.changed.pop(name, None)
        if message.found is not None:
            numbers: BranchNumbers = message.found
            self.details |= {
                name: counted._replace(dirty=self._dirty.get(name)) for name, counted in numbers.details.items()
            }
            self.changed |= numbers.changed

    def _take_uncommitted(self, message: Looked) -> None:
        if message.fault is not None:
            self._unread |= {branch.branch: [message.fault.message] for branch in message.asked[0]}
            return
        found: Uncommitted = message.found
        for path in found.unread:
            self.paths.pop(path, None)
        self.paths |= found.paths
        self._dirty |= found.counts
        self._unread |= found.troubles
        for name in found.counts.keys() & self.details.keys():
            self.details[name] = self.details[name]._replace(dirty=found.counts[name])

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

    def _look_closer(self, room: Room, branch: BranchView) -> tuple[BranchDetail, int]:
        at = room.clock()
        return look_closer(self._known_git, branch), at

    def _take_closer(self, message: Looked) -> None:
        (branch,) = message.asked
        if len(self._closers) >= KEPT:
            self._closers.clear()
        detail, at = message.found or (None, self._desk.now)
        self._closers[branch.branch] = branch.head, Closer(detail, message.fault.message if message.fault else "", at)

    def take(self, message: Looked) -> bool:
        """Keep an answer that was asked for here; False where it was asked for elsewhere."""
        lookout: Any = message.lookout
        if lookout is self._counter:
            self._take_numbers(message)
        elif lookout is self._dirty_counter:
            self._take_uncommitted(message)
        elif lookout is self._closer:
            self._take_closer(message)
        else:
            return False
        lookout.ended()
        return True


def _has_numbers(branch: BranchView) -> bool:
    return branch.head is not None or (branch.worktree is not None and branch.worktree.unborn)
