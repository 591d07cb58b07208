"""The join of git's facts with claims, agents and tasks: one row, one flag and true reasons for each branch."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from relay_tui.base.times import DAY
from relay_tui.repo.facts import Branch, BranchDetails, GitFacts, Worktree
from relay_tui.room.branches import FLAGS, BranchTask, BranchView, RoomFacts, TaskView, count_flags, join_branches
from relay_tui.room.held import Claim
from relay_tui.room.settling import Seat, settle_branch
from relay_tui.room.standing import Witness, place_agents

NOW = 100 * DAY
NAMES = ("main", "feat/a", "feat/b", "feat-a", "ünï/日本")
CHECKED = settings(deadline=None, max_examples=100)


def tree(path: str, branch: str | None = None, **facts: Any) -> Worktree:
    said = {"main": False, "bare": False, "unborn": False, "busy": None, "locked": None, "prunable": None,
            "missing": False, "elsewhere": False, **facts}  # fmt: skip
    return Worktree(
        path=path, head="c0", branch=f"refs/heads/{branch}" if branch else None, detached=branch is None, **said
    )


def git_facts(names: Any = ("main",), trees: Any = ()) -> GitFacts:
    branches = [Branch(f"refs/heads/{name}", "c0", NOW - DAY, None) for name in names]
    return GitFacts("/r/.git", "refs/heads/main", branches, list(trees), [], NOW)


def claim(branch: str, holder: str, state: str = "live", *, room: str = "r", planned: bool = False) -> Claim:
    return Claim("branch", branch, holder, state, NOW - DAY, room, None, NOW - DAY, state != "live", planned, None)


def live(name: str, branch: str | None = None, worktree: str | None = None, *, room: str = "r") -> Witness:
    return Witness(room, name, "live", branch, worktree)


def room_facts(claims: Any = (), witnesses: Any = (), tasks: Any = ()) -> RoomFacts:
    return RoomFacts(list(claims), list(witnesses), list(tasks), NOW)


def task(id: str, title: str, branch: str) -> BranchTask:
    return BranchTask(TaskView(id, title, "todo", "r"), branch)


def row_of(branch: str, facts: GitFacts, room: RoomFacts) -> BranchView:
    (row,) = [row for row in join_branches(facts, room) if row.branch == branch]
    return row


@st.composite
def situations(draw: st.DrawFn) -> tuple[GitFacts, RoomFacts]:
    """A repository and what is said of it. A holder's state in its claim is the state it is in."""
    names = st.sampled_from(NAMES)
    trees = [
        tree(
            f"/r/wt{at}", draw(st.none() | names), main=at == 0, missing=draw(st.booleans()),
            elsewhere=draw(st.booleans()), locked=draw(st.sampled_from([None, "", "usb"])),
        )
        for at in range(draw(st.integers(1, 4)))
    ]  # fmt: skip
    places = st.sampled_from([*(one.path for one in trees), "/r/wt1/src", "/elsewhere"])
    agents = [
        Witness(draw(st.sampled_from(["r", "s"])), name, draw(st.sampled_from(["live", "live", "quiet"])),
                draw(st.none() | names), draw(st.none() | places), gone=draw(st.booleans()))
        for name in "abcd"[: draw(st.integers(0, 4))]
    ]  # fmt: skip
    holders = [*((one.room, one.agent, one.state) for one in agents), ("r", "gone", "left")]
    claims = []
    for branch in draw(st.lists(names, unique=True)):
        room, holder, state = draw(st.sampled_from(holders))
        claims.append(claim(branch, holder, state, room=room, planned=draw(st.booleans())))
    titles = draw(st.lists(names, max_size=3))
    tasks = [task(f"W{at}", f"task {at}", branch) for at, branch in enumerate(titles)]
    return git_facts(draw(st.lists(names, unique=True)), trees), room_facts(claims, agents, tasks)


