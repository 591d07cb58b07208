"""Branches: who owns which, what git says of them, and which need somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content

from relay_tui.actions.branches import branches
from relay_tui.actions.call import Call
from relay_tui.room.rooms import Room
from relay_tui.tui.form import Value
from relay_tui.tui.rows import Row
from relay_tui.tui.rows_of.branches import COLUMNS, branch_detail, branch_row
from relay_tui.tui.screens.slow_screen import SlowScreen

if TYPE_CHECKING:
    from relay_tui.actions.branches import BranchList
    from relay_tui.room.branches import BranchView


class BranchesScreen(SlowScreen):
    NAME = "branches"
    COLUMNS = COLUMNS
    VIEWS = ("in use", "all")
    WORDS = {"act.claim": "claim", "act.release": "release", "act.message": "message", "view.cycle": "quiet ones"}
    EMPTY = "No branch is claimed or worked on.\nf shows the quiet ones, c claims one."
    READING = "Reading git …"

    def read(self, room: Room) -> BranchList:
        return branches(room, self.desk.me, all_=self.view == 1, details=True)

    def rows_from(self, facts: BranchList) -> list[tuple[Row, Any]]:
        return [(branch_row(branch, self.desk.now, self.glyphs), branch) for branch in facts.branches]

    def describe(self, row: Row, thing: BranchView, width: int) -> Content:
        return branch_detail(thing, self.desk.now, self.glyphs, width)

    def agent_of(self, thing: BranchView) -> str | None:
        if thing.agents:
            return thing.agents[0].agent
        return thing.claim.holder if thing.claim else None

    def call_for(self, thing: BranchView) -> Call:
        return self.desk.compose("branch show", branch=thing.branch)

    def defaults(self, action: str, thing: BranchView | None) -> dict[str, Value]:
        return {"branch": thing.branch} if thing else {}
