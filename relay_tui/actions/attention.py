"""The action that answers the operator's first question: what needs me?"""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.room.attention import Attention, read_attention
from relay_tui.room.branch_facts import read_room_facts
from relay_tui.room.branches import BranchView, join_branches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from relay_tui.room.rooms import Room


def attention(room: Room) -> Attention:
    """What needs the operator, most urgent first, each with the command that settles it.

    relay attention
    """
    rows, doubts = survey_branches(room)
    return read_attention(room, rows, doubts)


def survey_branches(room: Room) -> tuple[list[BranchView], list[str]]:
    """Rows of the repository's branches. "None" and "could not look" differ: the latter is a warning."""
    from relay_tui.actions.branches import read_facts

    if room.row.repository is None:
        return [], []
    try:
        facts = read_facts(room)
    except RelayError as fault:
        return [], [f"branches could not be read: {fault.message}"]
    return join_branches(facts, read_room_facts(room)), list(facts.warnings)
