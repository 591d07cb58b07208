"""Another file in the database's place, as a restore puts it: whoever had the old one open goes on with the new."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing
from itertools import islice

import pytest

from relay_tui.room.journal import follow_log
from relay_tui.room.ledger import Actor
from relay_tui.room.rooms import Room
from relay_tui.room.watching import watch_inbox
from tests.room.messengers import start
from tests.room.workers import finish
from tests.room_fixture import House


@pytest.fixture
def saved(house: House) -> str:
    """A copy of a room with a and b in it, made before the ten messages that stand in it now."""
    a = house.join("a")
    house.join("b")
    copy = os.path.join(house.folder, "copy.db")
    with closing(sqlite3.connect(house.room.store.path)) as db:
        db.execute("VACUUM INTO ?", (copy,))
    for number in range(10):
        house.send(a, "b", f"before {number}")
    return copy


def put_back(house: House, copy: str) -> None:
    """What a restore must do: the old file's log would be taken for the new one's."""
    for side in ("-wal", "-shm"):
        if os.path.exists(house.room.store.path + side):
            os.remove(house.room.store.path + side)
    os.replace(copy, house.room.store.path)


def bodies(room: Room) -> list[str]:
    with room.reading() as db:
        return [row[0] for row in db.execute("SELECT summary FROM messages ORDER BY seq")]


def test_whoever_keeps_the_file_open_writes_into_the_new_one(house: House, saved: str) -> None:
    kept = House(house.folder, repository=house.repository)
    kept.room = kept.enter(house.repository, keep_open=True)
    kept.new_id = house.new_id
    kept.send(Actor("a"), "b", "the last of the old")
    assert len(bodies(kept.room)) == 11
    put_back(house, saved)
    assert bodies(kept.room) == []
    kept.send(Actor("a"), "b", "the first of the new")
    assert bodies(kept.room) == bodies(house.room) == ["the first of the new"]
    kept.room.store.close()
    assert bodies(house.enter(house.repository)) == ["the first of the new"]
    house.assert_whole()


def test_a_watch_goes_on_in_a_ledger_that_counts_from_an_earlier_number(house: House, saved: str) -> None:
    told: list[str] = []
    ten_are_told = threading.Event()

    def watch() -> None:
        there = House(house.folder, repository=house.repository)
        for notice in islice(watch_inbox(there.room, Actor("b"), after=None, timeout=None), 11):
            told.append(notice.summary)
            if len(told) == 10:
                ten_are_told.set()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    assert ten_are_told.wait(20)
    put_back(house, saved)
    house.send(Actor("a"), "b", "after the restore")
    watcher.join(20)
    assert told[10:] == ["after the restore"]


def test_the_log_is_followed_into_a_ledger_that_counts_from_an_earlier_number(house: House, saved: str) -> None:
    there = House(house.folder, repository=house.repository)
    followed = follow_log(there.room, "b", after=0, kind="message")
    assert [event.data["body"] for event in islice(followed, 10)][9] == "before 9"
    put_back(house, saved)
    house.send(Actor("a"), "b", "after the restore")
    assert next(followed).data["body"] == "after the restore"
    followed.close()


def test_two_watchers_in_two_processes_tell_each_message_once(house: House, saved: str) -> None:
    watchers = [start("watch", house.home, house.repository, 3) for _ in range(2)]
    a, ids = Actor("a"), [row[0] for row in house.rows("SELECT id FROM messages")]
    for _ in range(3):
        threading.Event().wait(0.3)
        ids += [house.send(a, "b", str(number)).id for number in range(10)]
    told = [line for watcher in watchers for line in finish(watcher).split()]
    assert sorted(told) == sorted(set(told))
    assert set(told) <= set(ids) and len(told) >= 10
    notified = [one for event in house.events("message.notified") for one in event.data["messages"]]
    assert sorted(notified) == sorted(told)
    assert house.rows("SELECT count(*) FROM deliveries WHERE delivered_at IS NOT NULL") == [(0,)]
