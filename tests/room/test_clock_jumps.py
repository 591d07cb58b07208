"""A clock that is set a day ahead and back between writes: the order stays, and mail lives as long as it was given."""

from __future__ import annotations

import random

from relay_tui.base.times import DAY, HOUR
from relay_tui.room import mailbox
from relay_tui.room.ledger import Actor
from tests.room_fixture import House


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
    house.claim(b, "src")  # the next to write records what is due
    assert ids(house, b) == [second.id]
    house.clock.advance(-DAY)
    assert ids(house, b) == [second.id], "what was recorded as expired stays so"
    assert house.receipt(first.id, "b").stage == "expired"
    house.assert_whole()


def test_claims_and_the_room_are_what_they_were_under_any_clock(house: House, a: Actor, b: Actor) -> None:
    house.claim(a, "src")
    for by in (DAY, -2 * DAY, DAY):
        house.clock.advance(by)
        house.send(b, "a", f"at {by}")
        assert house.rows("SELECT agent FROM claims") == house.rows("SELECT key FROM agents WHERE name = 'a'")
    assert house.claim(a, "src").already
    house.assert_whole()
