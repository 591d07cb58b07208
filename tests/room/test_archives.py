"""Archives: what is older goes into a file that is proved first, and nothing that anybody reads is lost by it."""

from __future__ import annotations

import fcntl
import os
import signal
import sqlite3
import stat
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from relay_tui.base.times import HOUR, MINUTE
from relay_tui.room import journal
from relay_tui.room.archive_files import spare_archives
from relay_tui.room.archives import Archived, archive_events, attach_archive
from relay_tui.room.backup import write_backup
from relay_tui.room.ledger import Actor, chain_hash, decode_payload
from relay_tui.room.lobby import init_room
from relay_tui.room.mailbox import read_history
from tests.room.round_trips import bring_back, home_at
from tests.room_fixture import House, refusal

FORGED = "CAST(replace(CAST(content AS TEXT), 'ledger-', 'forged-') AS BLOB)"


@pytest.fixture
def busy_house(house: House) -> House:
    """Two agents, some mail of which one is open, a claim that is held; then an hour of quiet, and a word."""
    a, b = house.join("a"), house.join("b")
    for body in ("first", "second", "open"):
        house.send(a, "b", body)
    house.poll(b)
    house.ack(b, "M0000001", "M0000002")
    house.claim(a, "src/auth", "machine:native")
    house.clock.advance(HOUR)
    house.send(b, "a", "later")
    return house


def archive(house: House, ago: int = 30 * MINUTE) -> Archived:
    return archive_events(house.room, house.operator, house.clock.now - ago)


def path_of(done: Archived) -> str:
    assert done.file is not None
    return done.file


def spare(house: House) -> list[str]:
    with house.room.reading() as db:
        return spare_archives(house.home, db)


def kinds(house: House) -> list[str]:
    return [kind for (kind,) in house.rows("SELECT kind FROM events ORDER BY seq")]


def tamper(path: str, sql: str, *bounds: object) -> None:
    with sqlite3.connect(path) as db:
        db.execute(sql, bounds)
    db.close()


def test_the_log_is_shorter_and_mail_is_where_it_was(busy_house: House) -> None:
    history = read_history(busy_house.room, "b")
    unhandled = busy_house.poll(Actor("b")).messages
    done = archive(busy_house)
    assert (done.events, done.messages_kept) == (9, 3)
    assert kinds(busy_house) == ["message.sent"] * 3 + ["claim.taken", "message.sent", "log.archived"]
    assert read_history(busy_house.room, "b") == history
    assert busy_house.poll(Actor("b")).messages == unhandled
    busy_house.ack(Actor("b"), "M0000003")
    busy_house.assert_whole()


def test_an_archive_is_private_and_its_name_says_what_is_in_it(busy_house: House) -> None:
    path = path_of(archive(busy_house))
    assert os.path.basename(path).startswith("ledger-1-9-")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    assert sorted(os.listdir(os.path.dirname(path))) == [os.path.basename(path), "lock"]


def test_a_dry_run_foretells_it_and_leaves_nothing(busy_house: House) -> None:
    before = kinds(busy_house)
    dry = busy_house.enter(busy_house.repository, dry_run=True)
    told = archive_events(dry, busy_house.operator, busy_house.clock.now - MINUTE)
    assert (told.file, told.events, told.messages_kept) == (None, 9, 3)
    assert kinds(busy_house) == before
    assert not os.path.exists(os.path.join(busy_house.home, "archives"))
    assert archive(busy_house).rooms == told.rooms


def test_what_is_not_that_old_is_not_archived(busy_house: House) -> None:
    assert archive(busy_house, 2 * HOUR).events == 0
    archive(busy_house)
    assert archive(busy_house).events == 0
    assert kinds(busy_house).count("log.archived") == 1


def test_what_tells_of_archives_alone_is_not_archived_again(busy_house: House) -> None:
    assert archive(busy_house, -MINUTE).events == 10
    assert archive(busy_house, -MINUTE).events == 0


def test_what_is_no_file_is_no_archive_and_is_not_read_for_ever(busy_house: House, tmp_path: Path) -> None:
    archive(busy_house)
    os.mkfifo(tmp_path / "pipe")
    for path in (str(tmp_path / "pipe"), "/dev/zero", str(tmp_path)):
        assert refusal(attach_archive, busy_house.room, busy_house.operator, path).code == "no_file"
        assert refusal(journal.verify_log, busy_house.room, None, [path]).code == "no_file"


