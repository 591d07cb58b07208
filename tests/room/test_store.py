"""Files that are not what they should be: refused in a sentence, and left as they were (DESIGN §5)."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.room import mailbox, registry, schema
from relay_tui.room.ledger import Actor
from relay_tui.room.lock import WriterLock
from relay_tui.room.presence import note_reader
from relay_tui.room.registry import Joining
from relay_tui.room.store import Store
from tests.room_fixture import House, refusal

NOBODY = 65534


@pytest.fixture
def full_house(house: House) -> House:
    """A room with enough mail to fill several pages of the file."""
    a = house.join("a")
    house.room.store.close()  # nobody reads: the last to close brings what was written into the file
    for number in range(30):
        house.send(a, "operator", f"n{number} " + "x" * 1000)
    return house


def database(house: House) -> bytes:
    with open(house.room.store.path, "rb") as file:
        return file.read()


def refusals(house: House) -> list[RelayError]:
    """What a reader, a writer and a reader's sign are told."""
    acts: list[Callable[[], object]] = [
        lambda: house.enter(house.repository).row,
        lambda: mailbox.read_history(house.room, "operator"),
        lambda: house.send(house.operator, "a", "x"),
        lambda: note_reader(house.room, "a", "cli"),
    ]
    told = []
    for act in acts:
        with pytest.raises(RelayError) as refused:
            act()
        told.append(refused.value)
    return told


@pytest.mark.parametrize(
    "content", [b"a letter, not a database\n" * 200, b"SQLite format 3\0", b"x"], ids=["letter", "head", "byte"]
)
def test_a_file_that_is_not_a_database(full_house: House, content: bytes) -> None:
    with open(full_house.room.store.path, "wb") as file:
        file.write(content)
    assert {fault.code for fault in refusals(full_house)} == {"corrupt"}
    assert database(full_house) == content


@pytest.mark.parametrize("share", [0.01, 0.3, 0.6, 0.95])
def test_a_truncated_file_is_never_written_to(full_house: House, share: float) -> None:
    whole = database(full_house)
    cut = whole[: int(len(whole) * share)]
    with open(full_house.room.store.path, "wb") as file:
        file.write(cut)
    with pytest.raises(RelayError) as refused:
        full_house.send(full_house.operator, "a", "x")
    assert (refused.value.code, refused.value.exit_code) == ("corrupt", 4)
    assert database(full_house) == cut


def test_a_file_of_a_newer_relay_is_left_byte_for_byte(full_house: House) -> None:
    with sqlite3.connect(full_house.room.store.path) as db:
        db.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    db.close()
    before = database(full_house)
    told = refusals(full_house)
    assert {fault.code for fault in told} == {"newer_schema"}
    assert "Upgrade" in told[0].hint
    assert database(full_house) == before


def test_an_empty_file_is_not_taken_for_a_new_home(house: House) -> None:
    house.join("a")
    house.room.store.close()
    with open(house.room.store.path, "w"):
        pass
    for fault in refusals(house):
        assert (fault.code, "is empty" in fault.message) == ("corrupt", True)
    assert os.path.getsize(house.room.store.path) == 0


def test_what_a_killed_maker_left_is_made_anew(house: House) -> None:
    os.makedirs(house.home, mode=0o700)
    for left in ("relay.db.new", "relay.db.new-wal"):
        with open(os.path.join(house.home, left), "w") as file:
            file.write("half")
    house.join("a")
    assert sorted(name for name in os.listdir(house.home) if ".new" in name) == []
    house.assert_whole()


def test_a_database_that_lost_a_table_is_still_relays_and_a_backup_helps(full_house: House) -> None:
    with closing(sqlite3.connect(full_house.room.store.path, isolation_level=None)) as db:
        db.execute("DROP TABLE presence")
    with pytest.raises(RelayError) as refused:
        full_house.enter(full_house.repository)
    assert refused.value.code == "corrupt"
    assert "relay restore" in refused.value.hint


@pytest.mark.parametrize("version", [0, schema.VERSION])
def test_somebody_elses_database_is_left_alone(house: House, version: int) -> None:
    os.mkdir(house.home, 0o700)
    with sqlite3.connect(house.room.store.path) as db:
        db.execute("CREATE TABLE events (x)")
        db.execute(f"PRAGMA user_version = {version}")
    db.close()
    before = database(house)
    for act in (lambda: house.enter(house.repository), lambda: house.join("a")):
        with pytest.raises(RelayError) as refused:
            act()
        assert refused.value.code == "corrupt"
        assert "not relay's" in refused.value.message
    assert database(house) == before


