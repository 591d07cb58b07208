"""What a person can do about one branch, the same on every screen that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relay_tui.base.errors import RelayError
from relay_tui.base.text import inert

if TYPE_CHECKING:
    from relay_tui.room.branches import BranchView
    from relay_tui.tui.app import RelayApp


class BranchActs:
    """Each raises `refused` where it cannot be done, and says what can."""

    def __init__(self, relay: RelayApp) -> None:
        self._relay = relay
        self._me = relay.desk.me.name

    def claim(self, branch: BranchView) -> None:
        """Hold a branch; one that git does not have is claimed as planned."""
        name = inert(branch.branch)
        if branch.claim is not None and branch.claim.holder != self._me:
            raise RelayError("refused", f"{branch.claim.holder} holds {name}.", "m asks for it, X frees it.")
        planned = branch.flag == "missing"
        title = f"Claim {name}" + (", which git does not have yet" if planned else "")
        self._relay.acts.start("branch claim", {"branch": branch.branch, "new": planned or None}, ("note",), title)

    def plan(self) -> None:
        """Hold a branch that is not there yet."""
        title = "Claim a branch that is not there yet"
        self._relay.acts.start("branch claim", {"new": True}, ("branch", "note"), title)

    def release(self, branch: BranchView) -> None:
        if self._holder(branch) != self._me:
            whose = f"{self._holder(branch)} holds {inert(branch.branch)}."
            raise RelayError("refused", whose, "m asks for it, X frees it.")
        self._relay.acts.act(self._relay.desk.compose("branch release", branch=branch.branch))

    def free(self, branch: BranchView) -> None:
        """Take it from its holder; the person types its name and a reason."""
        if self._holder(branch) == self._me:
            raise RelayError("refused", "This claim is yours.", "x releases it.")
        self._relay.acts.act(self._relay.desk.compose("branch release", branch=branch.branch, force=True))

    def transfer(self, branch: BranchView) -> None:
        """Offer what one holds to somebody; it stays one's own until they accept."""
        if self._holder(branch) != self._me:
            whose = f"{self._holder(branch)} holds {inert(branch.branch)}."
            raise RelayError("refused", whose, "Only the holder can offer it; m asks for it.")
        offered = {"resources": [f"branch:{branch.branch}"]}
        title = f"Hand over {inert(branch.branch)}"
        self._relay.acts.start("handoff request", offered, ("to", "reason"), title)

    def show_diff(self, branch: BranchView, default: str | None) -> None:
        from relay_tui.tui.dialogs.diff import DiffScreen

        if branch.head is None:
            raise RelayError("refused", *_no_diff(branch))
        self._relay.push_screen(DiffScreen(self._relay.desk, branch.branch, default))

    def _holder(self, branch: BranchView) -> str:
        if branch.claim is None:
            raise RelayError("refused", f"Nobody holds {inert(branch.branch)}.", "c claims it.")
        return branch.claim.holder


def _no_diff(branch: BranchView) -> tuple[str, str]:
    """Why a branch without a commit has no diff, and what to do."""
    name = inert(branch.branch)
    if branch.worktree is not None:
        return f"There is no commit on {name} yet, so it has no diff.", "What is not committed is not shown here."
    if branch.claim is not None and branch.claim.planned:
        return f"{name} is planned and git does not have it yet, so it has no diff.", "It comes with the branch."
    hint = "c plans it." if branch.claim is None else "Only the claim on it is left."
    return f"Git has no branch {name}, so it has no diff.", hint


def whom_to_write(branch: BranchView, me: str) -> str | None:
    """Who is there and should not be, else who holds it, else who is there or says so; never oneself."""
    holder = branch.claim.holder if branch.claim else None
    there = [one.agent for one in branch.agents]
    strangers = [name for name in there if name != holder] if branch.flag == "contested" else []
    named = [*strangers, *([holder] if holder else []), *there, *(one.agent for one in branch.mismatches)]
    return next((name for name in named if name != me), None)
