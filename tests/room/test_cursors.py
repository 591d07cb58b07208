"""Cursors and what they reach: every message of a long mailbox, by the filter and in the direction of its list."""

from __future__ import annotations

import pytest

from relay_tui.base.times import MINUTE
from relay_tui.room import mailbox
from relay_tui.room.cursors import Cursor, make_cursor, parse_cursor
from relay_tui.room.ledger import LAST, Actor
from relay_tui.room.mail import EVERYTHING, Only
from relay_tui.room.messages import acknowledge_through
from tests.room_fixture import STARTED_AT, House, refusal

MESSAGES = 50_000
UNHANDLED = 349


@pytest.mark.parametrize("only", [
    EVERYTHING, Only("a"), Only(None, "M1", 5), Only("Old Näme\x1b\n", "x.y", 2**62), Only("", "", 0),
])  # fmt: skip
@pytest.mark.parametrize("seq", [0, 7, LAST])
@pytest.mark.parametrize("newest", [False, True])
def test_a_cursor_is_read_back(only: Only, seq: int, newest: bool) -> None:
    text = make_cursor(seq, only, newest=newest)
    assert parse_cursor(text, newest=newest) == Cursor(seq, only, newest)
    assert text.isascii() and text.isprintable() and " " not in text
    assert refusal(parse_cursor, text, newest=not newest).code == "usage"


@pytest.mark.parametrize("said", ["zz", "5b5d", "7b7d", "5b312c322c335d", "00", "5b6e756c6c2c6e756c6c2c2278225d", "5b"])
def test_a_filter_that_no_list_made_is_refused(said: str) -> None:
    assert refusal(parse_cursor, f"c1.{said}").code == "usage"


def fill(house: House, count: int, unhandled: int) -> list[str]:
    """So many messages to b in one transaction, all but every so many handled; returns the unhandled ids, oldest
    first."""
    step = count // unhandled
    ids = [f"M{number:07}" for number in range(count)]
    with house.room.writing(Actor("a")) as tx:
        for message in ids:
            tx.append("message.sent", {
                "id": message, "from": "a", "audience": "direct", "to": "b", "recipients": ["b"], "summary": message,
                "body": "x" * 3000, "reply_to": None, "thread": message, "expires_at": tx.now + 2**50,
                "request": None, "attachments": [],
            })  # fmt: skip
        open_ids = ids[::step][:unhandled]
        handled = sorted(set(ids) - set(open_ids))
        tx.append("message.handled", {"agent": "b", "messages": handled, "note": None, "session": None, "via": "cli"})
    return open_ids


def test_everything_unhandled_in_a_long_mailbox_is_reached_without_changing_a_fact(
    house: House, a: Actor, b: Actor
) -> None:
    wanted = fill(house, MESSAGES, UNHANDLED)
    before = house.rows("SELECT count(*) FROM events")
    seen, pages, cursor = [], 0, Cursor(0, EVERYTHING)
    while True:
        page = mailbox.peek_inbox(house.room, "b", after=cursor.seq, bodies=pages % 2 == 0)
        seen += [message.id for message in page.messages]
        pages += 1
        assert page.unhandled == UNHANDLED
        if page.next is None:
            break
        cursor = parse_cursor(page.next, newest=False)
    assert seen == wanted
    assert pages == 7
    assert mailbox.count_inbox(house.room, "b", EVERYTHING).unhandled == UNHANDLED
    newest = mailbox.read_history(house.room, "b", limit=1000)
    assert newest.messages[0].id == f"M{MESSAGES - 1:07}"
    assert 80 < len(newest.messages) < 100, "a page holds so many bytes"
    assert house.rows("SELECT count(*) FROM events") == before
    last = parse_cursor(mailbox.read_history(house.room, "b", before=30, limit=5).next, newest=True)
    assert mailbox.read_history(house.room, "b", before=last.seq, limit=1000).next is None


def test_bodies_are_counted_in_bytes(house: House, a: Actor, b: Actor) -> None:
    for _ in range(6):
        house.send(a, "b", "日" * 20_000)
    assert len(house.poll(b).messages) == 4


@pytest.fixture
def mixed(house: House, a: Actor, b: Actor) -> dict[str, str]:
    """Mail to b from a and c, early and late; ids by a word each."""
    c = house.join("c")
    ids = {"a1": house.send(a, "b", "1").id, "c1": house.send(c, "b", "1").id}
    house.clock.advance(10 * MINUTE)
    ids["a2"] = house.send(a, "b", "2", reply_to=ids["a1"]).id
    ids["c2"] = house.send(c, "b", "2").id
    ids["a3"] = house.send(a, "b", "3").id
    return ids


FILTERS = {
    "sender": (Only("a"), ["a1", "a2", "a3"]),
    "thread": (Only(None, "M0000001"), ["a1", "a2"]),
    "age": (Only(None, None, STARTED_AT + MINUTE), ["a1", "c1"]),
    "sender and age": (Only("c", None, STARTED_AT + MINUTE), ["c1"]),
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_list_and_its_pages_are_narrowed_alike(house: House, b: Actor, mixed: dict[str, str], name: str) -> None:
    only, words = FILTERS[name]
    wanted = [mixed[word] for word in words]
    seen, cursor = [], Cursor(0, only)
    while True:
        page = mailbox.peek_inbox(house.room, "b", only=cursor.only, after=cursor.seq, limit=1)
        seen += [message.id for message in page.messages]
        if page.next is None:
            break
        cursor = parse_cursor(page.next)
        assert cursor.only == only
    assert seen == wanted
    assert mailbox.count_inbox(house.room, "b", only).unhandled == len(wanted)
    assert [one.id for one in mailbox.read_history(house.room, "b", only=only).messages] == wanted[::-1]
    assert [one.id for one in house.poll(b, only=only, everything=True).messages] == wanted[::-1]
    assert [one.id for one in house.poll(b, only=only).messages] == wanted


def test_ack_through_a_cursor_handles_what_its_list_showed(house: House, b: Actor, mixed: dict[str, str]) -> None:
    page = house.poll(b, only=Only("a"), limit=2)
    cursor = parse_cursor(page.next)
    house.send(Actor("a"), "b", "later")
    done = acknowledge_through(house.room, b, cursor.seq, cursor.only, None)
    assert done.handled == [mixed["a1"], mixed["a2"]]
    assert [one.body for one in house.poll(b).messages] == ["1", "2", "3", "later"]
    assert acknowledge_through(house.room, b, cursor.seq, cursor.only, None).handled == []
    house.assert_whole()


def test_ack_of_everything_handles_what_is_open_and_is_ones_own(
    house: House, a: Actor, b: Actor, mixed: dict[str, str]
) -> None:
    to_a = house.send(b, "a", "x")
    assert acknowledge_through(house.room, b, LAST, EVERYTHING, "done").handled == sorted(mixed.values())
    assert house.poll(b).messages == []
    assert house.receipt(to_a.id, "a").handled_at is None
    assert house.receipt(mixed["c1"], "b").note == "done"
    assert house.receipt(mixed["c1"], "b").delivered_at is None
    house.assert_whole()