def test_without_a_file_readers_are_told_what_to_do(house: House) -> None:
    with pytest.raises(RelayError) as refused, house.room.store.reading():
        pass
    assert (refused.value.code, refused.value.hint) == ("no_file", "Run: relay init")


def test_a_home_that_is_a_file(house: House) -> None:
    with open(house.home, "w"):
        pass
    with pytest.raises(RelayError) as refused:
        house.join("a")
    assert refused.value.code == "storage"


def test_odd_characters_in_the_homes_name(house: House) -> None:
    house.home = os.path.join(house.folder, "a?b#c%20d é")
    house.room = house.enter(house.repository)
    house.join("a")
    assert os.listdir(house.home).count("relay.db") == 1
    house.assert_whole()


def test_a_database_that_may_grow_no_more_refuses_and_loses_nothing(full_house: House) -> None:
    full_house.room = full_house.enter(full_house.repository, keep_open=True)
    store = full_house.room.store
    with store.writing() as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages + 2}")
    sent = len(full_house.events("message.sent"))
    with pytest.raises(RelayError) as refused:
        full_house.send(full_house.operator, "a", "x" * 60_000)
    assert (refused.value.code, refused.value.exit_code) == ("storage", 1)
    assert "Free disk space" in refused.value.hint
    assert len(full_house.events("message.sent")) == sent
    with store.writing() as db:
        db.execute("PRAGMA max_page_count = 100000")
    full_house.send(full_house.operator, "a", "y" * 60_000)
    full_house.assert_whole()
    store.close()


def test_the_file_is_not_written_again_at_every_thousand_pages(full_house: House) -> None:
    full_house.room = full_house.enter(full_house.repository, keep_open=True)
    full_house.send(full_house.operator, "a", "x")
    before = database(full_house)
    for _ in range(120):
        full_house.send(full_house.operator, "a", "x" * 60_000)
    assert os.path.getsize(f"{full_house.room.store.path}-wal") > 8_000_000
    assert database(full_house) == before
    full_house.room.store.close()
    assert not os.path.exists(f"{full_house.room.store.path}-wal")
    full_house.assert_whole()


