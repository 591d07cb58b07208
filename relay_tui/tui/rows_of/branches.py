"""Branches as rows. Pure functions of what was read and the moment; details stand in `branch_detail`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.text import inert
from relay_tui.base.times import age
from relay_tui.tui.widgets.columns import Column
from relay_tui.tui.widgets.content import Words, one_line
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs
from relay_tui.tui.widgets.rows import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import NamedTuple

    from relay_tui.room.branches import BranchView
    from relay_tui.room.standing import Mismatch
else:
    from relay_tui.base.record import NamedTuple


class Stand(NamedTuple):
    """From where a person looks: the folder that paths are seen from, and the room, where there is one, that names
    are."""

    folder: str
    room: str | None


COLUMNS = (
    Column("flag", "flag", width=11),
    Column("branch", "branch", minimum=16),
    Column("holder", "holder", width=10),
    Column("agents", "agents", width=11, drop=3),
    Column("worktree", "worktree", width=14, drop=4),
    Column("tasks", "tasks", width=7, drop=5),
    Column("default", "± main", width=7, number=True, drop=2),
    Column("age", "age", width=4, number=True, drop=1),
)


def columns_against(default: str | None) -> tuple[Column, ...]:
    """The columns, with the default branch's own name over what is counted against it."""
    title = f"± {default}" if default and len(default) <= 5 else "±"
    return tuple(column._replace(title=title) if column.key == "default" else column for column in COLUMNS)


def strays_by_branch(branches: Iterable[BranchView]) -> dict[str, list[Mismatch]]:
    """Agents that are not where they say, at the branch that they report and at the one where they stand."""
    found: dict[str, list[Mismatch]] = {}
    for mismatch in (one for branch in branches for one in branch.mismatches):
        for name in (mismatch.reported, mismatch.observed):
            if name is not None:
                found.setdefault(name, []).append(mismatch)
    return found


def branch_row(branch: BranchView, strays: Sequence[Mismatch], stand: Stand, now: int, glyphs: Glyphs) -> Row:
    """`strays` are the agents that report this branch and stand elsewhere, or stand here and report another."""
    tasks = branch.tasks[0].seen_from(stand.room) if branch.tasks else ""
    more = f" +{len(branch.tasks) - 1}" if len(branch.tasks) > 1 else ""
    cells: tuple[Words, ...] = (
        glyphs.branch(branch.flag), branch.branch, _holder(branch, stand),
        _agents(branch, strays, stand, glyphs), _worktree(branch, stand.folder), tasks + more,
        ahead_and_behind(branch.ahead_default, branch.behind_default),
        age(branch.committed_at, now) if branch.committed_at else "",
    )  # fmt: skip
    return Row(branch.branch, cells, fields={"state": branch.flag})


def ahead_and_behind(ahead: int | None, behind: int | None) -> str:
    """`+2 -1`, `even`; nothing while git was not asked."""
    if ahead is None or behind is None:
        return ""
    parts = [f"+{ahead}" if ahead else "", f"-{behind}" if behind else ""]
    return " ".join(filter(None, parts)) or "even"


def shown_path(path: str, folder: str) -> str:
    """A path as one would type it in `folder`, where that is the shorter way to say it."""
    relative = os.path.relpath(path, folder)
    return relative if len(relative) < len(path) else path


def _holder(branch: BranchView, stand: Stand) -> Content:
    if branch.claim is None:
        return Content("")
    name = one_line(branch.claim.person.seen_from(stand.room))
    return name.stylize(QUIET) if branch.claim.stale else name


def _agents(branch: BranchView, strays: Sequence[Mismatch], stand: Stand, glyphs: Glyphs) -> Content:
    """Who is on it; a name behind `≠` is not where it says."""
    astray = [one.person for one in strays]
    people = list(dict.fromkeys([*(one.person for one in branch.agents), *astray]))
    names = [(one in astray, inert(one.seen_from(stand.room))) for one in people]
    words = [(f"{glyphs.unequal} {name}", "$warning") if is_astray else (name, "") for is_astray, name in names]
    return Content(", ").join([Content.styled(*word) for word in words])


def _worktree(branch: BranchView, folder: str) -> str:
    return shown_path(branch.worktree.path, folder) if branch.worktree else ""
