"""One branch in full, as content. Pure functions of what was read and the moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from relay_tui.base.places import HEADS
from relay_tui.base.text import counted, inert
from relay_tui.base.times import age, heard_from
from relay_tui.room.branch_reasons import told_of_worktree
from relay_tui.room.oddities import worktree_oddities
from relay_tui.tui.rows_of.branches import ahead_and_behind, shown_path
from relay_tui.tui.widgets.content import Words, facts, first_lines, lines, one_line
from relay_tui.tui.widgets.glyphs import QUIET, Glyphs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NamedTuple

    from relay_tui.actions.branches import BranchDetail
    from relay_tui.repo.facts import Commit, FileChange
    from relay_tui.room.branches import BranchView, WorktreeView
    from relay_tui.room.held import Claim
    from relay_tui.room.standing import Mismatch
    from relay_tui.tui.rows_of.branch_settling import Settling
    from relay_tui.tui.rows_of.branches import Stand
else:
    from relay_tui.base.record import NamedTuple

COMMITS_SHOWN = 12
FILES_SHOWN = 40


class Closer(NamedTuple):
    """What git said of one branch alone, and when; `fault` is why it said nothing."""

    found: BranchDetail | None
    fault: str
    read_at: int


class Surroundings(NamedTuple):
    """What the detail says besides the branch: where the person stands, agents that are not where they say,
    the relay line and the git command that would settle it, what git could not say, and what else was read."""

    stand: Stand
    default: str | None
    strays: Sequence[Mismatch]
    line: str
    settling: Settling | None
    overlaps: Sequence[str]
    troubles: Sequence[str]
    counted_at: int | None
    closer: Closer | None


def branch_detail(branch: BranchView, around: Surroundings, now: int, glyphs: Glyphs, width: int = 0) -> Content:
    """Why the branch has its flag, everybody and everything on it, and what is on it."""
    title = Content.assemble(glyphs.branch(branch.flag), "   ", (inert(branch.branch), "bold"))
    parts: list[Words] = [title, "", *_reasons(branch)]
    parts += [Content.styled(f"{glyphs.unequal} {one.text}", "$warning") for one in around.strays]
    parts += [Content.styled(inert(one), "$warning") for one in around.troubles]
    parts += ["", facts(_facts(branch, around, now, glyphs), width)]
    parts += ["", *_to_copy(around.line, around.settling, width)]
    return lines([*parts, "", *_closer_lines(branch, around, now)])


def _reasons(branch: BranchView) -> list[Words]:
    """The reasons that have no line of their own below."""
    told = {one.text for one in branch.mismatches} | (told_of_worktree(branch.worktree) if branch.worktree else set())
    return [reason for reason in branch.reasons if reason not in told]


def _facts(branch: BranchView, around: Surroundings, now: int, glyphs: Glyphs) -> list[tuple[str, Words]]:
    agents = [
        Content.assemble(
            glyphs.agent(one.state),
            "  ",
            inert(one.person.seen_from(around.stand.room)),
            (f"  {one.source}", QUIET),
        )
        for one in branch.agents
    ]
    tasks = [
        Content.assemble(glyphs.work(one.status), "  ", one.seen_from(around.stand.room), "  ", inert(one.title))
        for one in branch.tasks
    ]
    pairs: list[tuple[str, Words | None]] = [
        ("claim", _claim(branch.claim, around.stand.room, now, glyphs) if branch.claim else "nobody's"),
        ("note", f'"{branch.claim.note}"' if branch.claim and branch.claim.note else None),
        ("agents", lines(agents) if agents else None),
        ("worktree", _worktree(branch.worktree, around.stand.folder) if branch.worktree else None),
        ("tasks", lines(tasks) if tasks else None),
        (f"± {inert(around.default or '')}", _distance(branch.ahead_default, branch.behind_default)),
        ("upstream", _upstream(branch)),
        ("counted", f"git, {age(around.counted_at, now)} ago" if around.counted_at is not None else None),
        ("commit", _commit(branch, now)),
        ("overlap", Content.styled("\n".join(around.overlaps), "$warning") if around.overlaps else None),
    ]
    return [(label, value) for label, value in pairs if value]


def _claim(claim: Claim, here: str | None, now: int, glyphs: Glyphs) -> Content:
    heard = heard_from(claim.holder_last_seen, now)
    told = f"  {heard}, held {age(claim.claimed_at, now)}" + (", planned" if claim.planned else "")
    holder = inert(claim.person.seen_from(here))
    return Content.assemble(glyphs.agent(claim.holder_state), "  ", holder, (told, QUIET))


def _worktree(tree: WorktreeView, folder: str) -> Content:
    """The path, what is not committed, and everything that is odd about it."""
    dirty = {None: "", 0: "clean"}.get(tree.dirty, f"{tree.dirty} not committed")
    odd = ", ".join(oddity.removeprefix("is ") for oddity in worktree_oddities(tree))
    return Content.assemble(
        inert(shown_path(tree.path, folder)), (f"  {dirty}" if dirty else "", QUIET),
        (f"  {odd}" if odd else "", "$warning"),
    )  # fmt: skip


def _distance(ahead: int | None, behind: int | None) -> str | None:
    if ahead is None or behind is None:
        return None
    return f"{ahead:,} ahead, {behind:,} behind" if ahead or behind else "even"


def _upstream(branch: BranchView) -> str | None:
    if branch.upstream is None:
        return None
    name = branch.upstream.removeprefix("refs/remotes/").removeprefix(HEADS)
    distance = ahead_and_behind(branch.ahead_upstream, branch.behind_upstream)
    return f"{name}  {distance}".rstrip()


def _commit(branch: BranchView, now: int) -> Content | None:
    if branch.head is None:
        return None
    since = f"  {age(branch.committed_at, now)} ago" if branch.committed_at else ""
    return Content.assemble(branch.head[:9], (since, QUIET))


def _to_copy(line: str, settling: Settling | None, width: int) -> list[Words]:
    """The lines that could settle it; the one that `Y` copies is marked so."""
    if settling is None:
        return [facts([("Y copies", line)], width)]
    told = f"{settling.effect}; relay never runs it"
    git = Content.assemble(settling.line, (f"\n{told}", QUIET))
    copied, other = (line, git) if settling.deletes else (git, line)
    return [facts([("git" if settling.deletes else "relay", other), ("Y copies", copied)], width)]


def _closer_lines(branch: BranchView, around: Surroundings, now: int) -> list[Words]:
    """Commits and files, with the age of the answer."""
    closer = around.closer
    if branch.head is None:
        return []
    if closer is None:
        return [Content.styled("commits and files: reading git …", QUIET)]
    read = (f"   git, {age(closer.read_at, now)} ago", QUIET)
    if closer.found is None:
        return [Content.assemble((f"commits and files: {inert(closer.fault)}", "$warning"), read)]
    found = closer.found
    parts: list[Words] = [Content.assemble((_commits_title(branch, found, around.default), "bold"), read)]
    parts += [Content.styled(inert(doubt), "$warning") for doubt in found.doubts]
    parts += first_lines(found.commits, COMMITS_SHOWN, lambda one: _commit_line(one, now))
    return [*parts, *_files(found)]


def _commit_line(commit: Commit, now: int) -> Content:
    since = f"  {age(commit.at, now):>4}  "
    return Content.assemble((commit.commit[:9], "$accent"), (since, QUIET), one_line(commit.subject))


def _commits_title(branch: BranchView, found: BranchDetail, default: str | None) -> str:
    count = len(found.commits)
    if default is None or default == branch.branch:
        return "the newest commit" if count == 1 else f"the newest {count} commits"
    return f"{counted(count, 'commit')} that {inert(default)} lacks"


def _files(found: BranchDetail) -> list[Words]:
    files = found.files
    if not files:
        return []
    added, deleted = sum(one.added or 0 for one in files), sum(one.deleted or 0 for one in files)
    title = (counted(len(files), "file"), "bold"), f"   +{added:,} -{deleted:,}", ("   d shows the diff", QUIET)
    return ["", Content.assemble(*title), *first_lines(files, FILES_SHOWN, _file_line)]


def _file_line(file: FileChange) -> Content:
    counts = f"+{file.added} -{file.deleted}" if file.added is not None else "binary"
    return Content.assemble((f"{counts:>10}  ", QUIET), one_line(file.path))
