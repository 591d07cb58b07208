"""Branches: who owns which, what git says of them, and which need somebody. Git is only read, and in threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from textual import on
from textual.app import ComposeResult
from textual.content import Content

from relay_tui.actions.branch_looks import look_around
from relay_tui.actions.branch_numbers import names_at_work, with_numbers
from relay_tui.base.text import inert
from relay_tui.base.times import SECOND, age
from relay_tui.room.held import list_claims
from relay_tui.room.overlap import find_overlaps, sides_of
from relay_tui.room.persons import whom_to_write
from relay_tui.tui.acts.branch_acts import BranchActs, people_at, strangers_on
from relay_tui.tui.desk import line_of
from relay_tui.tui.readings.branch_readings import BranchReadings
from relay_tui.tui.readings.lookout import Looked
from relay_tui.tui.rows_of.branch_detail import Surroundings, branch_detail
from relay_tui.tui.rows_of.branch_overlap import overlap_lines
from relay_tui.tui.rows_of.branch_settling import Settling, settle_by_git
from relay_tui.tui.rows_of.branches import COLUMNS, Stand, branch_row, columns_against, strays_by_branch
from relay_tui.tui.screens.slow_screen import SlowScreen
from relay_tui.tui.widgets.clipboard import copy
from relay_tui.tui.widgets.glyphs import QUIET
from relay_tui.tui.widgets.row_list import RowList
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from relay_tui.actions.branches import BranchList
    from relay_tui.actions.call import Call
    from relay_tui.base.errors import RelayError
    from relay_tui.repo.facts import GitFacts
    from relay_tui.room.branches import BranchView
    from relay_tui.room.held import Claim
    from relay_tui.room.overlap import Overlap
    from relay_tui.room.rooms import Room
    from relay_tui.room.standing import Mismatch

    Facts = tuple[BranchList, GitFacts, list[Claim]]

OLD = 10 * SECOND  # an answer of git's that is older is said to be


@final
class BranchesScreen(SlowScreen):
    NAME = "branches"
    COLUMNS = COLUMNS
    VIEWS = ("in use", "all")
    WORDS = {
        "act.claim": "claim", "act.release": "release", "act.message": "message", "act.decline": "diff",
        "view.cycle": "quiet ones", "act.force": "force", "act.new": "plan one",
    }  # fmt: skip
    EMPTY = "No branch is claimed or worked on.\nf shows the quiet ones, n claims one that is not there yet."
    NO_ROW = ("There is no branch to act on.", "f shows the quiet ones, n plans one.")
    READING = "Reading git …"
    LOOKS = frozenset(("act.decline",))
    APART = 0.3

    found: BranchList | None = None

    def __init__(self) -> None:
        super().__init__()
        self._facts: Facts | None = None
        self._branches: dict[str, BranchView] = {}
        self._strays: dict[str, list[Mismatch]] = {}
        self._overlaps: list[Overlap] = []
        self._drawn: dict[str, tuple[object, Row]] = {}

    @property
    def default(self) -> str | None:
        return self.found.default_branch if self.found else None

    @property
    def _stand(self) -> Stand:
        return Stand(self.desk.room.folder, self.found.room if self.found else None)

    def compose(self) -> ComposeResult:
        self._readings = BranchReadings(self, self.desk, self.relay.is_live)
        yield from super().compose()

    def on_mount(self) -> None:
        self.watch(self.row_list, "scroll_y", self._count, init=False)

    # What is shown

    def read(self, room: Room) -> Facts:
        return *look_around(room), list_claims(room, scope="project").claims if room.exists else []

    def rows_from(self, facts: Facts) -> list[tuple[Row, Any]]:
        self._facts = facts
        self.found, git, claims = facts
        columns = columns_against(self.found.default_branch)
        if columns != self.columns:
            self.set_columns(columns)
        numbers = self._readings
        numbers.know(git)
        counted = [with_numbers(row, numbers.details, numbers.paths) for row in self.found.branches]
        self._branches = {branch.branch: branch for branch in counted}
        self._strays = strays_by_branch(counted)
        self._overlaps = self._find_overlaps(self.found, counted, claims)
        shown = [one for one in counted if self.view or one.flag != "quiet" or one.branch in self._strays]
        return [(self._row_of(one, self.desk.now), one) for one in shown]

    def _row_of(self, branch: BranchView, now: int) -> Row:
        """As it was drawn before where nothing of it has changed: of thousands nearly all stand still."""
        strays = self._strays.get(branch.branch, ())
        looks = branch, strays, age(branch.committed_at, now) if branch.committed_at else ""
        known = self._drawn.get(branch.branch)
        if known is None or known[0] != looks:
            known = looks, branch_row(branch, strays, self._stand, now, self.glyphs)
            self._drawn[branch.branch] = known
        return known[1]

    def _find_overlaps(self, found: BranchList, counted: list[BranchView], claims: list[Claim]) -> list[Overlap]:
        """Among the branches that were counted so far: those that have been seen."""
        changed = self._readings.changed
        at_work = {name: changed[name] for name in names_at_work(counted) if name in changed}
        return find_overlaps(sides_of(counted, found.worktrees, self._readings.paths, at_work), claims)

    def show_facts(self, facts: Any) -> None:
        super().show_facts(facts)
        self.look_closer()
        self._count()

    def on_looked(self, message: Looked) -> None:
        """Textual goes on to the base class's own, unless the answer was for this screen alone."""
        if self._readings.take(message):
            message.stop()
            message.prevent_default()
            if self._facts is not None:
                self.show_facts(self._facts)

    def show_fault(self, fault: RelayError) -> None:
        self._facts = self.found = None
        super().show_fault(fault)

    def git_changed(self) -> None:
        self._readings.doubt()
        self.reload()

    def _count(self) -> None:
        """Have the rows that are seen counted."""
        top, height = self.row_list.scroll_offset.y, self.row_list.size.height
        seen = [self.thing_of(row) for row in self.row_list.rows[top : top + height]]
        self._readings.count([branch for branch in seen if branch is not None])

    @on(RowList.Highlighted)
    def look_closer(self) -> None:
        if self.current is not None:
            self._readings.look_closer(self.current)

    def banner(self) -> Content:
        parts: list[Content | tuple[str, str]] = [self.view_names(), ("     ", "")]
        if self.found is not None:
            old = self.desk.now - self.found.read_at
            said = f"git read {age(self.found.read_at, self.desk.now)} ago"
            parts.append((said, "$warning" if old > OLD else QUIET))
            parts += [("   " + inert(doubt), "$warning") for doubt in self.found.doubts[:1]]
        return Content.assemble(*parts)

    def draw_age(self) -> None:
        super().draw_age()
        if self.query(RowList) and self.found is not None:
            self.draw_banner()  # git may take its time; how old its answer is moves on meanwhile

    def describe(self, row: Row, thing: BranchView, width: int) -> Content:
        closer, stand = self._readings.closer(thing), self._stand
        strays = self._strays.get(thing.branch, [])
        trees = {tree.path for tree in self.found.worktrees if tree.branch == thing.branch} if self.found else set()
        overlaps = overlap_lines(thing.branch, trees, self._overlaps, stand)
        around = Surroundings(
            stand, self.default, strays, line_of(self.call_for(thing)), self._settling(thing), overlaps,
            self._readings.troubles(thing), self._readings.counted_at(thing), closer,
        )  # fmt: skip
        return branch_detail(thing, around, self.desk.now, self.glyphs, width)

    # What the keys do

    def agent_of(self, thing: BranchView) -> str | None:
        return whom_to_write(people_at(thing), self.desk.person)

    def call_for(self, thing: BranchView) -> Call:
        """What would settle it in the room, else what shows it in full."""
        if thing.claim is not None and thing.flag in ("orphaned", "missing"):
            reason = f"It is called {thing.renamed} now." if thing.renamed else "…"
            return self.desk.compose("branch release", branch=thing.branch, force=True, reason=reason)
        if thing.flag == "contested" and (stranger := whom_to_write(strangers_on(thing), self.desk.person)):
            return self.desk.compose("send", to=stranger, message=f"Please leave {thing.branch}.")
        if thing.flag == "unclaimed":
            return self.desk.compose("branch claim", branch=thing.branch)
        return self.desk.compose("branch show", branch=thing.branch)

    def action_copy_line(self) -> None:
        """The git command that would settle the row, where there is one that deletes nothing; else its relay line."""
        settling = self._settling(self.current) if self.current is not None else None
        if settling is not None and not settling.deletes:
            copy(self, settling.line)
        else:
            super().action_copy_line()

    def _settling(self, branch: BranchView) -> Settling | None:
        return settle_by_git(branch, self._branches, self.default, self.desk.now)

    def do_claim(self) -> None:
        self._acts.claim(self._here)

    def do_new(self) -> None:
        self._acts.plan()

    def do_release(self) -> None:
        self._acts.release(self._here)

    def do_force(self) -> None:
        self._acts.free(self._here)

    def do_transfer(self) -> None:
        self._acts.transfer(self._here)

    def do_decline(self) -> None:
        """`d` shows the diff, since nothing is offered here that could be declined."""
        self._acts.show_diff(self._here, self.default)

    @property
    def _acts(self) -> BranchActs:
        return BranchActs(self.relay)

    @property
    def _here(self) -> BranchView:
        branch: BranchView = self.here
        return branch
