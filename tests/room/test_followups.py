"""What is still open: reminders at most once a day, and mail that another session fetched (DESIGN §6.2)."""

from __future__ import annotations

import pytest

from relay_tui.base.times import DAY, HOUR, MINUTE
from relay_tui.room import registry
from relay_tui.room.followups import list_unhandled, reconcile, remind
from relay_tui.room.ledger import Actor
from relay_tui.room.mailbox import read_thread
from relay_tui.room.sweeps import PRUNE, retire, sweep
from tests.actions.acting import act
from tests.room.messengers import start
from tests.room.workers import finish
from tests.room_fixture import STARTED_AT, House, refusal


def open_to(house: House, me: Actor, older_than: int | None = None) -> list[tuple[str, str]]:
    return [(one.id, one.receipt.agent) for one in list_unhandled(house.room, me, older_than).open]


def test_followup_lists_each_open_delivery_with_its_facts(house: House, a: Actor, b: Actor) -> None:
    c = house.join("c")
    first = house.send(a, "*", "x")
    house.clock.advance(2 * HOUR)
    second = house.send(a, "c", "y")
    house.poll(b)
    house.ack(c, first.id)
    assert open_to(house, a) == [(first.id, "b"), (second.id, "c")]
    assert open_to(house, a, HOUR) == [(first.id, "b")]
    (one,) = list_unhandled(house.room, a, HOUR).open
    got = one.receipt
    assert (got.stage, got.stored_at, got.delivered_at) == ("delivered", STARTED_AT, STARTED_AT + 2 * HOUR)
    assert open_to(house, b) == []


def test_looking_is_a_sign_and_nothing_else(house: House, a: Actor, b: Actor) -> None:
    house.send(a, "b", "x")
    house.clock.advance(HOUR)
    before = len(house.events())
    act(house.room, "a", "followup")
    act(house.room, "b", "reconcile")
    assert len(house.events()) == before
    for me in (a, b):
        assert registry.who_am_i(house.room, me).agent.last_seen == STARTED_AT + HOUR


def test_what_is_expired_or_was_sent_by_others_is_not_followed_up(house: House, a: Actor, b: Actor) -> None:
    house.send(a, "b", "x")
    house.send(b, "a", "y")
    house.clock.advance(31 * DAY)
    assert open_to(house, a) == []
    assert remind(house.room, a, None).reminded == []


def test_a_clock_that_was_set_back_hides_nothing(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "x")
    house.clock.advance(-2 * HOUR)
    assert open_to(house, a) == [(sent.id, "b")]
    assert house.poll(b).messages[0].id == sent.id
    assert remind(house.room, a, None).reminded == [sent.id]
    house.clock.advance(2 * HOUR)
    assert remind(house.room, a, None).reminded == []


def test_a_reminder_is_a_reply_and_at_most_one_a_day(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "Auth is ready\nmore")
    for step, expected in ((HOUR, [sent.id]), (MINUTE, []), (DAY - MINUTE - 1, []), (1, [sent.id])):
        house.clock.advance(step)
        assert remind(house.room, a, None).reminded == expected
    told = read_thread(house.room, "b", sent.id).messages[1:]
    assert [(one.from_, one.to, one.reply_to, one.thread) for one in told] == [("a", "b", sent.id, sent.id)] * 2
    assert told[0].body == f'Reminder: "Auth is ready" ({sent.id}), sent 1h ago, is not handled yet.'
    assert open_to(house, a) == [(sent.id, "b")], "a reminder is not itself followed up"
    house.assert_whole()


def test_only_whoever_has_not_handled_it_is_reminded(house: House, a: Actor, b: Actor) -> None:
    for name in ("c", "d", "e"):
        house.join(name)
    sent = house.send(a, "*", "x")
    house.ack(b, sent.id)
    registry.leave(house.room, Actor("d"))
    retire(house.room, house.operator, "e", relinquish=False, reason=None)
    assert remind(house.room, a, None).reminded == [sent.id]
    assert house.rows("SELECT addressed FROM messages WHERE request GLOB 'remind:*'") == [("c",)]


def test_a_sender_cannot_pass_a_message_off_as_a_reminder(house: House, a: Actor, b: Actor) -> None:
    assert refusal(house.send, a, "b", "x", request="remind:x").code == "usage"


def test_five_at_once_remind_once(house: House, a: Actor, b: Actor) -> None:
    house.join("c")
    sent = house.send(a, "*", "x")
    at = STARTED_AT + HOUR
    answers = [finish(one).split() for one in [start("remind_at", house.home, house.repository, at) for _ in range(5)]]
    assert sorted(answers) == [[], [], [], [], [sent.id]]
    assert house.rows("SELECT count(*) FROM messages WHERE request GLOB 'remind:*'") == [(2,)]
    house.assert_whole()