def test_everything_may_go_and_the_chains_go_on(busy_house: House, tmp_path_factory: pytest.TempPathFactory) -> None:
    init_room(busy_house.enter(str(tmp_path_factory.mktemp("other"))), name="other")
    heads = {one.room: one for one in journal.read_heads(busy_house.room).heads}
    busy_house.clock.advance(MINUTE)
    done = archive(busy_house, 0)
    assert {one.room: (one.number, one.hash) for one in done.rooms} == {
        name: (one.number, one.hash) for name, one in heads.items()
    }
    assert [one.number for one in journal.read_heads(busy_house.room).heads] == [2, 11]
    said = busy_house.rows("SELECT room, payload FROM events WHERE kind = 'log.archived' ORDER BY room")
    assert [decode_payload(payload)["actor"] for _, payload in said] == ["operator", "relay"]
    busy_house.claim(Actor("b"), "lib")
    busy_house.assert_whole()
    assert journal.verify_log(busy_house.room, None, [path_of(done)]).events == 14


def test_the_log_says_where_the_rest_is(busy_house: House) -> None:
    path = path_of(archive(busy_house))
    newest = journal.read_newest(busy_house.room, None, kind=None, limit=50)
    assert [event.kind for event in newest.events] == ["message.sent", "log.archived"]
    assert newest.events[1].prev == newest.events[0].hash
    assert os.path.basename(path) in newest.doubts[0]
    assert journal.read_newest(busy_house.room, None, kind=None, limit=1).doubts == ()
    page = journal.read_log(busy_house.room, None, after=3, kind=None, limit=50)
    assert (page.events, page.doubts) == (newest.events, newest.doubts)


def test_what_was_kept_of_an_archived_event_is_looked_for_in_the_archive(busy_house: House) -> None:
    (digest,) = busy_house.rows("SELECT hash FROM events WHERE number = 2")[0]
    kept = f"2:{digest.hex()}"
    path = path_of(archive(busy_house))
    assert refusal(journal.verify_log, busy_house.room, kept).code == "no_file"
    assert journal.verify_log(busy_house.room, kept, [path]).ok
    assert refusal(journal.verify_log, busy_house.room, f"2:{'0' * 64}", [path]).code == "corrupt"


@pytest.mark.parametrize(
    ("sql", "number"),
    [
        ("UPDATE events SET payload = CAST(replace(CAST(payload AS TEXT), 'first', 'fisrt') AS BLOB) WHERE seq = 4", 9),
        ("UPDATE events SET hash = zeroblob(32) WHERE seq = 5", 9),
        ("UPDATE events SET at = at + 1 WHERE seq = 9", 9),
        ("UPDATE events SET hash = zeroblob(32) WHERE seq = 9", 9),
        ("DELETE FROM events WHERE seq = 4", 9),
        ("DELETE FROM events WHERE seq = 9", 9),
        ("DELETE FROM events WHERE seq = 10", 11),
        ("DELETE FROM events WHERE kind = 'log.archived'", 9),
        ("DELETE FROM base WHERE place = 2", 9),
        ("UPDATE base SET content = zeroblob(9) WHERE place = 2", 9),
        (f"UPDATE base SET content = {FORGED} WHERE place = 0", 9),
    ],
)
def test_tampering_below_and_at_the_cut_is_found(busy_house: House, sql: str, number: int) -> None:
    archive(busy_house)
    busy_house.room.store.close()
    tamper(busy_house.room.store.path, sql)
    assert journal.verify_log(busy_house.room, None).first_bad == ("R0000001", number)


@pytest.mark.parametrize("place", [100, -1])
def test_an_archive_of_which_one_byte_was_changed_is_refused(busy_house: House, place: int) -> None:
    path = path_of(archive(busy_house))
    content = bytearray(Path(path).read_bytes())
    content[place] ^= 1
    Path(path).write_bytes(content)
    before = kinds(busy_house)
    for act in (
        lambda: journal.verify_log(busy_house.room, None, [path]),
        lambda: attach_archive(busy_house.room, busy_house.operator, path),
        lambda: journal.read_log_until(busy_house.room, None, busy_house.clock.now, after=None, kind=None, limit=9),
    ):
        assert refusal(act).code == "corrupt"
    assert kinds(busy_house) == before


def test_archives_come_back_in_the_order_of_the_chain(busy_house: House) -> None:
    first = archive(busy_house)
    busy_house.clock.advance(HOUR)
    second = archive(busy_house)
    assert spare(busy_house) == []
    assert refusal(attach_archive, busy_house.room, busy_house.operator, path_of(first)).code == "corrupt"
    assert journal.verify_log(busy_house.room, None, [path_of(first), path_of(second)]).events == 12
    assert attach_archive(busy_house.room, busy_house.operator, path_of(second)).events == 1
    assert spare(busy_house) == [os.path.basename(path_of(second))]
    assert journal.verify_log(busy_house.room, None).archive == os.path.basename(path_of(first))
    assert attach_archive(busy_house.room, busy_house.operator, path_of(first)).events == 5
    assert journal.verify_log(busy_house.room, None) == (12, 1, True, None, None)
    assert refusal(attach_archive, busy_house.room, busy_house.operator, path_of(first)).code == "refused"
    assert refusal(journal.verify_log, busy_house.room, None, [path_of(first)]).code == "invalid"


