"""The action that answers the operator's first question: what needs me?

Two git processes say how branches stand. Overlap costs two more for each branch with a live agent on it, and is
looked for there alone: where nobody live stands, nobody can be asked.
"""

from __future__ import annotations

from relay_tui.actions.branch_numbers import answers_of, faults_of, readable_paths
from relay_tui.base.errors import RelayError
from relay_tui.base.places import HEADS
from relay_tui.room.attention import Attention, read_attention
from relay_tui.room.branches import BranchView, view_worktree
from relay_tui.room.held import list_claims
from relay_tui.room.overlap import Contest, find_contests, sides_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.repo.facts import GitFacts
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple

LOOKED_AT = 16  # branches with a live agent
OVERLAP_DEADLINE = 2.0  # seconds for what is not committed, and as many for the commits


class BranchSurvey(NamedTuple):
    """How the branches stand (None where git could not be read), files that live agents and others have in hand,
    and what git could not say."""

    branches: list[BranchView] | None
    contests: list[Contest]
    doubts: list[str]


def attention(room: Room) -> Attention:
    """What needs the operator, most urgent first. Each has the command that settles it.

    relay attention
    """
    survey = survey_branches(room)
    return read_attention(room, survey.branches, survey.contests, survey.doubts)


def survey_branches(room: Room) -> BranchSurvey:
    """How the repository's branches stand. "None" and "could not look" differ: the latter is a warning."""
    from relay_tui.actions.branches import read_facts, read_rows

    if room.row.repository is None:
        return BranchSurvey([], [], [])
    try:
        facts = read_facts(room)
    except RelayError as fault:
        return BranchSurvey(None, [], [f"branches could not be read: {fault.message}"])
    rows = read_rows(room, facts)
    contests, doubts = _survey_overlap(room, facts, rows)
    return BranchSurvey(rows, contests, [*facts.warnings, *doubts])


def _survey_overlap(room: Room, facts: GitFacts, rows: list[BranchView]) -> tuple[list[Contest], list[str]]:
    """Contests between the branches on which live agents are, and with the claims on paths."""
    live = [row for row in rows if any(agent.state == "live" for agent in row.agents)]
    if not live:
        return [], []
    from relay_tui.repo.details import read_changed, read_dirty

    refs = {HEADS + row.branch: row for row in live[:LOOKED_AT]}
    trees = [tree for tree in facts.worktrees if tree.branch in refs]
    dirty = read_dirty(readable_paths(trees), OVERLAP_DEADLINE)
    changed = read_changed(facts, refs, OVERLAP_DEADLINE)
    paths = {ref.removeprefix(HEADS): found for ref, found in answers_of(changed).items()}
    sides = sides_of(refs.values(), [view_worktree(tree) for tree in trees], answers_of(dirty), paths)
    contests = list(find_contests(sides, list_claims(room, scope="project").claims))
    return contests, _doubts([*faults_of(dirty), *faults_of(changed)], len(live))


def _doubts(faults: list[str], live: int) -> list[str]:
    doubts = [f"overlap could not be looked for everywhere: {faults[0]}"] if faults else []
    if live > LOOKED_AT:
        doubts.append(f"overlap was looked for on {LOOKED_AT} of {live} branches; relay branches --details has all")
    return doubts
