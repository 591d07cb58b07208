"""Mail: audiences, the four facts, retries, expiry, and the views that change nothing (DESIGN §6.2)."""

from __future__ import annotations

from collections.abc import Callable, Sized

import pytest

from relay_tui.base.times import MINUTE, SECOND
from relay_tui.room import mailbox, receipts, registry
from relay_tui.room.cursors import parse_cursor
from relay_tui.room.ledger import Actor
from relay_tui.room.mail import PAGE_BYTES, Only
from relay_tui.room.receipts import Receipt
from tests.room_fixture import STARTED_AT, House, refusal

NOW = STARTED_AT


@pytest.fixture
def a(house: House) -> Actor:
    return house.join("a", session="s-a")


@pytest.fixture
def b(house: House, a: Actor) -> Actor:
    return house.join("b", session="s-b")


def facts(receipt: Receipt) -> dict[str, int | None]:
    return {
        name: at for name, at in receipt._asdict().items()
        if name in ("stored_at", "notified_at", "delivered_at", "handled_at", "expired_at") and at is not None
    }  # fmt: skip


def everything(house: House) -> list[list[tuple[object, ...]]]:
    """Every row that an act could leave behind."""
    tables = ("events", "deliveries", "messages", "agents", "presence", "questions")
    return [house.rows(f"SELECT * FROM {table}") for table in tables]


def test_audiences(house: House, a: Actor, b: Actor) -> None:
    house.join("gone")
    registry.leave(house.room, Actor("gone"))
    house.join("far")
    house.clock.advance(31 * MINUTE)
    house.join("b")
    everybody = house.send(a, "*all", "x")
    assert [one.agent for one in everybody.recipients] == ["b", "far", "operator"]
    assert [one.agent for one in house.send(a, "all", "x").recipients] == ["b", "far", "operator"]
    assert [one.agent for one in house.send(a, "*", "x").recipients] == ["b"]
    assert [one.agent for one in house.send(a, "all-live", "x").recipients] == ["b"]
    (quiet,) = house.send(a, "far", "x").recipients
    assert (quiet.agent, quiet.agent_state) == ("far", "quiet")
    house.join("late")
    assert house.receipt(everybody.id, "b").stage == "stored"
    assert len(receipts.read_receipts(house.room, everybody.id, "operator").recipients) == 3


def test_nobody_to_get_it_is_an_error(house: House, a: Actor) -> None:
    assert refusal(house.send, a, "*", "x").code == "no_recipients"
    assert refusal(house.send, a, "a", "x").code == "no_recipients"
    assert refusal(house.send, a, None, "x").code == "usage"
    fault = refusal(house.send, a, "opperator", "x")
    assert (fault.code, fault.details["near"]) == ("unknown_agent", ["operator"])
    assert house.events("message") == []


def test_four_facts_each_by_its_own_act(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "ready")
    assert facts(house.receipt(sent.id, "b")) == {"stored_at": NOW}
    house.clock.advance(MINUTE)
    (message,) = house.poll(b).messages
    assert (message.body, message.delivered_at) == ("ready", NOW + MINUTE)
    assert facts(house.receipt(sent.id, "b")) == {"stored_at": NOW, "delivered_at": NOW + MINUTE}
    house.clock.advance(MINUTE)
    assert house.ack(b, sent.id, note="merged")[:2] == ([sent.id], [])
    receipt = house.receipt(sent.id, "b")
    assert facts(receipt) == {"stored_at": NOW, "delivered_at": NOW + MINUTE, "handled_at": NOW + 2 * MINUTE}
    assert (receipt.stage, receipt.note) == ("handled", "merged")
    assert (receipt.delivered_session, receipt.handled_session) == ("s-b", "s-b")
    assert house.poll(b).messages == []
    house.assert_whole()


def test_an_ack_before_delivery_is_no_delivery(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "ready")
    assert house.ack(b, sent.id).handled == [sent.id]
    assert facts(house.receipt(sent.id, "b")) == {"stored_at": NOW, "handled_at": NOW}
    assert house.ack(b, sent.id)[:2] == ([], [sent.id])
    assert len(house.events("message.handled")) == 1


def test_an_ack_of_several_is_all_or_none(house: House, a: Actor, b: Actor) -> None:
    first, own = house.send(a, "b", "x"), house.send(b, "a", "y")
    assert refusal(house.ack, b, first.id, own.id).code == "not_yours"
    assert refusal(house.ack, b, first.id, "Mnever").code == "unknown_message"
    assert house.receipt(first.id, "b").handled_at is None
    assert house.ack(b, first.id, first.id).handled == [first.id]