@contextmanager
def as_common_user(house: House) -> Iterator[None]:
    """Without root's right to write everywhere, in the home of a common user."""
    if os.geteuid() != 0:
        yield
        return
    for folder, _, names in os.walk(house.home):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.chown(path, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def open_house(repository: str) -> Iterator[House]:
    """A house that a common user can reach, which a folder of pytest's is not."""
    folder = tempfile.mkdtemp(prefix="relay-test-")
    os.chmod(folder, 0o755)
    house = House(folder, repository=repository)
    house.join("a")
    house.room.store.close()
    house.join("b")  # nobody reads: the last to close leaves no -wal
    yield house
    os.chmod(house.home, 0o700)
    shutil.rmtree(folder)


@pytest.mark.parametrize(("home", "file"), [(0o500, 0o600), (0o700, 0o400), (0o500, 0o400)])
def test_a_home_that_may_not_be_written(open_house: House, home: int, file: int) -> None:
    house = open_house
    before = database(house)
    for name in os.listdir(house.home):
        os.chmod(os.path.join(house.home, name), file)
    os.chmod(house.home, home)
    house.room.store.close()
    with as_common_user(house):
        assert mailbox.read_history(house.enter(house.repository, "repo"), "a").messages == []
        with pytest.raises(RelayError) as refused:
            house.send(house.operator, "a", "x")
    assert (refused.value.code, refused.value.exit_code) == ("storage", 1)
    assert refused.value.hint
    assert database(house) == before


def test_somebody_elses_home_is_refused(open_house: House) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make a folder that belongs to somebody else")
    os.chown(open_house.home, NOBODY, NOBODY)
    os.remove(open_house.room.store.path)
    with pytest.raises(RelayError) as refused:
        Store(open_house.home).ensure()
    assert refused.value.code == "refused"
    os.chown(open_house.home, 0, 0)


def test_a_home_open_to_others_is_closed(house: House) -> None:
    os.mkdir(house.home, 0o777)
    os.chmod(house.home, 0o777)
    house.join("a")
    assert os.stat(house.home).st_mode & 0o777 == 0o700


def test_another_programs_transaction_is_busy_not_a_fault(full_house: House) -> None:
    """Somebody who does not know of the writers' queue holds SQLite's own lock."""
    full_house.room = full_house.enter(full_house.repository, deadline=0.05)
    stranger = sqlite3.connect(full_house.room.store.path, isolation_level=None)
    stranger.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(RelayError) as refused:
            full_house.send(full_house.operator, "a", "x")
        assert refused.value.code == "busy"
    finally:
        stranger.close()


@pytest.mark.parametrize("keep_open", [False, True])
def test_such_a_program_is_waited_for_as_long_as_any_writer(full_house: House, keep_open: bool) -> None:
    store = full_house.enter(full_house.repository, keep_open=keep_open, deadline=7).store

    def patience() -> int:
        with store.writing() as db:
            return int(db.execute("PRAGMA busy_timeout").fetchone()[0])

    with store.waiting(40):
        assert [patience(), patience()] == [40_000, 40_000]
    assert patience() == 7_000
    store.close()


def test_who_closes_while_another_writes_leaves_all_the_same(full_house: House) -> None:
    kept = full_house.enter(full_house.repository, keep_open=True, deadline=0.05)
    registry.join(kept, Actor("a"), Joining())
    lock = WriterLock(full_house.home)
    lock.acquire()
    try:
        kept.store.close()
    finally:
        lock.release()
    full_house.send(full_house.operator, "a", "x")
    assert not os.path.exists(f"{full_house.room.store.path}-wal")


def test_the_copy_before_a_migration_is_private_and_not_the_half_of_one(
    full_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "VERSION", 2)
    copy = Path(f"{full_house.room.store.path}.before-2")
    Path(f"{copy}.relay-part").write_bytes(b"half")
    full_house.enter(full_house.repository).store.ensure()
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("SELECT count(*) FROM events").fetchone()[0] > 0


def test_what_is_read_in_one_block_is_of_one_moment(full_house: House) -> None:
    def stored() -> int:
        with full_house.room.reading() as inner:
            return int(inner.execute("SELECT count(*) FROM messages").fetchone()[0])

    with full_house.room.reading():
        before = stored()
        full_house.send(full_house.operator, "a", "x")
        assert stored() == before
    assert stored() == before + 1


def test_a_version_is_another_after_a_commit_or_with_another_file_and_else_the_same(full_house: House) -> None:
    store, other = full_house.room.store, f"{full_house.room.store.path}.other"
    before = store.read_version()
    mailbox.peek_inbox(full_house.room, "a")
    assert store.read_version() == before
    full_house.send(Actor("a"), "operator", "new")
    committed = store.read_version()
    assert committed != before
    shutil.copy(store.path, other)
    os.replace(other, store.path)
    assert store.read_version() not in (before, committed)


def test_writers_leave_no_wal_behind_and_readers_none_either(full_house: House) -> None:
    names = ["relay.db", "relay.line", "relay.lock"]
    assert sorted(os.listdir(full_house.home)) == names
    before = os.stat(full_house.room.store.path).st_mtime_ns
    reader = full_house.enter(full_house.repository)
    mailbox.read_history(reader, "operator")
    reader.store.close()
    assert os.stat(full_house.room.store.path).st_mtime_ns == before


def test_a_holder_that_is_no_relay_is_not_called_by_the_name_of_who_had_the_lock_before(house: House) -> None:
    child = os.fork()
    if child == 0:
        house.join("a")
        os._exit(0)
    os.waitpid(child, 0)
    with open(f"{house.home}/relay.lock") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(RelayError) as caught:
            WriterLock(house.home, deadline=0).acquire()
    assert caught.value.code == "busy"
    if os.path.exists("/proc/locks"):
        assert caught.value.details["holder"]["pid"] == os.getpid()
        assert caught.value.message.startswith(f"Process {os.getpid()} (")
    else:
        assert caught.value.message == "Somebody else is writing."


def test_a_home_that_goes_away_is_not_to_be_made_anew(full_house: House) -> None:
    store = Store(full_house.home, keep_open=True)
    version = store.read_version()
    os.rename(full_house.home, f"{full_house.home}-away")
    assert refusal(store.read_version).hint == "Put it back."
    os.rename(f"{full_house.home}-away", full_house.home)
    assert store.read_version()[0] == version[0]
    store.close()


def test_a_database_that_is_gone_while_its_changes_are_left_is_not_made_anew(full_house: House) -> None:
    """A new file would take the old one's -wal for its own."""
    with full_house.room.reading():  # keeps the -wal there
        full_house.send(Actor("a"), "operator", "kept")
        os.unlink(f"{full_house.home}/relay.db")
        kept = Path(f"{full_house.home}/relay.db-wal").read_bytes()
        for act in (lambda: full_house.enter(full_house.repository).exists, lambda: Store(full_house.home).ensure()):
            with pytest.raises(RelayError) as caught:
                act()
            assert caught.value.code == "corrupt"
            assert "relay.db-wal" in caught.value.hint
        assert Path(f"{full_house.home}/relay.db-wal").read_bytes() == kept
        assert not os.path.exists(f"{full_house.home}/relay.db")
