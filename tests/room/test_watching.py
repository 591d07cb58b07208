"""`watch`: told once, never delivered, and no sign of the agent it watches for."""

from __future__ import annotations

import threading

from relay_tui.base.errors import RelayError
from relay_tui.base.times import MINUTE, SECOND
from relay_tui.room import registry
from relay_tui.room.bell import Bell
from relay_tui.room.ledger import Actor
from relay_tui.room.lock import WriterLock
from relay_tui.room.store import Store
from relay_tui.room.watching import Notice, watch_inbox
from tests.room_fixture import STARTED_AT, House


def notices(house: House, me: Actor, after: int | None = None) -> list[str]:
    try:
        return [notice.id for notice in watch_inbox(house.room, me, after=after, timeout=0)]
    except RelayError as fault:
        assert fault.code == "timeout"
        return []


def test_a_message_is_told_once_and_not_delivered(house: House, a: Actor, b: Actor) -> None:
    sent = house.send(a, "b", "first line\nsecond")
    house.clock.advance(MINUTE)
    (notice,) = watch_inbox(house.room, b, after=None, timeout=0)
    assert notice == Notice(sent.seq, STARTED_AT, "message", sent.id, "a", "first line", sent.id)
    receipt = house.receipt(sent.id, "b")
    assert (receipt.stage, receipt.notified_at, receipt.notified_by) == ("notified", STARTED_AT + MINUTE, "watch")
    assert receipt.delivered_at is None
    assert notices(house, b) == []
    assert registry.who_am_i(house.room, b).agent.last_seen == STARTED_AT
    house.assert_whole()


def test_behind_a_cursor_everything_open_is_told_again(house: House, a: Actor, b: Actor) -> None:
    sent = [house.send(a, "b", f"n{number}") for number in range(3)]
    notices(house, b)
    assert notices(house, b, after=sent[0].seq) == [sent[1].id, sent[2].id]
    assert len(house.events("message.notified")) == 1


def test_a_long_backlog_does_not_hide_what_is_new(house: House, a: Actor, b: Actor) -> None:
    for number in range(120):
        house.send(a, "b", f"n{number}")
    assert len(notices(house, b)) == 120
    new = house.send(a, "b", "new")
    assert notices(house, b) == [new.id]


def test_watchers_of_one_mailbox_do_not_tell_the_same(house: House, a: Actor, b: Actor) -> None:
    told: list[str] = []

    def watch() -> None:
        room = house.enter(house.repository)
        told.extend(notice.id for notice in watch_inbox(room, b, after=None, timeout=SECOND // 2))

    for number in range(20):
        house.send(a, "b", f"n{number}")
    watchers = [threading.Thread(target=lambda: _until_timeout(watch)) for _ in range(4)]
    for watcher in watchers:
        watcher.start()
    for watcher in watchers:
        watcher.join()
    assert sorted(told) == [f"M{number:07}" for number in range(1, 21)]


def test_a_message_that_comes_later_ends_the_wait(house: House, a: Actor, b: Actor) -> None:
    writer = threading.Timer(0.2, lambda: _send_from_elsewhere(house, a))
    writer.start()
    (notice,) = watch_inbox(house.room, b, after=None, timeout=20 * SECOND)
    writer.join()
    assert notice.summary == "late"


def test_mail_that_was_fetched_is_no_news(house: House, a: Actor, b: Actor) -> None:
    house.send(a, "b", "fetched")
    house.poll(b)
    house.send(a, "b", "new")
    assert [one.summary for one in watch_inbox(house.room, b, after=None, timeout=0)] == ["new"]
    assert [one.summary for one in watch_inbox(house.room, b, after=0, timeout=0)] == ["fetched", "new"]


def test_the_bell_rings_when_the_writer_lets_the_lock_go(house: House, a: Actor) -> None:
    lock = WriterLock(house.home)
    with Bell(house.home) as bell:
        waiter = threading.Thread(target=bell.wait, args=(120.0,))
        waiter.start()
        lock.acquire()
        waiter.join(0.1)
        assert waiter.is_alive() or bell.polling
        lock.release()
        waiter.join(60.0)
        assert not waiter.is_alive()


def test_the_bell_does_not_ring_for_who_only_reads(house: House, a: Actor, b: Actor) -> None:
    class Counted(Bell):
        rings = 0

        def _ring(self) -> None:
            self.rings += 1
            super()._ring()

    house.send(a, "b", "hello")
    with Counted(house.home) as bell:
        reader = Store(house.home)
        with reader.reading() as db:
            assert db.execute("SELECT count(*) FROM messages").fetchone() == (1,)
        reader.close()
        house.send(a, "b", "again")
        bell.wait(60.0)
        assert bell.rings == 1 or bell.polling


def _until_timeout(watch: object) -> None:
    try:
        watch()  # type: ignore[operator]
    except RelayError as fault:
        assert fault.code == "timeout"


def _send_from_elsewhere(house: House, me: Actor) -> None:
    there = House(house.folder, repository=house.repository)
    there.new_id = house.new_id
    there.room = there.enter(house.repository)
    there.send(me, "b", "late")
