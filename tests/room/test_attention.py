"""What needs the operator: each kind with the command that settles it, most urgent first (DESIGN §6.6)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from relay_tui.actions.attention import attention
from relay_tui.actions.call import parse
from relay_tui.base.times import DAY, HOUR, MINUTE
from relay_tui.cli.texts.attention import attention as told_attention
from relay_tui.repo.facts import GitFacts, Worktree
from relay_tui.room import claims, registry, work_edit
from relay_tui.room.attention import KINDS, read_attention
from relay_tui.room.attention_items import (
    AttentionItem,
    branch_items,
    overlap_items,
    stale_items,
)
from relay_tui.room.branches import BranchAgent, BranchView, RoomFacts, join_branches
from relay_tui.room.held import Claim
from relay_tui.room.lobby import init_room
from relay_tui.room.overlap import Contest, Side
from relay_tui.room.passed import report_passed
from relay_tui.room.persons import Person
from relay_tui.room.settling import Seat
from relay_tui.room.standing import Mismatch, Witness
from tests.repo.git_fixture import add_worktree, isolate_git, put_git_on_path
from tests.room_fixture import STARTED_AT, House

NOW = STARTED_AT
SEAT = Seat("r", {"r": "operator", "other": "ana"})


@pytest.fixture(autouse=True)
def isolated_git(monkeypatch: pytest.MonkeyPatch) -> None:
    isolate_git(monkeypatch)


def found(house: House, branches: tuple[BranchView, ...] = ()) -> list[AttentionItem]:
    return read_attention(house.room, branches).items


def held(holder: str, state: str = "live", resource: str = "x", scope: str = "branch") -> Claim:
    return Claim(scope, resource, holder, state, NOW - DAY, "r", None, NOW - HOUR, state != "live", False, None)


def on_it(name: str, state: str = "live") -> BranchAgent:
    return BranchAgent("r", name, state, "reported")


def row(flag: str, *agents: BranchAgent, claim: Claim | None = None, mismatches: list[Mismatch] | None = None):
    return BranchView(
        "x", flag, ["because"], claim, None, list(agents), mismatches or [], [], *[None] * 8
    )  # fmt: skip


def test_a_question_to_the_operator_is_answered_by_a_reply_and_then_gone(house: House) -> None:
    a = house.join("a")
    asked = registry.report_status(house.room, a, {"status": "waiting"}, ("operator", "Which base?"))
    assert asked.agent.question is not None
    (item,) = found(house)
    question = asked.agent.question.id
    assert item == AttentionItem(
        f"question:{question}", "question", "a", NOW, "Which base?",
        ["relay", "send", "--reply-to", question, "--message", "…", "--as", "operator"],
    )  # fmt: skip
    house.send(house.operator, None, "main", reply_to=question)
    # Answered is not handled: the message that asked is the operator's to acknowledge still.
    assert [one.kind for one in found(house)] == ["mail"]


def test_a_question_to_somebody_else_is_not_the_operators(house: House) -> None:
    a, _ = house.join("a"), house.join("b")
    registry.report_status(house.room, a, {}, ("b", "Which base?"))
    assert found(house) == []


def test_mail_to_the_operator_waits_until_it_is_handled(house: House) -> None:
    a = house.join("a")
    sent = house.send(a, "operator", "The parser is ready.\nPlease look.")
    (item,) = found(house)
    assert (item.kind, item.subject, item.text, item.since) == ("mail", "a", "The parser is ready.", NOW)
    assert item.command == ["relay", "show", sent.id, "--as", "operator"]
    house.poll(house.operator)
    assert [one.command[:3] for one in found(house)] == [["relay", "ack", sent.id]]  # read, and not yet handled
    house.ack(house.operator, sent.id)
    assert found(house) == []


def test_mail_to_anybody_is_of_concern_after_an_hour(house: House) -> None:
    a, b = house.join("a"), house.join("b")
    sent = house.send(a, "b", "one")
    house.clock.advance(HOUR - 1)
    house.send(a, "b", "two")
    assert found(house) == []
    house.clock.advance(1)
    (item,) = found(house)
    assert (item.id, item.kind, item.subject) == ("unhandled:b", "unhandled", "b")
    assert item.text == '"one" from a: not fetched, not handled'
    assert item.command == ["relay", "receipt", sent.id]
    house.poll(b)
    house.clock.advance(2 * HOUR)
    (item,) = found(house)
    assert item.text == '"one" from a and 1 more: fetched 2h ago, not handled'
    house.send(a, house.join("c").name, "for c")
    house.clock.advance(HOUR)
    assert [(one.subject, one.since) for one in found(house)] == [("b", NOW), ("c", NOW + 3 * HOUR)]
    house.ack(b, sent.id, house.send(a, "b", "three").id)
    assert found(house)[0].text == '"two" from a: fetched 3h ago, not handled'


def test_what_left_agents_did_not_handle_is_not_waited_for(house: House) -> None:
    a, b = house.join("a"), house.join("b")
    house.send(a, "b", "x")
    house.clock.advance(2 * HOUR)
    assert len(found(house)) == 1
    registry.leave(house.room, b)
    assert found(house) == []


def test_a_claim_of_somebody_who_is_not_live_is_released_by_force(house: House) -> None:
    a = house.join("a")
    house.claim(a, "src/auth", "machine:gpu")
    assert found(house) == []
    house.clock.advance(DAY)
    items = found(house)
    assert [(item.kind, item.subject, item.since) for item in items] == [
        ("stale_claim", "machine:gpu", NOW), ("stale_claim", "src/auth", NOW),
    ]  # fmt: skip
    assert items[1].text == "held by a, who is quiet, heard from 1d ago"
    assert items[1].command == [
        "relay", "release", "src/auth", "--force", "--reason", "…", "--as", "operator",
    ]  # fmt: skip
    claims.force_release(house.room, house.operator, house.resources("src/auth", "machine:gpu"), "gone")
    # The displaced holder was told, and has an hour to read it.
    assert found(house) == []


def test_the_line_for_a_stale_path_counts_from_where_one_stands(house: House) -> None:
    a = house.join("a")
    house.claim(a, "src/auth/login.py", "README.md", "-odd")
    house.clock.advance(DAY)
    here = house.enter(os.path.join(house.repository, "src"))
    for item in read_attention(here, []).items:
        typed = item.command[2]
        assert (typed, item.subject) in (("auth/login.py", "src/auth/login.py"), ("../README.md", "README.md"),
                                         ("../-odd", "-odd"))  # fmt: skip
        claims.force_release(here, house.operator, house.resources(typed, room=here), "gone")
    assert found(house) == []


def test_a_stale_branch_claim_is_told_once_as_its_branch() -> None:
    assert list(stale_items([(held("a", "quiet"), "x")], SEAT, NOW)) == []
    (item,) = stale_items([(held("a", "left", "gpu", "machine"), "machine:gpu")], SEAT, NOW)
    assert item.id == "stale_claim:machine:gpu"


def test_blocked_work_and_blocked_agents_are_told(house: House) -> None:
    a = house.join("a")
    blocked = work_edit.add_item(house.room, a, {"title": "Tax", "status": "blocked", "owner": "a"}).item.id
    work_edit.add_item(house.room, a, {"title": "fine"})
    registry.report_status(house.room, a, {"status": "blocked", "text": "no access"}, None)
    assert [(item.subject, item.text, item.command[1:4]) for item in found(house)] == [
        (blocked, "Tax (a)", ["work", "show", blocked]),
        ("a", "no access", ["send", "--to", "a"]),
    ]
    work_edit.set_item(house.room, a, blocked, {"status": "todo"})
    registry.report_status(house.room, a, {"status": "working"}, None)
    assert found(house) == []


def test_blocked_is_as_old_as_the_word_and_not_as_the_last_sign(house: House) -> None:
    a = house.join("a")
    item = work_edit.add_item(house.room, a, {"title": "Tax"}).item.id
    house.clock.advance(MINUTE)
    work_edit.set_item(house.room, a, item, {"status": "blocked"})
    registry.report_status(house.room, a, {"status": "blocked", "text": "no access"}, None)
    house.clock.advance(2 * HOUR)
    registry.report_status(house.room, a, {"status": "blocked", "text": "still none"}, None)
    work_edit.set_item(house.room, a, item, {"title": "Taxes"})
    house.send(a, "operator", "a sign")
    assert [one.since for one in found(house) if one.kind == "blocked"] == [NOW + MINUTE, NOW + MINUTE]
    house.assert_whole()


@pytest.mark.parametrize(
    ("view", "command"),
    [
        (row("contested", on_it("a"), on_it("b"), claim=held("a")),
         ["relay", "send", "--to", "b", "--message", "Please leave x.", "--as", "operator"]),
        (row("contested", on_it("q", "quiet"), on_it("b"), claim=held("a")),
         ["relay", "send", "--to", "b", "--message", "Please leave x.", "--as", "operator"]),
        (row("contested", on_it("a"), on_it("b")),
         ["relay", "send", "--to", "a", "--message", "Please leave x.", "--as", "operator"]),
        (row("orphaned", claim=held("a", "left")),
         ["relay", "branch", "release", "x", "--force", "--reason", "…", "--as", "operator"]),
        (row("missing", claim=held("a")),
         ["relay", "branch", "release", "x", "--force", "--reason", "…", "--as", "operator"]),
        (row("missing"), ["relay", "branch", "show", "x"]),
    ],
)  # fmt: skip
def test_a_branch_that_needs_a_decision_names_the_line_that_settles_it(view: BranchView, command: list[str]) -> None:
    (item,) = branch_items([view], SEAT)
    assert (item.id, item.kind, item.subject, item.text) == (f"{view.flag}:x", view.flag, "x", "because")
    assert item.command == command
    assert parse(item.command[1:]) is not None


def test_an_orphan_is_as_old_as_the_silence_of_its_holder() -> None:
    (item,) = branch_items([row("orphaned", claim=held("a", "quiet"))], SEAT)
    assert item.since == NOW - DAY
    (item,) = branch_items([row("missing", claim=held("a"))], SEAT)
    assert item.since == NOW - HOUR


@pytest.mark.parametrize("flag", ["unclaimed", "clear", "quiet"])
def test_other_branches_need_nobody(flag: str) -> None:
    assert list(branch_items([row(flag)], SEAT)) == []


def test_only_a_live_agent_is_asked_to_look_where_it_stands() -> None:
    here = Mismatch("r", "a", "x", "y", True, "a reports x and stands in y")
    gone = here._replace(agent="b", live=False)
    (item,) = branch_items([row("clear", mismatches=[here, gone])], SEAT)
    assert (item.id, item.kind, item.text) == ("wrong_worktree:a", "wrong_worktree", here.text)
    assert item.command[:6] == ["relay", "send", "--to", "a", "--message", f"Please check your worktree: {here.text}."]


def test_an_agent_of_another_room_is_asked_in_its_room() -> None:
    tree = Worktree("/r", "c0", "refs/heads/main", True, False, False, False, None, None, None, False, False)
    said = [Witness(room, "z", "live", "feat/a", "/r") for room in ("r", "other")]
    git = GitFacts("/r/.git", None, [], [tree], [], NOW)
    items = {one.id: one for one in branch_items(join_branches(git, RoomFacts([], said, [], NOW, "r")), SEAT)}
    assert (items["wrong_worktree:z"].subject, items["wrong_worktree:z"].command[-2:]) == ("z", ["--as", "operator"])
    there = items["wrong_worktree:other/z"]
    assert (there.subject, there.text) == ("z of room other", "z of room other reports feat/a and stands in main")
    assert there.command[-4:] == ["--as", "ana", "--room", "other"]
    assert items["missing:feat/a"].text.startswith("git has no such branch; z reports it; z of room other reports it")


def test_an_overlap_is_settled_by_a_message_to_who_does_not_hold_the_claim() -> None:
    held_path = held("b", "left", "x.py", "project")
    a, b, c = (Person("r", name) for name in "abc")
    side = Side("feat/a", "/wt", None, (a,), (), {"x.py"}, {})
    other = Side("feat/b", None, c, (b,), (), (), {"x.py": {"1"}})
    for sides, claim, asked in (
        ([side], held_path, "Please settle with b who goes on with x.py: dirty in 1 tree (wt), claimed by b."),
        ([other, side], held_path, "Please settle with b who goes on with x.py: dirty in 1 tree (wt), changed on"),
        ([side, other], None, "Please settle with b and c who goes on with x.py: dirty in 1 tree (wt), changed on"),
        ([side, side], None, "Please keep one x.py: dirty in 1 tree (wt)."),
    ):
        (item,) = overlap_items([Contest("x.py", sides, claim)], SEAT)
        assert item.command[:4] == ["relay", "send", "--to", "a"]
        assert item.command[5].startswith(asked), item.command
        assert parse(item.command[1:]) is not None


def test_the_most_urgent_comes_first_and_of_one_kind_the_oldest(house: House) -> None:
    a, b = house.join("a"), house.join("b")
    house.claim(a, "old")
    house.send(a, "b", "x")
    work_edit.add_item(house.room, a, {"title": "Tax", "status": "blocked"})
    house.clock.advance(DAY)
    house.send(b, "operator", "first")
    house.clock.advance(MINUTE)
    house.send(b, "operator", "second")
    registry.report_status(house.room, b, {}, ("operator", "Which base?"))
    views = (
        row("clear", mismatches=[Mismatch("r", "b", "x", None, True, "b reports x")]),
        row("missing"), row("orphaned", claim=held("a", "quiet")), row("contested"),
    )  # fmt: skip
    answer = read_attention(house.room, views)
    assert [item.kind for item in answer.items] == [
        "question", "contested", "orphaned", "missing", "mail", "mail", "unhandled", "stale_claim", "blocked",
        "wrong_worktree",
    ]  # fmt: skip
    assert [item.text for item in answer.items if item.kind == "mail"] == ["first", "second"]
    assert answer.counts["mail"] == 2
    assert sum(answer.counts.values()) == len(answer.items)
    assert set(answer.counts) <= set(KINDS)
    assert len({item.id for item in answer.items}) == len(answer.items)
    for item in answer.items:
        assert item.command[0] == "relay"
        assert parse(item.command[1:]) is not None, item.command


def test_ids_stay_the_same_while_the_thing_does(house: House) -> None:
    a = house.join("a")
    house.claim(a, "src")
    house.send(a, "operator", "x")
    house.clock.advance(DAY)
    before = [item.id for item in found(house)]
    house.clock.advance(DAY)
    assert [item.id for item in found(house)] == before != []


def test_the_operator_of_the_room_is_whoever_it_says(house: House) -> None:
    from relay_tui.room.lobby import init_room

    init_room(house.room, operator="ana")
    house.room = house.enter(house.repository)
    house.send(house.join("a"), "ana", "x")
    (item,) = found(house)
    assert item.command[-2:] == ["--as", "ana"]


def test_what_could_not_be_looked_at_is_a_warning_and_the_rest_is_told(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.send(house.join("a"), "operator", "x")
    assert attention(house.room).doubts == []
    put_git_on_path(monkeypatch, os.path.join(tmp_path, "bin"), 'echo "fatal: disk on fire" >&2; exit 128')
    answer = attention(house.room)
    assert [item.kind for item in answer.items] == ["mail"]
    assert answer.doubts == ["branches could not be read: git: disk on fire"]
    assert answer.unknown == ["branches"]
    assert next(told_attention(answer, NOW)) == "1 thing needs you. Branches are unknown: git could not be read."
    house.ack(house.operator, answer.items[0].id.removeprefix("mail:"))
    assert list(told_attention(attention(house.room), NOW)) == [
        "Everything else is settled; branches, worktrees and overlaps could not be checked."
    ]


def test_mail_is_counted_whole_where_only_the_oldest_is_listed(house: House) -> None:
    a = house.join("a")
    registry.report_status(house.room, a, {"status": "waiting"}, ("operator", "Which base?"))
    for number in range(53):
        house.send(a, "operator", f"{number}")
    answer = read_attention(house.room, [])
    assert answer.counts == {"question": 1, "mail": 53} and answer.total == 54
    assert [item.kind for item in answer.items] == ["question", *["mail"] * 49]
    lines = list(told_attention(answer, NOW))
    assert lines[0] == "54 things need you" and lines[-1] == "  and 4 more messages to you: relay inbox"


def test_a_room_outside_of_git_has_no_branches_to_doubt(house: House) -> None:
    from relay_tui.room.lobby import init_room

    folder = os.path.join(house.folder, "plain")
    os.makedirs(folder)
    init_room(house.enter(folder))
    assert attention(house.enter(folder)) == ([], {}, [], [])


def test_a_line_for_another_folders_room_names_it(house: House) -> None:
    house.send(house.join("a"), "operator", "x")
    name = house.enter(house.repository).row.name
    elsewhere = house.enter(house.folder, name)
    (item,) = read_attention(elsewhere, []).items
    assert item.command[-2:] == ["--room", name]


def test_people_read_the_line_that_settles_it_inert(house: House) -> None:
    house.send(house.join("a"), "operator", "\x1b]52;c;x\x07 hello")
    lines = list(told_attention(read_attention(house.room, [row("missing", claim=held("a"))]), NOW))
    assert lines[0] == "2 things need you"
    assert "      relay branch release x --force --reason '…' --as operator" in lines
    assert all(line.isprintable() for line in lines)
    assert next(told_attention(read_attention(house.room, []), NOW)) == "1 thing needs you"


def test_namesakes_who_change_what_another_claims_are_told_apart_by_their_rooms(house: House) -> None:
    c, b = house.join("c"), house.join("b")
    tree = add_worktree(house.repository, f"{house.folder}/wt", "x")
    init_room(house.enter(tree), house.operator, name="side")
    side, here = house.enter(tree), house.room
    registry.join(side, c, registry.Joining())
    house.claim(b, "src")
    changed = {house.resources("src/a.py")[0]: NOW + 1}
    for room in (here, side, side):
        report_passed(room, c, changed)
    assert [(item.id, item.text) for item in found(house)] == [
        ("overlap:c+b", "changed where c works, claimed by b"),
        ("overlap:side/c+b", "changed where c of room side works, claimed by b"),
    ]  # fmt: skip
    asked = found(house)[1].command
    assert asked[:4] == ["relay", "send", "--to", "c"] and asked[-2:] == ["--room", "side"]
    assert asked[5] == "Please settle with b of room repo who goes on with src/a.py."
