"""Claims: who holds which path, branch or part of the machine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from textual.content import Content

from relay_tui.actions.call import Call
from relay_tui.actions.claims import claims
from relay_tui.base.errors import RelayError
from relay_tui.base.resources import spell
from relay_tui.room.rooms import Room
from relay_tui.tui.form import Value
from relay_tui.tui.rows import Row
from relay_tui.tui.rows_of.claims import COLUMNS, claim_detail, claim_rows
from relay_tui.tui.screens.room_screen import RoomScreen

if TYPE_CHECKING:
    from relay_tui.room.held import Claim, ClaimList


class ClaimsScreen(RoomScreen):
    NAME = "claims"
    COLUMNS = COLUMNS
    VIEWS = ("all", "project", "branch", "machine")
    WORDS = {
        "act.claim": "claim", "act.release": "release", "act.force": "force", "act.message": "ask",
        "view.cycle": "scope",
    }  # fmt: skip
    EMPTY = 'Nobody holds anything here.\nc claims a path, or type :claim src/auth --note "why"'

    def read(self, room: Room) -> ClaimList:
        return claims(room, scope=self.VIEWS[self.view] if self.view else None)

    def rows_from(self, facts: ClaimList) -> list[tuple[Row, Any]]:
        return claim_rows(facts.claims, self.desk.now, self.glyphs)

    def describe(self, row: Row, thing: Claim, width: int) -> Content:
        return claim_detail(thing, self.desk.now, self.glyphs, width)

    def id_of(self, row: Row, thing: Claim) -> str:
        return spell(thing.scope, thing.resource)

    def agent_of(self, thing: Claim) -> str:
        return thing.holder

    def call_for(self, thing: Claim) -> Call:
        return self.desk.compose("claims", over=typed(self.desk.room, thing))

    def do_claim(self) -> None:
        self.relay.acts.start("claim", {}, ("resources", "note"), "Claim")

    def do_release(self) -> None:
        """Give back what is marked, or this row, where it is the person's own."""
        for claim in self.chosen:
            if claim.holder != self.desk.me.name:
                whose = f"{claim.holder} holds {spell(claim.scope, claim.resource)}."
                raise RelayError("refused", whose, "m asks for it, X releases it by force.")
        self._release(self.chosen)

    def do_force(self) -> None:
        """Release one claim of somebody else's; the person types its name and a reason."""
        chosen = self.chosen
        if len(chosen) > 1:
            raise RelayError("refused", "One claim at a time is released by force.", "Unmark the others with space.")
        if chosen[0].holder == self.desk.me.name:
            raise RelayError("refused", "This claim is yours.", "x releases it.")
        self._release(chosen, force=True)

    def _release(self, chosen: list[Claim], **how: Value) -> None:
        resources = [typed(self.desk.room, claim) for claim in chosen]
        self.relay.acts.act(self.desk.compose("release", resources=resources, **how))  # type: ignore[arg-type]
        self.row_list.clear_marks()


def typed(room: Room, claim: Claim) -> str:
    """A claim's resource as it is typed in the room's folder: paths are relative to where one stands."""
    if claim.scope != "project":
        return spell(claim.scope, claim.resource)
    top = (room.place.worktree if room.place else None) or room.row.root
    path = os.path.relpath(os.path.join(top, claim.resource), room.folder)
    return f"./{path}" if path.startswith(("machine:", "branch:")) else path