def test_a_retry_is_answered_with_the_first_result(house: House, a: Actor, b: Actor) -> None:
    first = house.send(a, "b", "ready", request="r-1")
    house.clock.advance(MINUTE)
    again = house.send(a, "b", "ready", request="r-1")
    assert (again.duplicate, first.duplicate) == (True, False)
    assert again[:2] == first[:2]
    assert (again.stored_at, again.expires_at) == (first.stored_at, first.expires_at)
    assert len(house.events("message.sent")) == 1
    registry.leave(house.room, b)
    assert house.send(a, "b", "ready", request="r-1").duplicate  # whoever left since then
    assert not house.send(house.operator, "a", "ready", request="r-1").duplicate  # a key belongs to its sender


@pytest.mark.parametrize(
    ("to", "body", "draft"),
    [
        ("b", "other", {}),
        ("*", "ready", {}),
        ("b", "ready", {"summary": "x"}),
        ("b", "ready", {"reply_to": "M0000001"}),
    ],
)
def test_the_same_key_with_another_request_is_a_conflict(
    house: House, a: Actor, b: Actor, to: str, body: str, draft: dict[str, str]
) -> None:
    house.send(b, "a", "first")
    before = house.send(a, "b", "ready", request="r-1")
    fault = refusal(house.send, a, to, body, request="r-1", **draft)
    assert (fault.code, fault.details) == ("id_conflict", {"id": before.id})
    assert len(house.events("message.sent")) == 2


def test_a_reply_goes_to_the_author_and_stays_in_the_thread(house: House, a: Actor, b: Actor) -> None:
    first = house.send(a, "b", "ready?")
    reply = house.send(b, None, "yes", reply_to=first.id)
    third = house.send(a, None, "merged", reply_to=reply.id)
    house.send(a, "b", "something else")
    assert [one.agent for one in reply.recipients] == ["a"]
    for anywhere in (first.id, reply.id, third.id):
        thread = mailbox.read_thread(house.room, "b", anywhere)
        assert [(m.body, m.reply_to) for m in thread.messages] == [
            ("ready?", None), ("yes", first.id), ("merged", reply.id),
        ]  # fmt: skip
    assert [message.body for message in house.poll(b, only=Only(thread=first.id)).messages] == ["ready?", "merged"]


def test_ids_are_taken_by_unique_beginning(house: House, a: Actor, b: Actor) -> None:
    for _ in range(10):
        house.send(a, "b", "x")
    assert house.ack(b, "M000001").handled == ["M0000010"]
    fault = refusal(house.ack, b, "M000000")
    assert fault.code == "ambiguous"
    assert house.ack(b, "M0000001").handled == ["M0000001"]
    for never in ("", "X", "Mzzz", "m0000002", "M%"):
        assert refusal(mailbox.show_message, house.room, b, never).code == "unknown_message"


@pytest.mark.parametrize("look", ["peek", "count", "thread", "history", "outbox", "receipts", "of"])
def test_looking_changes_nothing(house: House, a: Actor, b: Actor, look: str) -> None:
    sent = house.send(a, "b", "ready")
    house.clock.advance(MINUTE)
    before = everything(house)
    room = house.room
    looks: dict[str, Callable[[], Sized]] = {
        "peek": lambda: mailbox.peek_inbox(room, "b").messages,
        "count": lambda: mailbox.peek_inbox(room, "b", limit=1).messages,
        "thread": lambda: mailbox.read_thread(room, "b", sent.id).messages,
        "history": lambda: mailbox.read_history(room, "b").messages,
        "outbox": lambda: mailbox.read_outbox(room, "a").messages,
        "receipts": lambda: receipts.read_receipts(room, sent.id, "operator").recipients,
        "of": lambda: mailbox.peek_inbox(room, "b", bodies=True).messages,
    }
    assert len(looks[look]()) == 1
    assert everything(house) == before


def test_a_peek_shows_no_body_and_the_operators_view_does(house: House, a: Actor, b: Actor) -> None:
    house.send(a, "b", "ready")
    assert mailbox.peek_inbox(house.room, "b").messages[0].body is None
    assert mailbox.peek_inbox(house.room, "b", bodies=True).messages[0].body == "ready"


def test_a_second_poll_within_fifteen_seconds_writes_nothing(house: House, a: Actor, b: Actor) -> None:
    house.send(a, "b", "ready")
    assert len(house.poll(b).messages) == 1
    before = everything(house)
    house.clock.advance(14 * SECOND)
    assert len(house.poll(b).messages) == 1  # it hides nothing
    assert everything(house) == before
    house.clock.advance(SECOND)
    house.poll(b)
    assert len(house.events()) == len(before[0])
    assert house.receipt("M0000001", "b").last_fetched_at == NOW + 15 * SECOND


def test_show_delivers_to_its_recipient_alone(house: House, a: Actor, b: Actor) -> None:
    c = house.join("c")
    sent = house.send(a, "b", "ready")
    assert refusal(mailbox.show_message, house.room, c, sent.id).code == "unknown_message"
    assert refusal(mailbox.read_thread, house.room, "c", sent.id).code == "unknown_message"
    for reader in (a, house.operator):
        assert mailbox.show_message(house.room, reader, sent.id).message.body == "ready"
    assert house.receipt(sent.id, "b").delivered_at is None
    assert mailbox.show_message(house.room, b, sent.id).message.delivered_at == NOW
    house.clock.advance(MINUTE)
    assert mailbox.show_message(house.room, b, sent.id).message.delivered_at == NOW


