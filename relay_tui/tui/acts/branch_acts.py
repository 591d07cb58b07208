"""What a person can do about one branch, the same on every screen that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert
from relay_tui.tui.acts.claim_keys import looker_at
from relay_tui.tui.acts.handoff_acts import HandoffActs

if TYPE_CHECKING:
    from relay_tui.room.branches import BranchView
    from relay_tui.room.held import Claim
    from relay_tui.room.persons import Person
    from relay_tui.tui.app import RelayApp


class BranchActs:
    """Each raises `refused` where it cannot be done, and says what can."""

    def __init__(self, relay: RelayApp) -> None:
        self._relay = relay
        self._looker = looker_at(relay.desk)

    def claim(self, branch: BranchView) -> None:
        """Hold a branch; one that git does not have is claimed as planned."""
        name = inert(branch.branch)
        if branch.claim is not None:
            self._looker.refuse_others(branch.claim)
        planned = branch.flag == "missing"
        title = f"Claim {name}" + (", which git does not have yet" if planned else "")
        self._relay.acts.start("branch claim", {"branch": branch.branch, "new": planned or None}, ("note",), title)

    def plan(self) -> None:
        """Hold a branch that is not there yet."""
        title = "Claim a branch that is not there yet"
        self._relay.acts.start("branch claim", {"new": True}, ("branch", "note"), title)

    def release(self, branch: BranchView) -> None:
        self._looker.refuse_others(_claim_on(branch))
        self._relay.acts.act(self._relay.desk.compose("branch release", branch=branch.branch))

    def free(self, branch: BranchView) -> None:
        """Take it from its holder; the person types its name and a reason."""
        self._looker.refuse_own(_claim_on(branch))
        self._relay.acts.act(self._relay.desk.compose("branch release", branch=branch.branch, force=True))

    def transfer(self, branch: BranchView) -> None:
        """Offer what one holds, or ask its holder for it; it moves when they agree."""
        HandoffActs(self._relay).offer([_claim_on(branch)])

    def show_diff(self, branch: BranchView, default: str | None) -> None:
        from relay_tui.tui.dialogs.diff import DiffScreen

        if branch.head is None:
            raise RelayError("refused", *_no_diff(branch))
        self._relay.push_screen(DiffScreen(self._relay.desk, branch.branch, default))


def _claim_on(branch: BranchView) -> Claim:
    if branch.claim is None:
        raise RelayError("refused", f"Nobody holds {branch.branch}.", "c claims it.")
    return branch.claim


def _no_diff(branch: BranchView) -> tuple[str, str]:
    """Why a branch without a commit has no diff, and what to do."""
    name = branch.branch
    if branch.worktree is not None:
        return f"There is no commit on {name} yet, so it has no diff.", "What is not committed is not shown here."
    if branch.claim is not None and branch.claim.planned:
        return f"{name} is planned and git does not have it yet, so it has no diff.", "It comes with the branch."
    hint = "c plans it." if branch.claim is None else "Only the claim on it is left."
    return f"Git has no branch {name}, so it has no diff.", hint


def people_at(branch: BranchView) -> list[Person]:
    """Whom to write to about it: who is there and should not be, else who holds it, else who is there or says so."""
    holders = [branch.claim.person] if branch.claim else []
    named = [*holders, *(one.person for one in branch.agents), *(one.person for one in branch.mismatches)]
    return [*strangers_on(branch), *named] if branch.flag == "contested" else named


def strangers_on(branch: BranchView) -> list[Person]:
    """Who is on it and does not hold it."""
    holder = branch.claim.person if branch.claim else None
    return [one.person for one in branch.agents if one.person != holder]