def named_anywhere(facts: GitFacts, room: RoomFacts) -> set[str]:
    heads = {one.ref for one in facts.branches} | {one.branch for one in facts.worktrees if one.branch}
    reported = {one.branch for one in room.witnesses if one.branch}
    return (
        {ref.removeprefix("refs/heads/") for ref in heads}
        | reported
        | ({one.resource for one in room.claims} | {one.branch for one in room.tasks})
    )


@CHECKED
@given(situations())
def test_every_branch_that_is_named_anywhere_has_exactly_one_row(situation):
    facts, room = situation
    rows = join_branches(facts, room)
    assert sorted(row.branch for row in rows) == sorted(named_anywhere(facts, room))
    assert count_flags(rows) == {flag: [row.flag for row in rows].count(flag) for flag in FLAGS}


@CHECKED
@given(situations())
def test_an_agent_counts_on_one_branch_at_most(situation):
    rows = join_branches(*situation)
    counted = [agent.agent for row in rows for agent in row.agents]
    assert len(counted) == len(set(counted))


def fitting(row: BranchView, facts: GitFacts, room: RoomFacts) -> list[str]:
    """Every flag of DESIGN §6.4 that a row's facts allow, in the order in which the first counts."""
    ref = f"refs/heads/{row.branch}"
    trees = [one for one in facts.worktrees if one.branch == ref]
    there = bool(trees) or ref in {one.ref for one in facts.branches}
    rooms = {one.agent: one.room for one in room.witnesses}
    on_it = [agent.agent for agent in row.agents if agent.state == "live"]
    strangers = [name for name in on_it if row.claim and (rooms[name], name) != (row.claim.room, row.claim.holder)]
    reporting = on_it + [mismatch.agent for mismatch in row.mismatches if mismatch.live]
    planned = row.claim is not None and row.claim.planned
    rules = {
        "missing": not there and not planned and bool(row.claim or row.tasks or reporting),
        "contested": len(on_it) > 1 or bool(strangers),
        "orphaned": row.claim is not None and row.claim.holder_state != "live" and not on_it,
        "unclaimed": row.claim is None and bool(on_it or row.tasks or any(not one.main for one in trees)),
        "clear": row.claim is not None and row.claim.holder_state == "live",
        "quiet": True,
    }
    return [flag for flag, fits in rules.items() if fits]


@CHECKED
@given(situations())
def test_the_flag_is_the_first_that_fits(situation):
    for row in join_branches(*situation):
        assert row.flag == fitting(row, *situation)[0]


def flag_said(row: BranchView) -> str:
    """The flag that follows from the reasons' words alone."""
    said = " / ".join(row.reasons)
    if "git has no such branch" in said:
        assert "reports it" in said or "holds a claim on it" in said or "is todo" in said
        return "missing"
    if "live agents are on it" in said or "is live on it, and the claim is" in said:
        return "contested"
    if "nobody live is on it" in said:
        return "orphaned"
    if "holds it and is live" in said:
        return "clear"
    if "no work is on it" in said:
        return "quiet"
    assert "nobody holds a claim on it" in said
    assert "is live on it" in said or "is todo" in said or "checked out in" in said
    return "unclaimed"


@CHECKED
@given(situations())
def test_the_reasons_entail_the_flag(situation):
    for row in join_branches(*situation):
        assert flag_said(row) == row.flag
        assert all(mismatch.text in row.reasons for mismatch in row.mismatches)


@CHECKED
@given(situations(), st.randoms())
def test_rows_come_by_urgency_and_name_whatever_the_order_of_the_facts(situation, random):
    facts, room = situation
    rows = [(FLAGS.index(row.flag), row.branch) for row in join_branches(facts, room)]
    assert rows == sorted(rows)
    shuffled = [random.sample(part, len(part)) for part in (room.claims, room.witnesses, room.tasks, facts.branches)]
    again = join_branches(facts._replace(branches=shuffled[3]), RoomFacts(*shuffled[:3], NOW))
    assert [(FLAGS.index(row.flag), row.branch) for row in again] == rows


def test_urgency_is_contested_orphaned_missing_unclaimed_clear_quiet():
    assert FLAGS == ("contested", "orphaned", "missing", "unclaimed", "clear", "quiet")


