"""How far a message got, as facts: what is due, what expired and why, and whoever is no longer here."""

from __future__ import annotations

import os

import pytest

from relay_tui.base.times import DAY, HOUR, MINUTE
from relay_tui.cli.texts.messages import receipt as told
from relay_tui.room import mailbox, registry
from relay_tui.room.ledger import Actor
from relay_tui.room.mail import Message
from relay_tui.room.mailbox import read_archive, show_message
from relay_tui.room.messages import Sent
from relay_tui.room.pending import count_pending
from relay_tui.room.receipts import read_receipts
from relay_tui.room.stages import told_stage
from relay_tui.room.sweeps import PRUNE, retire, sweep
from tests.room_fixture import STARTED_AT, House, refusal


def test_a_receipt_tells_the_last_fetch_even_where_this_message_was_not_fetched(
    house: House, a: Actor, b: Actor
) -> None:
    house.poll(b)
    house.clock.advance(MINUTE)
    sent = house.send(a, "b", "x")
    receipt = house.receipt(sent.id, "b")
    assert (receipt.stage, receipt.delivered_at, receipt.last_fetched_at) == ("stored", None, STARTED_AT)
    house.clock.advance(MINUTE)
    house.poll(Actor("b", "s-9", "mcp"))
    receipt = house.receipt(sent.id, "b")
    assert (receipt.stage, receipt.delivered_session) == ("delivered", "s-9")
    assert receipt.last_fetched_at == receipt.delivered_at == STARTED_AT + 2 * MINUTE


def test_the_answer_to_a_send_says_what_is_true_of_each_recipient(house: House, a: Actor, b: Actor) -> None:
    house.poll(b)
    for name in ("c", "d"):
        house.join(name)
    house.clock.advance(8 * DAY)
    sweep(house.room, house.operator, PRUNE, 7 * DAY, apply=True)
    house.join("d")
    told = {one.agent: one for one in house.send(Actor("a"), "*all", "x").recipients}
    assert {name: one.agent_state for name, one in told.items()} == {
        "b": "dormant", "c": "dormant", "d": "live", "operator": "live",
    }  # fmt: skip
    assert (told["b"].last_seen, told["b"].last_fetched_at, told["c"].last_fetched_at) == (STARTED_AT, STARTED_AT, None)


def test_each_stage_is_the_furthest_and_the_times_are_the_facts(house: House, a: Actor, b: Actor) -> None:
    c = house.join("c")
    registry.leave(house.room, c)
    house.join("c")
    sent = house.send(a, "*", "x")
    house.ack(b, sent.id, note="merged")
    registry.leave(house.room, Actor("c"))
    found = read_receipts(house.room, sent.id, "operator")
    assert [(one.agent, one.stage, one.agent_state) for one in found.recipients] == [
        ("b", "handled", "live"), ("c", "stored", "left"),
    ]  # fmt: skip
    assert found.counts == (2, 2, 0, 0, 1, 0, 1)
    assert found.recipients[0].note == "merged"


@pytest.fixture
def expired(house: House, a: Actor, b: Actor) -> Sent:
    """A direct message that b did not handle in 30 days, not yet recorded as expired."""
    sent = house.send(a, "b", "x")
    house.clock.advance(30 * DAY)
    return sent


def test_the_words_of_direct_mail_are_for_those_it_concerns(house: House, a: Actor, b: Actor) -> None:
    house.join("c")
    plain, titled = house.send(a, "b", "secret\nmore"), house.send(a, "b", "secret", summary="For lists")
    house.ack(b, plain.id, note="done")
    seen = {name: read_receipts(house.room, plain.id, name) for name in ("a", "b", "operator", "c", None)}
    assert {name: (one.summary, one.recipients[0].note) for name, one in seen.items()} == {
        **dict.fromkeys(("a", "b", "operator"), ("secret", "done")), **dict.fromkeys(("c", None), (None, None)),
    }  # fmt: skip
    assert {one.counts for one in seen.values()} == {seen["a"].counts}
    assert read_receipts(house.room, titled.id, "c").summary == "For lists"
    assert next(told(seen["c"], house.clock.now)) == f"{plain.id} from a"


@pytest.mark.parametrize("recorded", [False, True])
def test_the_archive_tells_what_expired_and_why(house: House, b: Actor, expired: Sent, recorded: bool) -> None:
    if recorded:
        house.join("c")
        house.clock.advance(DAY)
        house.join("d")
    (one,) = read_archive(house.room, "b").messages
    assert (one.id, one.expired_reason, one.expired_at) == (expired.id, "not handled in time", house.clock.now)
    assert mailbox.peek_inbox(house.room, "b").messages == []
    assert read_archive(house.room, "a").messages == []
    receipt = house.receipt(expired.id, "b")
    assert (receipt.stage, receipt.expired_reason) == ("expired", "not handled in time")
    assert house.rows("SELECT count(*) FROM messages") == [(1,)]
    pending = count_pending(house.room, "state")
    assert (pending.expired, sum(getattr(pending, state)[0] for state in ("live", "quiet"))) == ((1, 1), 0)