def test_pages_follow_the_cursor(house: House, a: Actor, b: Actor) -> None:
    for number in range(5):
        house.send(a, "b", f"n{number}")
    seen, after = [], 0
    while True:
        page = house.poll(b, after=after, limit=2)
        seen += [message.body for message in page.messages]
        assert page.unhandled == 5
        if page.next is None:
            break
        after = parse_cursor(page.next).seq
    assert seen == ["n0", "n1", "n2", "n3", "n4"]
    newest = mailbox.read_history(house.room, "b", limit=3)
    assert [message.body for message in newest.messages] == ["n4", "n3", "n2"]
    rest = mailbox.read_history(house.room, "b", before=parse_cursor(newest.next).seq, limit=3)
    assert ([message.body for message in rest.messages], rest.next) == (["n1", "n0"], None)
    sent = mailbox.read_outbox(house.room, "a", before=parse_cursor(newest.next).seq, limit=1)
    assert [message.body for message in sent.messages] == ["n1"]


def test_history_is_one_list_of_what_is_handled_and_what_is_not(house: House, a: Actor, b: Actor) -> None:
    ids = [house.send(a, "b", f"n{number}").id for number in range(6)]
    house.send(house.operator, "b", "from the operator")
    house.ack(b, ids[1], ids[2], ids[4])
    newest = mailbox.read_history(house.room, "b", only=Only("a"), limit=4)
    assert [(message.body, message.handled_at) for message in newest.messages] == [
        ("n5", None), ("n4", NOW), ("n3", None), ("n2", NOW),
    ]  # fmt: skip
    rest = mailbox.read_history(house.room, "b", only=Only("a"), before=parse_cursor(newest.next).seq, limit=4)
    assert ([message.id for message in rest.messages], rest.next) == ([ids[1], ids[0]], None)


def test_a_page_holds_so_many_bytes_and_at_least_one_message(house: House, a: Actor, b: Actor) -> None:
    big = "x" * 65_536
    for _ in range(6):
        house.send(a, "b", big)
    page = house.poll(b)
    assert len(page.messages) == PAGE_BYTES // len(big)
    assert page.next is not None
    assert house.rows("SELECT count(*) FROM deliveries WHERE delivered_at IS NOT NULL") == [(len(page.messages),)]


@pytest.mark.parametrize("text", ["", "7", "cx", "c-1", "c", f"c{2**63}", "c" + "9" * 19, "c" + "9" * 40])
def test_other_cursors_are_refused(text: str) -> None:
    assert refusal(parse_cursor, text).code == "usage"


@pytest.mark.parametrize(
    ("body", "summary", "code"),
    [
        ("", None, "invalid"), (" \n", None, "invalid"), ("\udcff", None, "invalid"), ("x", "\udcff", "invalid"),
        ("x" * 65_537, None, "too_large"), ("é" * 32_769, None, "too_large"), ("x", "s" * 201, "too_large"),
    ],
)  # fmt: skip
def test_bodies_that_cannot_be_sent(
    house: House, a: Actor, b: Actor, body: str, summary: str | None, code: str
) -> None:
    assert refusal(house.send, a, "b", body, summary=summary).code == code
    assert house.events("message") == []


def test_text_that_is_not_unicode_is_invalid_wherever_it_stands(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "x")
    acts: list[Callable[[], object]] = [
        lambda: house.send(a, "\udcff", "x"),
        lambda: house.send(a, "b", "x", request="\udcff"),
        lambda: house.ack(b, sent.id, note="\udcff"),
        lambda: house.claim(a, "src", note="\udcff"),
        lambda: house.join("c", task="\udcff"),
        lambda: registry.report_status(house.room, a, {"text": "\udcff"}, None),
    ]
    for act in acts:
        assert refusal(act).code == "invalid"
    house.assert_whole()


def test_the_largest_body_is_kept_whole(house: House, a: Actor, b: Actor) -> None:
    body = "é\x1b[31m\u202e" + "x" * 65_000
    house.send(a, "b", body)
    (message,) = house.poll(b).messages
    assert message.body == body
    assert len(message.summary) == 200


def test_receipts_count_who_is_missing(house: House, a: Actor, b: Actor) -> None:
    house.join("c")
    sent = house.send(a, "*all", "x")
    house.poll(b)
    house.ack(b, sent.id)
    registry.leave(house.room, b)
    registry.leave(house.room, Actor("c"))
    counts = receipts.read_receipts(house.room, sent.id, "operator").counts
    assert counts._asdict() == {
        "recipients": 3, "stored": 3, "notified": 0, "delivered": 1, "handled": 1, "expired": 0, "missing": 1,
    }  # fmt: skip
