"""The chain: its published vector, and every way of tampering that it must show."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import struct

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.room import journal
from relay_tui.room.chains import verify
from relay_tui.room.ledger import INSERT, Actor, chain_hash, decode_payloads, first_previous, read_events
from relay_tui.room.lobby import init_room
from relay_tui.room.rebuild import check_rebuild
from relay_tui.room.registry import Joining, join
from tests.room_fixture import STARTED_AT, House

EDITED = "CAST(replace(CAST(payload AS TEXT), 'ready', 'raedy') AS BLOB)"


@pytest.fixture
def busy_house(house: House) -> House:
    """Some of every kind of event."""
    a, b = house.join("a"), house.join("b")
    sent = house.send(a, "b", "ready")
    house.poll(b)
    house.ack(b, sent.id, note="done")
    house.claim(a, "src/auth", "machine:native")
    return house


def tamper(house: House, sql: str, *bounds: object) -> None:
    with sqlite3.connect(house.room.store.path) as db:
        db.execute(sql, bounds)
    db.close()


def verdict(house: House) -> journal.Verified:
    return journal.verify_log(house.room, None)


def test_the_published_vector() -> None:
    """Anybody can check a ledger with these lines and no relay."""
    payload = b'{"v":1,"room":"R7k2m9qx","number":1,"seq":1,"kind":"room.created"}'
    previous = hashlib.sha256(b"relay-room-1\0R7k2m9qx").digest()
    framed = b"relay-event-1\0" + previous + struct.pack(">QQ", 1, len(payload)) + payload
    assert previous.hex() == "12ca01a1e8f2b47d12e9b292bf8f0cf13490897a9d6d2c74d039a95f90c2ef78"
    assert hashlib.sha256(framed).hexdigest() == "76c995d9c30cdc82ec63b5025adf47fd91ca89ab04e51154320a0b69ad4f8c6f"
    assert first_previous("R7k2m9qx") == previous
    assert chain_hash(previous, 1, payload).hex() == "76c995d9c30cdc82ec63b5025adf47fd91ca89ab04e51154320a0b69ad4f8c6f"


def test_a_stored_event_is_the_bytes_that_were_hashed(house: House) -> None:
    join(house.room, Actor("a", "s-1"), Joining(runner="codex"))
    (payload, digest), *_ = house.rows("SELECT payload, hash FROM events WHERE number = 2")
    previous = house.rows("SELECT hash FROM events WHERE number = 1")[0][0]
    members = json.loads(payload)
    assert list(members) == ["v", "room", "number", "seq", "time", "actor", "session", "via", "kind", "data"]
    assert members | {"data": None} == {
        "v": 1, "room": "R0000001", "number": 2, "seq": 2, "time": STARTED_AT, "actor": "a",
        "session": "s-1", "via": "cli", "kind": "agent.joined", "data": None,
    }  # fmt: skip
    framed = b"relay-event-1\0" + previous + struct.pack(">QQ", 2, len(payload)) + payload
    assert hashlib.sha256(framed).digest() == digest


@pytest.mark.parametrize("payload", [b"", b"1", b"[]", b"{", b"{},{}", b"\xff"])
def test_a_payload_is_one_json_object(payload: bytes) -> None:
    good = b'{"kind":"x"}'
    assert decode_payloads([good, good]) == [{"kind": "x"}, {"kind": "x"}]
    with pytest.raises(ValueError):
        decode_payloads([good, payload])


def test_an_untouched_ledger_holds(busy_house: House) -> None:
    assert verdict(busy_house) == (len(busy_house.events()), 1, True, None, None)
    busy_house.assert_whole()


@pytest.mark.parametrize(
    ("sql", "number"),
    [
        (f"UPDATE events SET payload = {EDITED} WHERE kind = 'message.sent'", 4),
        ("UPDATE events SET payload = CAST(payload || ' ' AS BLOB) WHERE number = 2", 2),
        ("UPDATE events SET payload = x'ff' WHERE number = 2", 2),
        ("UPDATE events SET hash = zeroblob(32) WHERE number = 3", 3),
        ("UPDATE events SET kind = 'claim.released' WHERE kind = 'claim.taken'", 7),
        ("UPDATE events SET at = at + 1 WHERE number = 5", 5),
        ("UPDATE events SET number = 40 WHERE number = 7", 40),
        ("UPDATE events SET seq = 70 WHERE number = 7", 7),
        ("DELETE FROM events WHERE number = 1", 2),
        ("DELETE FROM events WHERE number = 5", 6),
    ],
)
def test_tampering_is_found_where_it_is(busy_house: House, sql: str, number: int) -> None:
    tamper(busy_house, sql)
    assert verdict(busy_house)[2:] == (False, ("R0000001", number), None)
    assert verdict(busy_house).exit_code == 4


def test_an_event_moved_to_another_room_is_found(busy_house: House) -> None:
    tamper(busy_house, "UPDATE events SET room = 99 WHERE number = 7")
    assert not verdict(busy_house).ok


def test_a_cut_tail_is_found_by_what_was_kept_elsewhere(busy_house: House) -> None:
    (head,) = journal.read_heads(busy_house.room).heads
    kept = f"{head.number}:{head.hash}"
    assert journal.verify_log(busy_house.room, kept).ok
    tamper(busy_house, "DELETE FROM events WHERE number = ?", head.number)
    assert verdict(busy_house).ok  # a chain cannot prove its own end
    with pytest.raises(RelayError) as cut:
        journal.verify_log(busy_house.room, kept)
    assert cut.value.code == "corrupt"
    with pytest.raises(RelayError) as other:
        journal.verify_log(busy_house.room, f"1:{'0' * 64}")
    assert other.value.code == "corrupt"


@pytest.mark.parametrize("kept", ["", "7", "x:00", "1:zz", f"{'9' * 30}:00"])
def test_what_was_kept_must_be_number_and_hash(busy_house: House, kept: str) -> None:
    with pytest.raises(RelayError) as refused:
        journal.verify_log(busy_house.room, kept)
    assert refused.value.code == "usage"


@pytest.mark.parametrize(
    ("sql", "table"),
    [
        ("UPDATE agents SET status = 'done' WHERE name = 'a'", "agents"),
        ("UPDATE messages SET summary = 'x'", "messages"),
        ("UPDATE deliveries SET handled_at = NULL", "deliveries"),
        ("DELETE FROM claims WHERE scope = 'machine'", "claims"),
        ("UPDATE rooms SET name = 'x'", "rooms"),
        ("INSERT INTO plans (room, path, digest, choices, read_at) VALUES (1, 'x', '', '', 0)", "plans"),
        ("UPDATE sessions SET ended_at = 1", "sessions"),
    ],
)
def test_a_projection_that_says_more_than_the_events_is_found(busy_house: House, sql: str, table: str) -> None:
    tamper(busy_house, sql)
    with busy_house.room.store.reading() as db:
        rebuilt = check_rebuild(db)
    assert (rebuilt.equal, rebuilt.exit_code) == (False, 4)
    assert [name for name, check in rebuilt.tables.items() if not check.equal] == [table]


def test_kinds_of_a_later_relay_change_nothing(busy_house: House) -> None:
    with busy_house.room.writing(busy_house.operator) as tx:
        tx.append("lease.granted", {"x": 1})
        tx.append("message.unheard_of", {"x": 1})
    busy_house.assert_whole()


def test_the_log_pages_forwards_and_shows_the_newest_of_a_kind(busy_house: House) -> None:
    numbers: list[int] = []
    after: int | None = 0
    while after is not None:
        page = journal.read_log(busy_house.room, None, after=after, kind=None, limit=3)
        numbers += [event.number for event in page.events]
        after = int(page.next[1:]) if page.next else None
    assert numbers == list(range(1, 8))
    newest = journal.read_newest(busy_house.room, None, kind=None, limit=2).events
    assert [event.kind for event in newest] == ["message.handled", "claim.taken"]
    assert newest[1].prev == newest[0].hash
    joined = journal.read_newest(busy_house.room, None, kind="agent", limit=2).events
    assert [event.data["agent"] for event in joined] == ["a", "b"]
    assert journal.read_newest(busy_house.room, None, kind="mess", limit=2).events == []


@pytest.mark.parametrize(
    ("reader", "shown"), [("a", True), ("b", True), ("operator", True), ("c", False), (None, False)]
)
def test_bodies_of_direct_mail_are_for_those_it_concerns(busy_house: House, reader: str | None, shown: bool) -> None:
    (event,) = journal.read_log(busy_house.room, reader, after=0, kind="message.sent", limit=10).events
    assert event.data["body"] == event.data["summary"] == ("ready" if shown else None)


def test_an_event_is_read_in_its_own_room_only(busy_house: House, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = str(tmp_path_factory.mktemp("other"))
    init_room(busy_house.enter(folder), name="other")
    other = busy_house.enter(folder)
    kinds = [event.kind for event in journal.read_log(other, None, after=0, kind=None, limit=10).events]
    assert kinds == ["room.created"]
    with other.store.reading() as db:
        assert verify(db).rooms == 2


@pytest.mark.parametrize(
    "payloads",
    [(b'{"v":1},{"v":2', b'"w":3}'), (b'{"v":1},{"x":[{}', b'{"y":1}]}'), (b'{"v":1},{"x":"}', b'{"}')],
)
def test_payloads_that_only_together_are_events_are_none(payloads: tuple[bytes, bytes]) -> None:
    with pytest.raises(RelayError):
        decode_payloads(payloads)


def test_a_page_of_a_quiet_room_is_found_without_walking_the_others(house: House) -> None:
    house.join("a")
    with house.room.store.writing() as db:
        key = house.room.row.key
        many = ((seq, 99, seq, "x", 0, bytes(32), b"") for seq in range(100, 5000))
        db.executemany(INSERT, many)
        steps: list[int] = []
        db.set_progress_handler(lambda: steps.append(1), 100)
        assert read_events(db, key, after=4999) == []
        assert [event.number for event in read_events(db, key, after=1, through=4999)] == [2]
        db.set_progress_handler(None, 0)
        assert len(steps) < 20
