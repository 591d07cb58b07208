"""A clock that is set a day ahead and back between writes: the order stays, and mail lives as long as it was given."""

from __future__ import annotations

import random
from pathlib import Path

from relay_tui.actions.perform import open_room
from relay_tui.base.times import DAY, HOUR
from relay_tui.room import mailbox
from relay_tui.room.archives import archive_events, attach_archive
from relay_tui.room.backup import write_backup
from relay_tui.room.exports import write_export
from relay_tui.room.ledger import Actor
from relay_tui.room.past import as_it_was
from relay_tui.room.rooms import Room
from relay_tui.room.store import Store
from tests.actions.acting import act, refused
from tests.room.round_trips import assert_sound, bring_back, contents, home_at
from tests.room_fixture import STARTED_AT, House


def ids(house: House, me: Actor) -> list[str]:
    return [one.id for one in mailbox.peek_inbox(house.room, me.name).messages]


def test_what_was_sent_comes_in_the_order_in_which_it_was_stored(house: House, a: Actor, b: Actor) -> None:
    chance, began = random.Random(8), house.clock.now
    sent = []
    for number in range(12):
        house.clock.now = began + chance.randint(-DAY, DAY)
        sent.append(house.send(a, "b", str(number)).id)
    house.clock.now = began
    assert ids(house, b) == sent
    assert [one.id for one in house.poll(b).messages] == sent
    assert [one.id for one in mailbox.read_history(house.room, "b").messages] == sent[::-1]
    assert [event.number for event in house.events()] == list(range(1, len(house.events()) + 1))
    assert house.ack(b, *sent).handled == sent
    house.assert_whole()


def test_a_day_forth_and_back_expires_nothing_that_has_time_left(house: House, a: Actor, b: Actor) -> None:
    first = house.send(a, "b", "first")
    house.clock.advance(DAY)
    second = house.send(a, "b", "second")
    house.clock.advance(-DAY)
    third = house.send(a, "b", "third")
    assert ids(house, b) == [first.id, second.id, third.id]
    assert second.expires_at - first.expires_at == DAY
    house.clock.now = first.expires_at + HOUR
    house.claim(b, "src")
    assert ids(house, b) == [second.id]
    house.clock.advance(-DAY)
    assert ids(house, b) == [first.id, second.id, third.id], "nothing was recorded yet"
    house.assert_whole()


def test_a_clock_that_is_far_ahead_for_hours_costs_nobody_mail(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "important")
    house.clock.advance(46 * DAY)
    for number in range(40):
        house.clock.advance(HOUR // 2)
        house.claim(b, f"src/{number}")
    assert ids(house, b) == []
    house.clock.now = STARTED_AT + HOUR
    house.claim(b, "src")
    assert ids(house, b) == [sent.id]
    assert house.receipt(sent.id, "b").stage == "stored"
    house.assert_whole()


def test_what_a_day_confirms_is_recorded_and_stays_expired(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "x")
    house.clock.advance(46 * DAY)
    house.claim(b, "src")
    house.clock.advance(DAY)
    house.claim(b, "docs")
    assert len(house.events("message.expired")) == 1
    house.clock.now = STARTED_AT + HOUR
    assert ids(house, b) == []
    assert house.receipt(sent.id, "b").stage == "expired"


def test_claims_and_the_room_are_what_they_were_under_any_clock(house: House, a: Actor, b: Actor) -> None:
    house.claim(a, "src")
    for by in (DAY, -2 * DAY, DAY):
        house.clock.advance(by)
        house.send(b, "a", f"at {by}")
        assert house.rows("SELECT agent FROM claims") == house.rows("SELECT key FROM agents WHERE name = 'a'")
    assert house.claim(a, "src").already
    house.assert_whole()


def test_what_was_is_the_same_before_and_behind_archives_and_in_copies(
    house: House, a: Actor, b: Actor, tmp_path: Path
) -> None:
    """Each is made by a clock that stands before much of what is in the ledger."""
    moments = live_in_disorder(house, a)
    house.clock.now = moments[-3]
    house.send(a, "b", "by the clock that archives")
    was = looks_back(house.room, moments)
    assert len({str(look) for look in was}) > 4
    done = archive_events(house.room, house.operator, moments[7])
    assert done.events > 9, "what was written before the last that is older goes with it, whatever its time says"
    assert done.cut_at is not None
    assert done.cut_at < moments[7]
    house.assert_whole()
    assert looks_back(house.room, moments) == was
    house.clock.advance(-2 * DAY)
    write_backup(house.room, str(tmp_path / "b.db"), force=False)
    write_export(house.room, str(tmp_path / "e.ndjson"), all_=True, force=False)
    attach_archive(house.room, house.operator, done.file or "")
    for room in (house.room, restored(house, tmp_path / "e.ndjson")):
        assert looks_back(room, moments) == was
    assert_sound(restored(house, tmp_path / "b.db"))


def test_a_room_that_is_still_to_come_by_the_clock_is_said_to_be(house: House, a: Actor) -> None:
    house.claim(a, "src")
    now = house.clock.now
    house.clock.advance(-DAY)
    assert refused(house.room, "a", "claims --at '0s ago'").code == "unknown_room"
    assert act(house.room, "operator", "log archive --before '0s ago'").events == 0
    house.clock.now = now + HOUR
    assert [one.resource for one in act(house.room, "a", "claims --at '0s ago'").found.claims] == ["src"]


def live_in_disorder(house: House, me: Actor) -> list[int]:
    """Mail and claims by a clock that jumps both ways; returns its moments in their order."""
    chance, moments = random.Random(8), []
    for number in range(12):
        house.clock.advance(chance.randint(-5 * HOUR, DAY))
        moments.append(house.clock.now)
        if number % 2:
            house.send(me, "b", str(number))
        else:
            house.claim(me, f"src/{number}")
    return sorted(moments)


def looks_back(room: Room, moments: list[int]) -> list[object]:
    looks: list[object] = []
    for moment in moments:
        with as_it_was(room, moment) as past:
            tables = contents(past)
            looks.append({name: rows for name, rows in tables.items() if name not in ("events", "base")})
    return looks


def restored(house: House, copy: Path) -> Room:
    bring_back(home_at(copy.with_suffix(".home"), house), copy)
    return open_room(Store(str(copy.with_suffix(".home"))), house.repository, None, clock=house.clock)
