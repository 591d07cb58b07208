"""Reads beside the inbox that a screen needs: one message, and how long its thread is."""

from __future__ import annotations

from relay_tui.room import mailbox
from relay_tui.room.cursors import parse_cursor
from relay_tui.room.ledger import Actor
from tests.room_fixture import House, refusal


def test_peeking_at_a_message_and_measuring_its_thread_changes_nothing(house: House, a: Actor, b: Actor) -> None:
    root = house.send(a, "b", "x")
    house.send(b, None, "y", reply_to=root.id)
    house.join("c")
    aside = house.send(a, "c", "between us", reply_to=root.id)
    before = len(house.events())
    assert mailbox.peek_message(house.room, "b", root.id).body == "x"
    sizes = {name: mailbox.thread_size(house.room, name, root.id) for name in ("a", "b", "c", "operator")}
    assert sizes == {"a": 3, "b": 2, "c": 1, "operator": 3}
    assert refusal(mailbox.peek_message, house.room, "b", aside.id).code == "unknown_message"
    latest = mailbox.read_thread(house.room, "a", root.id, limit=2, newest=True)
    assert ([one.body for one in latest.messages], latest.next) == (["y", "between us"], None)
    for number in range(3):
        house.send(a, "c", f"between us {number}", reply_to=aside.id)
    first = mailbox.read_thread(house.room, "a", root.id, limit=4)
    assert [one.body for one in first.messages][:2] == ["x", "y"]
    rest = mailbox.read_thread(house.room, "a", root.id, after=parse_cursor(first.next).seq)
    assert ([one.body for one in rest.messages], rest.next) == (["between us 1", "between us 2"], None)
    assert parse_cursor(first.next).only.thread == root.id, "for `ack --through`"
    mine = mailbox.read_thread(house.room, "b", root.id, limit=2, newest=True)
    assert [one.body for one in mine.messages] == ["x", "y"], "whatever came after"
    assert len(house.events()) == before + 3