def test_an_archives_name_is_one_that_can_be_pasted(busy_house: House, tmp_path: Path) -> None:
    """As the rest of a line that relay prints; whoever makes up a whole ledger could say anything."""
    archive(busy_house)
    forged = "CAST(replace(CAST({0} AS TEXT), 'ledger-', 'x;id ledger-') AS BLOB)"
    with busy_house.room.store.writing() as db:
        db.execute(f"UPDATE base SET content = {forged.format('content')} WHERE place = 0")
        db.execute(f"UPDATE events SET payload = {forged.format('payload')} WHERE kind = 'log.archived'")
        (before, _), (_, payload) = db.execute("SELECT hash, payload FROM events WHERE number > 9 ORDER BY number")
        db.execute("UPDATE events SET hash = ? WHERE number = 11", (chain_hash(before, 11, payload),))
    write_backup(busy_house.room, str(tmp_path / "b.db"), force=False)
    assert refusal(bring_back, home_at(tmp_path / "other", busy_house), tmp_path / "b.db").code == "corrupt"


def test_an_attached_archive_can_be_made_again(busy_house: House) -> None:
    first = archive(busy_house)
    attach_archive(busy_house.room, busy_house.operator, path_of(first))
    again = archive(busy_house)
    assert (again.file, again.sha256) == (first.file, first.sha256)
    busy_house.assert_whole()


def test_one_archives_at_a_time(busy_house: House) -> None:
    os.makedirs(os.path.join(busy_house.home, "archives"))
    with open(os.path.join(busy_house.home, "archives", "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert refusal(archive, busy_house).code == "busy"
    assert archive(busy_house).events == 9


def test_what_ends_because_others_write_leaves_no_archive(busy_house: House) -> None:
    busy_house.room = busy_house.enter(busy_house.repository, deadline=0.05)
    with open(os.path.join(busy_house.home, "relay.lock"), "a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert refusal(archive, busy_house).code == "busy"
    assert os.listdir(os.path.join(busy_house.home, "archives")) == ["lock"]
    assert archive(busy_house).events == 9


def test_a_damaged_ledger_is_not_archived(busy_house: House) -> None:
    busy_house.room.store.close()
    tamper(busy_house.room.store.path, "UPDATE events SET hash = zeroblob(32) WHERE seq = 5")
    assert refusal(archive, busy_house).code == "corrupt"
    assert len(kinds(busy_house)) == 10
    assert os.listdir(os.path.join(busy_house.home, "archives")) == ["lock"]


def test_killed_at_any_moment_it_is_as_before_or_done(busy_house: House) -> None:
    """Each time the process is killed a step later; what is in the ledger and the archive is all there was."""
    events = busy_house.rows("SELECT * FROM events ORDER BY seq")
    busy_house.room.store.close()
    states, step, died = [], 1, True
    while died:
        died = killed_at(busy_house, step)
        stored = busy_house.rows("SELECT * FROM events ORDER BY seq")
        states.append(stored != events)
        busy_house.assert_whole()
        if stored != events:
            (name,) = [one for one in os.listdir(os.path.join(busy_house.home, "archives")) if one.endswith(".db")]
            attach_archive(busy_house.room, busy_house.operator, os.path.join(busy_house.home, "archives", name))
            assert busy_house.rows("SELECT * FROM events ORDER BY seq")[: len(events)] == events
            events = busy_house.rows("SELECT * FROM events ORDER BY seq")
        busy_house.room.store.close()
        step += 1
    assert states == sorted(states), "the old state up to one step, the new one from there"
    assert states.count(False) >= 10
    assert states.count(True) >= 3


_STEPS = ("execute", "executemany", "executescript", "fsync", "rename")
_WRITERS = ("_copy", "_write_archive", "sync_folder", "writing", "_cut_ledger", "append", "compact")


def killed_at(house: House, step: int) -> bool:
    """Whether an archiving process was killed before its `step`-th step that writes a file; else it is done."""
    child = os.fork()
    if not child:
        left = step

        def count(frame: FrameType, event: str, function: Any) -> None:
            nonlocal left
            if event == "c_call" and function.__name__ in _STEPS and frame.f_code.co_name in _WRITERS:
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        room = house.enter(house.repository)
        sys.setprofile(count)
        archive_events(room, house.operator, house.clock.now - 30 * MINUTE)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
