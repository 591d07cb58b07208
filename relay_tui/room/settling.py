"""The relay line that settles a branch or an overlap. Pure: argvs for a person to look at and run."""

from __future__ import annotations

from relay_tui.base.text import clip, inert, shell_word
from relay_tui.room.persons import Person

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NamedTuple

    from relay_tui.room.branches import BranchView
    from relay_tui.room.held import Claim
    from relay_tui.room.overlap import Contest
else:
    from relay_tui.base.record import NamedTuple


class Seat(NamedTuple):
    """Where the lines are typed, by whom: a room, and who the operator is in each room of the repository."""

    room: str
    operators: Mapping[str, str]

    @property
    def operator(self) -> str:
        return self.operators[self.room]

    def line(self, *words: str, room: str | None = None) -> list[str]:
        """The line as the operator of that room, which it names where it is another one."""
        elsewhere = [] if room in (None, self.room) else ["--room", room]
        return ["relay", *words, "--as", self.operators.get(room or self.room, self.operator), *elsewhere]

    def write_to(self, to: Person, message: str) -> list[str]:
        return self.line("send", "--to", to.name, "--message", clip(message, 200), room=to.room)


def settle_branch(row: BranchView, seat: Seat) -> list[str]:
    """Ask whoever should not be there, free what nobody live holds, else look at it."""
    if row.flag == "contested":
        holder = row.claim.person if row.claim else None
        stranger = next((one.person for one in row.agents if one.state == "live" and one.person != holder), None)
        if stranger:
            return seat.write_to(stranger, f"Please leave {row.branch}.")
    if row.claim and row.flag != "contested":
        return _free(row, row.claim, seat)
    return _settle_missing(row, seat) if row.flag == "missing" else _show(row)


def settle_overlap(contest: Contest, said: str, seat: Seat) -> list[str]:
    """Ask a live agent that does not hold the claim to settle it with whoever does, else with the other side."""
    holder = contest.claim.person if contest.claim else None
    live = [agent for side in contest.sides for agent in side.live]
    to = next((agent for agent in live if agent != holder), holder)
    if to is None:
        return ["relay", "branches", "--details"]
    others = sorted(set[Person]().union(*(side.people for side in contest.sides)) - {to})
    if holder is not None and holder != to:
        others = [holder]
    whom = " and ".join(one.seen_from(to.room) for one in others)
    path = inert(contest.path)
    ask = f"settle with {whom} who goes on with {path}" if whom else f"keep one {path}"
    return seat.write_to(to, f"Please {ask}: {said}.")


def _free(row: BranchView, claim: Claim, seat: Seat) -> list[str]:
    """Free it by force; a live holder of what was renamed is asked to take it under its name of now."""
    if row.renamed is None:
        return seat.line("branch", "release", row.branch, "--force", "--reason", "…")
    if claim.stale:
        return seat.line("branch", "release", row.branch, "--force", "--reason", f"It is called {row.renamed} now.")
    before, now = shell_word(row.branch), shell_word(row.renamed)
    run = f"relay branch release {before} && relay branch claim {now}"
    return seat.write_to(claim.person, f"{before} is called {now} now. Please run: {run}")


def _settle_missing(row: BranchView, seat: Seat) -> list[str]:
    """Whoever speaks of a branch that is not there is asked, or the task is told to forget it."""
    speakers = [agent.person for agent in row.agents if agent.state == "live"]
    speakers += [mismatch.person for mismatch in row.mismatches if mismatch.live]
    if speakers:
        return seat.write_to(speakers[0], f"Git has no branch {inert(row.branch)}. Where do you work?")
    if row.tasks:
        change = ["--branch", row.renamed] if row.renamed else ["--unset", "branch"]
        return seat.line("work", "set", row.tasks[0].id, *change, room=row.tasks[0].room)
    return _show(row)


def _show(row: BranchView) -> list[str]:
    return ["relay", "branch", "show", *(["--"] if row.branch.startswith("-") else []), row.branch]
