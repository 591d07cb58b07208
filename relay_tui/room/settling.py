"""The relay line that settles a branch or an overlap. Pure: argvs for a person to look at and run."""

from __future__ import annotations

from relay_tui.base.text import clip, inert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.branches import BranchView
    from relay_tui.room.overlap import Contest


def settle_branch(row: BranchView, operator: str) -> list[str]:
    """Ask whoever should not be there, free what nobody live holds, else look at it."""
    if row.flag == "contested":
        live = [agent.agent for agent in row.agents if agent.state == "live"]
        stranger = next((name for name in live if not row.claim or name != row.claim.holder), None)
        if stranger:
            return send_line(operator, stranger, f"Please leave {row.branch}.")
    if row.claim and row.flag != "contested":
        return ["relay", "branch", "release", row.branch, "--force", "--reason", "…", "--as", operator]
    return _settle_missing(row, operator) if row.flag == "missing" else _show(row)


def settle_overlap(contest: Contest, said: str, operator: str) -> list[str]:
    """Ask a live agent that does not hold the claim to settle it with whoever does, else with the other side."""
    holder = contest.claim.holder if contest.claim else None
    live = [agent for side in contest.sides for agent in side.live]
    to = next((agent for agent in live if agent != holder), holder or live[0])
    others = sorted(set[str]().union(*(side.people for side in contest.sides)) - {to})
    whom = holder if holder not in (None, to) else " and ".join(others)
    path = inert(contest.path)
    ask = f"settle with {whom} who goes on with {path}" if whom else f"keep one {path}"
    return send_line(operator, to, f"Please {ask}: {said}.")


def send_line(operator: str, to: str, message: str) -> list[str]:
    return ["relay", "send", "--to", to, "--message", clip(message, 200), "--as", operator]


def _settle_missing(row: BranchView, operator: str) -> list[str]:
    """Whoever speaks of a branch that is not there is asked, or the task is told to forget it."""
    speakers = [agent.agent for agent in row.agents if agent.state == "live"]
    speakers += [mismatch.agent for mismatch in row.mismatches if mismatch.live]
    if speakers:
        return send_line(operator, speakers[0], f"Git has no branch {inert(row.branch)}. Where do you work?")
    if row.tasks:
        return ["relay", "work", "set", row.tasks[0].id, "--unset", "branch", "--as", operator]
    return _show(row)


def _show(row: BranchView) -> list[str]:
    return ["relay", "branch", "show", *(["--"] if row.branch.startswith("-") else []), row.branch]
