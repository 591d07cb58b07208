"""Whether a file that was never imported is a plan that the room knows by a path at which nothing is any more."""

from __future__ import annotations

import os

from relay_tui.actions.plan_files.drafts import draft_import
from relay_tui.actions.plan_files.files import locate_stored
from relay_tui.base.errors import RelayError
from relay_tui.room.imports import list_plans, read_basis

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from relay_tui.actions.plan_files.files import PlanBytes, PlanFile
    from relay_tui.room.imports import StoredPlan
    from relay_tui.room.rooms import Room
else:
    from relay_tui.base.record import NamedTuple


class Moved(NamedTuple):
    """A plan, how many of its `items` stand in the file under their titles or markers, and the first at the top,
    if any."""

    plan: StoredPlan
    found: int
    items: int
    top: str

    @property
    def is_likely(self) -> bool:
        return 2 * self.found > self.items


def find_moved(room: Room, file: PlanFile, read: PlanBytes) -> Moved | None:
    """The plan of which this file holds most items, more than half of them; raises what `read_roadmap` raises."""
    lost = [plan for plan in list_plans(room) if not os.path.lexists(_here(room, file, plan.path))]
    likely = [one for plan in lost if (one := _compare(room, file, read, plan)).is_likely]
    return max(likely, key=lambda one: one.found, default=None)


def refuse_moved(file: PlanFile, moved: Moved) -> None:
    """Raises `refused`: imported as another plan, each of the items would be there twice."""
    another = f" To begin another one, remove its items first: relay work remove {moved.top} --recursive"
    raise RelayError(
        "refused",
        f"There is no {moved.plan.path} any more, and {file.path} holds {moved.found:,} of its {moved.items:,} items.",
        f"Run: relay work import --switch --file {file.word}, and the same plan goes on in this file."
        + (another if moved.top else ""),
        {"file": moved.plan.path, "items": moved.items, "found": moved.found},
    )


def _here(room: Room, file: PlanFile, path: str) -> str:
    """Where the plan would be in the worktree that the file lies in."""
    return os.path.join(file.worktree, path) if file.worktree else locate_stored(room, path).full


def _compare(room: Room, file: PlanFile, read: PlanBytes, plan: StoredPlan) -> Moved:
    basis = read_basis(room, plan.path)
    draft = draft_import(basis, file, read, plan.choices)
    there = [item for item, kept in basis.remembered.items() if not kept.gone and item in basis.items]
    seen = {item: draft.known[item].seen.title for item in there}
    nodes = zip(draft.reading.walk(), draft.plan.ids, strict=True)
    found = sum(item in seen and (node.marker == item or node.title == seen[item]) for node, item in nodes)
    top = next((item for item in there if basis.items[item].parent is None), "")
    return Moved(plan, found, len(there), top)