@pytest.fixture
def fetched(house: House, a: Actor) -> str:
    """A message that b's day session fetched before its night session began."""
    day = house.join("b", session="day")
    sent = house.send(a, "b", "x")
    house.poll(day)
    house.clock.advance(HOUR)
    house.join("b", session="night")
    return sent.id


def test_reconcile_shows_what_another_session_fetched_and_never_handled(house: House, a: Actor, fetched: str) -> None:
    night = Actor("b", "night")
    house.send(a, "b", "not fetched yet")
    found = reconcile(house.room, night, [], [])
    assert [(one.id, one.delivered_session) for one in found.deliveries] == [(fetched, "day")]
    assert reconcile(house.room, Actor("b", "day"), [], []).deliveries == []
    assert reconcile(house.room, Actor("b"), [], []).session == "night", "the agent's current one"


def test_what_is_taken_is_this_sessions_from_then_on(house: House, fetched: str) -> None:
    night = Actor("b", "night")
    before = house.receipt(fetched, "b")
    for _ in range(2):
        taken = reconcile(house.room, night, [fetched, fetched], [])
        assert (taken.taken, taken.deliveries) == ([fetched], [])
    after = house.receipt(fetched, "b")
    assert (after.delivered_session, after.delivered_at) == ("night", before.delivered_at)
    assert len(house.events("message.taken")) == 1
    assert [one.id for one in reconcile(house.room, Actor("b", "day"), [], []).deliveries] == [fetched]
    house.assert_whole()


def test_what_is_handled_here_is_acknowledged_by_this_session(house: House, fetched: str) -> None:
    assert reconcile(house.room, Actor("b", "night"), [], [fetched]).handled == [fetched]
    receipt = house.receipt(fetched, "b")
    assert (receipt.stage, receipt.handled_session, receipt.delivered_session) == ("handled", "night", "day")
    assert refusal(reconcile, house.room, Actor("b", "night"), [], [fetched]).code == "refused"
    house.assert_whole()


def test_only_the_recipient_reconciles_and_all_or_nothing(house: House, a: Actor, fetched: str) -> None:
    new = house.send(a, "b", "y").id
    night = Actor("b", "night")
    assert refusal(reconcile, house.room, a, [fetched], []).code == "not_yours"
    assert refusal(reconcile, house.room, night, [fetched, new], []).code == "refused"
    assert refusal(reconcile, house.room, night, [fetched], ["M9"]).code == "unknown_message"
    assert house.receipt(fetched, "b").delivered_session == "day"


def test_a_dormant_agent_that_only_looks_is_back(house: House, a: Actor, b: Actor) -> None:
    house.clock.advance(8 * DAY)
    assert [one.agent for one in sweep(house.room, house.operator, PRUNE, 7 * DAY, apply=True).candidates] == ["a", "b"]
    act(house.room, "a", "followup")
    assert registry.who_am_i(house.room, a).agent.state == "live"
    assert registry.who_am_i(house.room, b).agent.state == "dormant"
    house.assert_whole()


def test_ten_sends_of_one_key_at_once_store_one_message(house: House, a: Actor, b: Actor) -> None:
    senders = [start("send_with_key", house.home, house.repository, "k") for _ in range(10)]
    answers = [finish(sender).split() for sender in senders]
    assert len({message for message, _ in answers}) == 1
    assert sorted(duplicate for _, duplicate in answers) == ["False"] + ["True"] * 9
    assert house.rows("SELECT count(*) FROM messages") == [(1,)]
    house.assert_whole()


def test_a_retry_after_the_sender_was_killed_before_its_answer(house: House, a: Actor, b: Actor) -> None:
    killed = start("send_with_key_and_die", house.home, house.repository, "k")
    out, _ = killed.communicate(timeout=60)
    assert (killed.returncode, out) == (-9, "")
    message, duplicate = finish(start("send_with_key", house.home, house.repository, "k")).split()
    assert duplicate == "True"
    assert house.rows("SELECT id FROM messages") == [(message,)]


def test_the_last_reminder_of_each_delivery_is_told(house: House, a: Actor, b: Actor) -> None:
    house.join("c")
    house.send(a, "*", "x")
    house.clock.advance(HOUR)
    remind(house.room, a, None)
    reminded_at = house.clock.now
    house.clock.advance(HOUR)
    late = house.send(a, "b", "y")
    after = remind(house.room, a, None)
    assert after.reminded == [late.id]
    told = {(one.id, one.receipt.agent): one.reminded_at for one in after.open}
    assert told.pop((late.id, "b")) == house.clock.now
    assert set(told.values()) == {reminded_at}
    listed = list_unhandled(house.room, a, None).open
    assert [one.reminded_at for one in listed] == [one.reminded_at for one in after.open]
