"""Looking back: a room as it was, whatever came after, and with whatever of it lies in archives."""

from __future__ import annotations

import os
from typing import Any

import pytest

from relay_tui.actions.call import parse
from relay_tui.actions.perform import perform
from relay_tui.base.times import DAY, HOUR, MINUTE, local_date
from relay_tui.room import claims, handoffs, registry, sweeps
from relay_tui.room.archives import archive_events, attach_archive
from relay_tui.room.ledger import Actor
from relay_tui.room.past import as_it_was
from relay_tui.room.schema import PROJECTIONS
from relay_tui.room.work_edit import add_item, set_item
from tests.room_fixture import House, refusal

Tables = dict[str, list[tuple[Any, ...]]]


def tables(room: Any) -> Tables:
    with room.store.reading() as db:
        return {
            name: db.execute(f"SELECT * FROM {name} ORDER BY {order}").fetchall() for name, order in PROJECTIONS.items()
        }


def then(house: House, moment: int) -> Tables:
    with as_it_was(house.room, moment) as past:
        return tables(past)


def live(house: House) -> dict[int, Tables]:
    """A few days of two agents; every table as it stood at the end of each hour of them."""
    a, b = house.join("a", branch="feat/a"), house.join("b")
    first = house.send(a, "b", "first")
    steps = [
        lambda: house.claim(a, "src", "machine:gpu", "branch:feat/a"),
        lambda: house.poll(b),
        lambda: add_item(house.room, a, {"title": "Rotate", "kind": "task", "branch": "feat/a"}, ()),
        lambda: house.ack(b, first.id),
        lambda: handoffs.request(house.room, a, house.resources("src"), "b", "done"),
        lambda: registry.report_status(house.room, a, {"status": "waiting"}, ("b", "Which base?")),
        lambda: handoffs.respond(house.room, b, "H0000001", accept=True, only=[], reason=None),
        lambda: set_item(house.room, b, "W1", {"status": "done"}, ()),
        lambda: house.send(b, "*all", "merged"),
        lambda: claims.give_back_all(house.room, a, None),
        lambda: sweeps.retire(house.room, house.operator, "a", relinquish=False, reason=None),
    ]
    seen = {}
    for step in steps:
        house.clock.advance(HOUR)
        step()
        seen[house.clock.now] = tables(house.room)
    house.clock.advance(HOUR)
    return seen


def test_every_hour_is_as_it_was_also_behind_two_archives_and_after_them(house: House) -> None:
    seen = live(house)
    hours = list(seen)
    events = house.rows("SELECT * FROM events ORDER BY seq")
    assert [then(house, hour) for hour in hours] == list(seen.values())

    first = archive_events(house.room, house.operator, hours[3])
    house.assert_whole()
    house.clock.advance(HOUR)
    second = archive_events(house.room, house.operator, hours[-2] + MINUTE)
    house.assert_whole()
    assert tables(house.room) == seen[hours[-1]], "nothing but the log is shorter"
    assert [then(house, hour) for hour in hours] == list(seen.values())

    for done in (second, first):
        attach_archive(house.room, house.operator, done.file or "")
        house.assert_whole()
    assert house.rows("SELECT * FROM events ORDER BY seq")[: len(events)] == events
    assert house.rows("SELECT count(*) FROM base") == [(0,)]
    assert [then(house, hour) for hour in hours] == list(seen.values())


@pytest.fixture(scope="module")
def past_house(tmp_path_factory: pytest.TempPathFactory, repository: str) -> House:
    house = House(str(tmp_path_factory.mktemp("past")), repository=repository)
    live(house)
    return house


def asked(house: House, line: str, me: str | None = None) -> Any:
    call = parse(line.split("|"))
    assert call is not None
    return perform(call, house.room, Actor(me) if me else None)


def test_states_are_those_that_the_ledger_can_tell(past_house: House) -> None:
    found = asked(past_house, "agents|--at|10h ago").found
    assert [(one.agent, one.state, one.claims) for one in found.agents] == [
        ("a", "quiet", 3), ("b", "live", 0), ("operator", "quiet", 0),
    ]  # fmt: skip
    assert [one.observed_branch for one in found.agents] == [None] * 3
    assert asked(past_house, "agents|--at|10h ago|--state|retired").found.agents == []