def test_two_live_agents_in_one_worktree_contest_its_branch_even_where_one_holds_it():
    facts = git_facts(["feat/a"], [tree("/r/wt", "feat/a")])
    agents = [live("a", "feat/a", "/r/wt"), live("b", None, "/r/wt/src")]
    row = row_of("feat/a", facts, room_facts([claim("feat/a", "a")], agents))
    assert row.flag == "contested"
    assert row.reasons == ["2 live agents are on it: a and b", "b is live on it, and the claim is a's"]
    assert [(one.agent, one.source) for one in row.agents] == [("a", "reported"), ("b", "observed")]


def test_a_quiet_agent_beside_the_holder_contests_nothing():
    agents = [live("a", "feat/a"), live("b", "feat/a")._replace(state="quiet")]
    row = row_of("feat/a", git_facts(["feat/a"]), room_facts([claim("feat/a", "a")], agents))
    assert (row.flag, [one.agent for one in row.agents]) == ("clear", ["a", "b"])


def test_a_holder_is_a_name_in_its_room():
    facts = git_facts(["feat/a"])
    held = [claim("feat/a", "a", room="other")]
    assert row_of("feat/a", facts, room_facts(held, [live("a", "feat/a", room="other")])).flag == "clear"
    assert row_of("feat/a", facts, room_facts(held, [live("a", "feat/a")])).flag == "contested"


def test_a_branch_checked_out_twice_by_force_is_one_row_and_says_so():
    facts = git_facts(["feat/a"], [tree("/r/one", "feat/a", missing=True), tree("/r/two", "feat/a")])
    row = row_of("feat/a", facts, room_facts())
    assert row.worktree is not None
    assert row.worktree.path == "/r/two"  # the one that is there
    assert row.reasons[-1] == "checked out in 2 worktrees at once"


def test_a_detached_tree_is_no_branch_and_its_agent_stands_on_none():
    facts = git_facts(["feat/a"], [tree("/r/loose")])
    rows = join_branches(facts, room_facts((), [live("a", "feat/a", "/r/loose")]))
    assert [(row.branch, row.flag, row.agents) for row in rows] == [("feat/a", "quiet", [])]
    assert rows[0].mismatches[0].text == "a reports feat/a and stands in /r/loose, which is on no branch"


def test_a_tree_in_the_middle_of_a_rebase_counts_as_its_branch():
    facts = git_facts(["feat/a"], [tree("/r/wt", "feat/a", busy="rebase")])
    row = row_of("feat/a", facts, room_facts([claim("feat/a", "a")], [live("a", "feat/a", "/r/wt")]))
    assert (row.flag, [one.source for one in row.agents]) == ("clear", ["reported"])
    assert "worktree /r/wt is busy with a rebase" in row.reasons


def test_a_planned_claim_is_clear_until_its_holder_is_not_live():
    held = claim("feat/new", "a", planned=True)
    spoken = task("W1", "begin", "feat/new")
    row = row_of("feat/new", git_facts(), room_facts([held], (), [spoken]))
    assert (row.flag, row.reasons[-1]) == ("clear", "planned: the branch is not there yet")
    left = claim("feat/new", "a", "left", planned=True)
    assert row_of("feat/new", git_facts(), room_facts([left])).flag == "orphaned"
    there = row_of("feat/new", git_facts(["feat/new"]), room_facts([held]))
    assert "planned: the branch is not there yet" not in there.reasons


def test_an_open_task_or_a_live_report_makes_a_branch_missing_and_a_quiet_report_does_not():
    facts = git_facts(trees=[tree("/r", "main", main=True)])
    spoken = task("W1", "ship it", "feat/gone")
    assert row_of("feat/gone", facts, room_facts((), (), [spoken])).flag == "missing"
    assert row_of("feat/gone", facts, room_facts((), [live("a", "feat/gone")])).flag == "missing"
    moved = row_of("feat/gone", facts, room_facts((), [live("a", "feat/gone", "/r")]))
    assert (moved.flag, moved.reasons[:2]) == ("missing", ["git has no such branch", "a reports it"])
    assert row_of("feat/gone", facts, room_facts((), [live("a", "feat/gone")._replace(state="quiet")])).flag == "quiet"