def test_what_expired_can_still_be_shown_answered_and_handled(house: House, a: Actor, b: Actor, expired: Sent) -> None:
    assert show_message(house.room, b, expired.id).message.body == "x"
    assert house.receipt(expired.id, "b").delivered_at == house.clock.now
    answer = house.send(b, None, "late, but here", reply_to=expired.id)
    assert [one.agent for one in answer.recipients] == ["a"]
    assert house.ack(b, expired.id).handled == [expired.id]
    assert read_archive(house.room, "b").messages == []
    house.assert_whole()


def test_the_archive_pages_newest_first(house: House, a: Actor, b: Actor) -> None:
    ids = [house.send(a, "b", str(number)).id for number in range(5)]
    kept = house.ack(b, ids[2]).handled
    house.clock.advance(31 * DAY)
    first = read_archive(house.room, "b", limit=3)
    assert [one.id for one in first.messages] == [ids[4], ids[3], ids[1]]
    assert first.next is not None and first.next.startswith("n")
    rest = read_archive(house.room, "b", before=first.messages[-1].seq, limit=3)
    assert ([one.id for one in rest.messages], rest.next) == ([ids[0]], None)
    assert kept == [ids[2]]


def test_how_long_a_room_keeps_its_mail_open_is_the_rooms_own(house: House, a: Actor, b: Actor) -> None:
    with open(os.path.join(house.home, "relay.toml"), "w", encoding="utf-8") as file:
        file.write('direct_expiry = "10d"\n[room."repo"]\nbroadcast_expiry = "2h"\n')
    house.room = house.enter(house.repository)
    assert house.send(a, "b", "x").expires_at == STARTED_AT + 10 * DAY
    assert house.send(a, "*", "x").expires_at == STARTED_AT + 2 * HOUR


def test_pending_counts_deliveries_and_agents_by_state(house: House, a: Actor, b: Actor) -> None:
    for name in ("c", "d", "e"):
        house.join(name)
    for _ in range(2):
        house.send(a, "*all", "x")
    registry.leave(house.room, Actor("c"))
    retire(house.room, house.operator, "d", relinquish=False, reason=None)
    house.ack(b, "M0000001")
    house.clock.advance(HOUR)
    house.poll(b)
    pending = count_pending(house.room, "state")
    assert pending._asdict() == {
        "by": "state", "live": (1, 1), "quiet": (4, 2), "dormant": (0, 0), "left": (2, 1), "retired": (2, 1),
        "expired": (0, 0),
    }  # fmt: skip


def test_every_count_of_what_is_unhandled_agrees(house: House, a: Actor, b: Actor) -> None:
    """What the lists, `--count`, the registry (and with it a badge) and `pending` say."""
    for number in range(7):
        house.send(a, "b", str(number))
    house.ack(b, "M0000003")
    lists = [
        len(house.poll(b).messages), len(house.poll(b).messages), len(mailbox.peek_inbox(house.room, "b").messages),
    ]  # fmt: skip
    agents = {one.agent: one for one in registry.list_agents(house.room, ["live"]).agents}
    counts = {
        house.poll(b).unhandled, mailbox.count_inbox(house.room, "b", mailbox.EVERYTHING).unhandled,
        agents["b"].unhandled, registry.who_am_i(house.room, b).agent.unhandled,
        count_pending(house.room, "state").live.deliveries, mailbox.read_history(house.room, "b").unhandled,
    }  # fmt: skip
    assert set(lists) == counts == {6}


@pytest.mark.parametrize(("typed", "code", "said"), [
    ("codex3", "unknown_agent", "codex-3"), ("Codex-3", "unknown_agent", "codex-3"), ("gone", "left", "has left"),
    ("old", "retired", "is retired"), ("a", "no_recipients", "oneself"),
])  # fmt: skip
def test_a_send_to_nobody_who_would_read_it(house: House, a: Actor, typed: str, code: str, said: str) -> None:
    for name in ("codex-3", "gone", "old"):
        house.join(name)
    registry.leave(house.room, Actor("gone"))
    retire(house.room, house.operator, "old", relinquish=False, reason=None)
    fault = refusal(house.send, a, typed, "x")
    assert fault.code == code
    assert said in f"{fault.message} {fault.hint}"
    assert house.rows("SELECT count(*) FROM messages") == [(0,)]


def test_the_sender_of_several_is_told_of_how_many_each_stage_is_true(house: House, a: Actor, b: Actor) -> None:
    c = house.join("c")
    many = house.send(a, "*", "x")
    house.send(a, "b", "y")
    house.poll(b)
    house.ack(c, many.id)
    recipients = len(many.recipients)

    def sent() -> list[Message]:
        return mailbox.read_outbox(house.room, "a").messages[::-1]

    assert [message.reached for message in sent()] == [(recipients, 0, 1, 1, 0), (1, 0, 1, 0, 0)]
    assert [told_stage(message) for message in sent()] == [f"1/{recipients} handled", "delivered"]
    assert house.poll(b).messages[0].reached is None
    house.clock.advance(8 * DAY)
    broadcast, direct = sent()
    assert broadcast.reached == (recipients, 0, 1, 1, recipients - 1)
    assert (broadcast.expired_at, broadcast.expired_reason) == (None, None), "one has handled it"
    assert (direct.handled_at, direct.expired_at) == (None, None), "direct mail is kept longer"