def test_claims_are_those_of_then_with_the_filters_of_now(past_house: House) -> None:
    resources = [one.resource for one in asked(past_house, "claims|--at|6h ago|--scope|project").found.claims]
    assert resources == ["src"]
    assert [one.holder for one in asked(past_house, "claims|--at|4h ago|--over|src/x").found.claims] == ["b"]
    assert refusal(asked, past_house, "claims|--at|4h ago|--holder|nobody").code == "unknown_agent"


def test_branches_are_told_without_git(past_house: House) -> None:
    answer = asked(past_house, "branches|--at|10h ago")
    (row,) = answer.found.branches
    assert (row.branch, row.flag, row.claim.holder, row.head, row.worktree) == ("feat/a", "orphaned", "a", None, None)
    assert answer.found.counts["missing"] == 0
    assert any("Git" in doubt for doubt in answer.doubts)
    assert refusal(asked, past_house, "branches|--at|10h ago|--details").code == "usage"


def test_work_is_as_far_as_it_was(past_house: House) -> None:
    assert [item.status for item in asked(past_house, "work|tree|--at|7h ago").found.items] == ["todo"]
    assert [item.status for item in asked(past_house, "work|tree|--at|1m ago").found.items] == ["done"]
    assert asked(past_house, "work|tree|--at|11h ago").found.items == []


def test_the_log_ends_at_the_moment(past_house: House) -> None:
    newest = asked(past_house, "log|--at|10h ago|--limit|2").found
    assert [event.kind for event in newest.events] == ["claim.taken", "message.delivered"]
    page = asked(past_house, "log|--at|10h ago|--since|c3|--limit|2").found
    assert [event.number for event in page.events] == [4, 5]
    assert page.next is not None
    assert refusal(asked, past_house, "log|--at|1h ago|--follow").code == "usage"


def test_bodies_of_direct_mail_stay_private_in_the_past(past_house: House) -> None:
    page = asked(past_house, "log|--at|1h ago|--kind|message.sent", "c").found
    assert {one.data["body"] for one in page.events} == {None, "merged"}


def test_there_is_nothing_before_the_room(past_house: House) -> None:
    for line in ("agents|--at|30d ago", "log|--at|30d ago", "claims|--at|2020-01-01"):
        error = refusal(asked, past_house, line)
        assert error.code == "unknown_room"
        assert local_date(past_house.room.row.created_at) in error.hint


def test_nothing_is_written_into_the_past(past_house: House) -> None:
    before = past_house.rows("SELECT count(*) FROM events")
    with as_it_was(past_house.room, past_house.clock.now) as past:
        assert refusal(claims.take, past, Actor("b"), []).code == "refused"
    assert past_house.rows("SELECT count(*) FROM events") == before


def test_a_watchers_notice_is_no_sign_of_the_agent(house: House, a: Actor, b: Actor) -> None:
    house.send(a, "b", "hello")
    house.clock.advance(HOUR)
    with house.room.writing(b) as tx:
        tx.append("message.notified", {"agent": "b", "messages": ["M0000001"], "by": "watch"})
    found = asked(house, "agents|--at|0s ago").found
    assert {one.agent: one.state for one in found.agents}["b"] == "quiet"


def test_a_clock_that_was_set_back_hides_nothing_that_came_after(house: House, a: Actor) -> None:
    house.clock.advance(DAY)
    house.claim(a, "src")
    house.clock.advance(MINUTE - DAY)
    house.claim(a, "lib")
    house.clock.advance(HOUR)
    held = [one.resource for one in asked(house, "claims|--at|30m ago").found.claims]
    assert held == ["lib", "src"]


def test_a_moment_behind_the_cut_names_the_archive_that_it_needs(house: House) -> None:
    hours = list(live(house))
    done = archive_events(house.room, house.operator, hours[5])
    assert done.file is not None
    os.rename(done.file, f"{done.file}.elsewhere")
    error = refusal(then, house, hours[2])
    assert error.code == "no_file"
    assert os.path.basename(done.file) in error.message
    assert then(house, hours[6])["claims"], "what is behind the cut needs no archive"