def test_an_item_of_another_room_is_named_with_it_and_changed_there():
    """Ids count from W1 in each room: the bare one is somebody else's here."""
    facts = git_facts(trees=[tree("/r", "main", main=True)])
    row = row_of("feat/gone", facts, room_facts((), (), [task("W1", "ship it", "feat/gone")])._replace(room="here"))
    assert 'task W1 of room r "ship it" is todo' in row.reasons
    line = settle_branch(row, Seat("here", {"here": "op", "r": "ana"}))
    assert line == ["relay", "work", "set", "W1", "--unset", "branch", "--as", "ana", "--room", "r"]
    assert settle_branch(row, Seat("r", {"r": "ana"}))[-2:] == ["--as", "ana"]


def test_an_unborn_branch_is_there():
    facts = git_facts([], [tree("/r/new", "fresh", unborn=True)])
    row = row_of("fresh", facts, room_facts([claim("fresh", "a")], [live("a", "fresh", "/r/new")]))
    assert (row.flag, row.reasons) == ("clear", ["a holds it and is live", "worktree /r/new has no commit yet"])


def test_the_main_worktree_alone_is_no_work_and_a_linked_one_is():
    facts = git_facts(["main", "feat/a"], [tree("/r", "main", main=True), tree("/r/wt", "feat/a")])
    assert row_of("main", facts, room_facts()).flag == "quiet"
    assert row_of("feat/a", facts, room_facts()).flag == "unclaimed"


def test_a_worktree_that_another_clone_replaced_is_shown_as_elsewhere():
    facts = git_facts(["feat/a"], [tree("/r/wt", "feat/a", elsewhere=True)])
    row = row_of("feat/a", facts, room_facts([claim("feat/a", "a")], [live("a", "feat/a", "/r/wt")]))
    assert (row.flag, row.agents) == ("clear", [])
    assert "worktree /r/wt is now another repository" in row.reasons
    assert row.mismatches[0].observed is None


def test_a_worktree_that_git_could_not_name_for_certain_says_so():
    row = row_of("feat/a", git_facts(["feat/a"], [tree("/r/two", "feat/a", doubtful=True)]), room_facts())
    assert row.worktree is not None and row.worktree.doubtful
    assert "worktree /r/two is doubtful: a git before 2.36 does not say where its path ends" in row.reasons


def test_names_and_paths_are_inert_in_reasons():
    facts = git_facts(["feat/a"], [tree("/r/\x1b[31mwt\n", "feat/a")])
    spoken = task("W1", "\x1b]52;c;x\x07", "feat/a")
    assert all(text.isprintable() for text in row_of("feat/a", facts, room_facts((), (), [spoken])).reasons)


def test_numbers_are_those_of_the_row_and_none_where_nobody_looked():
    facts = git_facts(["feat/a", "main"], [tree("/r/wt", "feat/a")])
    details = {"refs/heads/feat/a": BranchDetails(1, 2, 3, 4, 5, [])}
    rows = {row.branch: row for row in join_branches(facts, room_facts(), details)}
    assert rows["feat/a"][-6:-1] == (1, 2, 3, 4, 5)
    assert rows["main"][-6:-1] == (None,) * 5
    assert rows["feat/a"].worktree is not None
    assert rows["feat/a"].worktree.dirty == 5


def test_an_agent_stands_in_the_deepest_worktree_that_holds_its_folder():
    trees = [tree("/r", "main", main=True), tree("/r/wt", "feat/a"), tree("/r/wt2", "feat/b")]
    standing = place_agents([live("a", None, "/r/wt/src"), live("b", None, "/r/wt3")], trees)
    assert [(place.witness.agent, place.branch) for place in standing.places] == [("a", "feat/a"), ("b", "main")]
