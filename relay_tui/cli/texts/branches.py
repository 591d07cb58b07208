"""Texts of the actions on branches."""

from __future__ import annotations

from relay_tui.base.text import counted, inert, inert_block
from relay_tui.base.times import age
from relay_tui.cli.texts import claims
from relay_tui.cli.texts.layout import columns, of_any_moment
from relay_tui.room.overlap import describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from relay_tui.actions.branches import BranchDetail, BranchList
    from relay_tui.room.branches import BranchView

OVERLAPS_SHOWN = 40

branch_claim = claims.claim
branch_release = claims.release


@of_any_moment
def branches(found: BranchList, now: int) -> Iterator[str]:
    yield " · ".join(f"{count} {flag}" for flag, count in found.counts.items() if count) or "No branches yet."
    if not found.branches:
        yield from _why_none(found.counts)
    for row, line in zip(found.branches, columns([_row(row, found.room, now) for row in found.branches]), strict=True):
        yield line
        told = row.reasons[1:] if row.flag in ("clear", "quiet") else row.reasons  # the flag itself says the first
        yield from (f"      {inert(reason)}" for reason in told)
    for overlap in found.overlaps[:OVERLAPS_SHOWN]:
        yield f"{inert(overlap.path)}: {describe(overlap, str, found.room)}"
    if len(found.overlaps) > OVERLAPS_SHOWN:
        yield f"and {len(found.overlaps) - OVERLAPS_SHOWN} more overlaps: --json has them all"


def _why_none(counts: dict[str, int]) -> Iterator[str]:
    """Where others than the quiet ones are there, somebody asked for fewer."""
    if any(count for flag, count in counts.items() if flag != "quiet"):
        yield "None of these is what --flag or --mine asks for; without them they are listed."
    elif counts["quiet"]:
        yield "--all lists the quiet ones."


def branch_show(found: BranchDetail, now: int) -> Iterator[str]:
    row = found.branch
    yield from columns([_row(row, found.room, now)])
    yield from (f"      {inert(reason)}" for reason in row.reasons)
    for task in row.tasks:
        yield f"  {task.seen_from(found.room)} {task.status}  {inert(task.title)}"
    yield counted(len(found.commits), "commit")
    yield from columns(
        [[one.commit[:9], f"{age(one.at, now)} ago", one.author, one.subject] for one in found.commits], "  "
    )
    yield from _files(found)
    if found.patch is not None:
        yield inert_block(found.patch)


def _files(found: BranchDetail) -> Iterator[str]:
    if found.commits and found.branch.ahead_default == 0:  # of the default branch alone the newest are listed
        yield "the default branch: nothing to compare"
        return
    yield counted(len(found.files), "file")
    yield from columns(
        [
            [f"+{file.added}" if file.added is not None else "binary", f"-{file.deleted or 0}", file.path]
            for file in found.files
        ],
        "  ",
    )


def _row(row: BranchView, here: str | None, now: int) -> list[str]:
    holder = f"{row.claim.person.seen_from(here)} ({row.claim.holder_state})" if row.claim else ""
    ahead = "" if row.ahead_default is None else f"+{row.ahead_default} -{row.behind_default}"
    dirty = f"{row.dirty} dirty" if row.dirty else ""
    return [
        row.flag, row.branch, holder, ", ".join(agent.person.seen_from(here) for agent in row.agents),
        row.worktree.path if row.worktree else "", ahead, dirty,
        f"{age(row.committed_at, now)} old" if row.committed_at else "",
    ]  # fmt: skip
