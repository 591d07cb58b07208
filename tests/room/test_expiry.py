"""Expiry without a daemon: readers treat what is due as expired, a later writer records it (DESIGN §6.2)."""

from __future__ import annotations

from relay_tui.base.times import DAY, MINUTE
from relay_tui.room import mailbox, registry
from relay_tui.room.ledger import Actor
from tests.room_fixture import STARTED_AT, House

NOW = STARTED_AT


def test_expiry_is_fixed_at_the_send(house: House, a: Actor, b: Actor) -> None:
    assert house.send(a, "b", "x").expires_at == NOW + 30 * DAY
    assert house.send(a, "*", "x").expires_at == NOW + 7 * DAY


def test_what_is_due_counts_as_expired_before_anybody_records_it(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "*", "x")
    house.poll(b)
    house.clock.now = sent.expires_at - 1
    assert house.receipt(sent.id, "b").stage == "delivered"
    house.clock.now = sent.expires_at
    assert mailbox.peek_inbox(house.room, "b")[1:3] == (0, [])
    assert registry.who_am_i(house.room, b).agent.unhandled == 0
    receipt = house.receipt(sent.id, "b")
    assert (receipt.stage, receipt.expired_at) == ("expired", sent.expires_at)
    assert mailbox.read_history(house.room, "b").messages[0].expired_at == sent.expires_at
    assert house.events("message.expired") == []


def test_who_writes_a_day_after_a_first_that_found_it_due_records_it(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "x")
    house.clock.now = sent.expires_at
    house.join("c")
    house.clock.advance(DAY - 1)
    house.join("c", task="too early")
    assert house.events("message.expired") == []
    house.clock.advance(1)
    house.join("c", task="a day later")
    (event,) = house.events("message.expired")
    assert (event.actor, event.data["deliveries"]) == ("relay", [[sent.id, "b"]])
    receipt = house.receipt(sent.id, "b")
    assert (receipt.expired_at, receipt.expired_reason) == (sent.expires_at + DAY, "not handled in time")
    assert house.rows("SELECT unsettled FROM messages") == [(0,)]
    house.join("d")
    assert len(house.events("message.expired")) == 1
    house.assert_whole()


def test_at_most_a_hundred_are_recorded_at_once(house: House, a: Actor) -> None:
    for number in range(26):
        house.join(f"w-{number}")
    for _ in range(4):
        house.send(a, "*", "x")
    house.clock.advance(8 * DAY)
    house.join("again")
    for expected in (100, 4):
        house.clock.advance(DAY)
        house.join("again", task=str(expected))
        assert len(house.events("message.expired")[-1].data["deliveries"]) == expected
    house.join("again", task="none left")
    assert len(house.events("message.expired")) == 2
    house.assert_whole()


def test_an_ack_of_what_is_due_still_counts(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "x")
    house.clock.now = sent.expires_at + MINUTE
    assert house.ack(b, sent.id).handled == [sent.id]
    receipt = house.receipt(sent.id, "b")
    assert (receipt.stage, receipt.expired_at) == ("handled", None)
    assert house.events("message.expired") == []


def test_an_ack_after_recorded_expiry_is_a_fact_beside_it(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "x")
    house.clock.now = sent.expires_at
    house.join("c")
    house.clock.advance(DAY)
    house.join("d")
    recorded_at = house.clock.now
    house.clock.advance(MINUTE)
    assert house.ack(b, sent.id).handled == [sent.id]
    receipt = house.receipt(sent.id, "b")
    assert (receipt.stage, receipt.expired_at) == ("handled", recorded_at)
    assert receipt.handled_at == recorded_at + MINUTE
    assert house.rows("SELECT unsettled FROM messages") == [(0,)]
    house.assert_whole()
