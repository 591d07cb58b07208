"""Backups and exports, and what comes back from them: the very same room, or nothing."""

from __future__ import annotations

import hashlib
import io
import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from relay_tui.base.errors import RelayError
from relay_tui.room import backup, claims, exports, incoming, ndjson, schema
from relay_tui.room.attachments import kept_path, read_attachments, read_kept
from relay_tui.room.incoming import ChainedRoom
from relay_tui.room.ledger import Actor, Transaction
from relay_tui.room.part_file import PartFile
from relay_tui.room.restoring import restore
from relay_tui.room.rooms import Room
from tests.actions.acting import act
from tests.cli.conftest import PROJECT
from tests.room.round_trips import assert_same, assert_sound, bring_back, contents, home_at
from tests.room_fixture import OPERATOR, House, refusal


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A home with something of everything: files, claims, an open offer, work, a kind of a later relay."""
    house = House(str(tmp_path_factory.mktemp("furnished")))
    a, b = house.join("a", session="s-a"), house.join("b")
    Path(house.repository, "PLAN.md").write_text("# Plan\n\n- [ ] one @a\n- [x] two\n", encoding="utf-8")
    sent = house.send(a, "b", "é\x1b[31m 日本", attachments=read_attachments(house.room, ["PLAN.md"]))
    house.send(b, None, "thanks", reply_to=sent.id)
    house.ack(b, sent.id, note="done")
    house.claim(a, "src", "machine:gpu", "branch:main")
    act(house.room, "a", "handoff request machine:gpu --to b")
    act(house.room, "a", "status waiting --needs b --question why")
    act(house.room, "a", "work import --file PLAN.md")
    with house.room.writing(a) as tx:
        tx.append("lease.granted", {"id": sent.id, "of": "a later relay"})
    return house


@pytest.fixture
def export(furnished: House, tmp_path: Path) -> Path:
    """Its export; where a test changes it, in a copy of its own."""
    target = tmp_path / "room.ndjson"
    exports.write_export(furnished.room, str(target), all_=True, force=False)
    return target


def has_no_rows(room: Room) -> bool:
    return not room.store.exists or not any(contents(room).values())


def is_empty(room: Room) -> bool:
    """Whether there is no room, and no file that one would need."""
    left = [name for _, _, names in os.walk(os.path.join(room.store.home, "attachments")) for name in names]
    return not left and has_no_rows(room)


def test_an_export_brings_back_the_very_same_room(furnished: House, export: Path, tmp_path: Path) -> None:
    told = bring_back(room := home_at(tmp_path / "home", furnished), export)
    assert_same(room, furnished)
    assert (told.events, told.attachments, told.source) == (len(furnished.events()), 1, "export")
    assert [(one.room, one.was) for one in told.rooms] == [(furnished.room.row.name, None)]
    again = tmp_path / "again.ndjson"
    exports.write_export(room, str(again), all_=True, force=False)
    assert again.read_bytes() == export.read_bytes()
    lines = [json.loads(line) for line in export.read_bytes().splitlines()]
    assert (lines[0]["format"], lines[-1]["end"]["events"]) == ("relay-export", told.events)


def test_a_backup_brings_back_the_very_same_room_and_is_private(furnished: House, tmp_path: Path) -> None:
    target = tmp_path / "monday.db"
    previous = os.umask(0)
    try:
        told = backup.write_backup(furnished.room, str(target), force=False)
    finally:
        os.umask(previous)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert (told.bytes, told.attachments) == (target.stat().st_size, 1)
    bring_back(room := home_at(tmp_path / "home", furnished), target)
    assert_same(room, furnished)
    assert sorted(os.listdir(tmp_path)) == ["home", "monday.db"]


def test_an_export_of_a_pipe_comes_in_by_standard_input(furnished: House, tmp_path: Path) -> None:
    told = io.BytesIO(b"".join(exports.stream_export(furnished.room, all_=True)))
    restore(room := home_at(tmp_path / "home", furnished), OPERATOR, "-", told, as_new=False)
    assert_same(room, furnished)
    nonsense = refusal(
        restore, home_at(tmp_path / "other", furnished), OPERATOR, "-", io.BytesIO(b"\0" * 99), as_new=False
    )
    assert nonsense.code == "invalid"


def test_a_copy_is_a_room_of_its_own_and_leaves_the_other_alone(furnished: House, export: Path, tmp_path: Path) -> None:
    bring_back(room := home_at(tmp_path / "home", furnished), export)
    before = contents(room)
    assert refusal(bring_back, room, export).code == "refused"
    assert contents(room) == before
    (copy,) = bring_back(room, export, as_new=True).rooms
    after = contents(room)
    assert_sound(room)
    for table, rows in before.items():
        assert after[table][: len(rows)] == rows or set(rows) < set(after[table]), table
    key = next(row[0] for row in after["rooms"] if row[1] == copy.id)
    assert copy.was == ChainedRoom(*(before["rooms"][0][place] for place in (2, 1)), *head_of(export))
    assert copy.room == f"{copy.was.room}-2"
    # What people wrote and did is there twice; nothing is held twice, and nothing of the machine's by the copy.
    assert len(after["messages"]) == 2 * len(before["messages"])
    assert len({row[1] for row in after["messages"]}) == len(after["messages"])
    assert sorted(row[0] for row in after["claims"]) == ["branch", "branch", "machine", "project", "project"]
    assert [row[5] for row in after["handoffs"] if row[1] == key] == ["cancelled"]
    with room.store.reading() as db:
        kinds = [row[0] for row in db.execute("SELECT kind FROM events WHERE room = ? ORDER BY number", (key,))]
    assert "lease.granted" in kinds
    assert kinds[-2:] == ["room.restored", "room.detached"]
    replies = {row[1]: row[7] for row in after["messages"] if row[2] == key and row[7]}
    assert set(replies.values()) <= {row[1] for row in after["messages"] if row[2] == key}


def head_of(export: Path) -> tuple[int, str]:
    (room,) = json.loads(export.read_bytes().splitlines()[0])["rooms"]
    return room["number"], room["hash"]


def test_the_rooms_of_one_repository_are_exported_without_the_rest_of_the_home(tmp_path: Path) -> None:
    house = House(str(tmp_path))
    house.claim(house.join("a"), "machine:gpu", "src")
    other = House(str(tmp_path / "elsewhere"))
    other.room = Room(house.room.store, None, other.repository, clock=house.clock, new_id=house.new_id)
    other.join("b")
    told = exports.write_export(house.room, str(tmp_path / "one.ndjson"), all_=False, force=False)
    assert [one.room for one in told.rooms] == [house.room.row.name]
    restored = bring_back(room := home_at(tmp_path / "new", house), tmp_path / "one.ndjson")
    held = [row[0] for row in contents(room)["claims"]]
    assert held == ["project"], "who else freed what of the machine is not known there"
    assert restored.doubts == [
        "1 claim on the machine was freed, which is more than the file says: it was restored without the rest of its"
        " home."
    ]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_an_export_that_is_ended_leaves_no_file(furnished: House, tmp_path: Path, number: signal.Signals) -> None:
    """In a process of its own, which asks the clock while it writes."""
    child = os.fork()
    if not child:
        signal.signal(number, signal.SIG_DFL)
        room = furnished.enter(furnished.repository)
        room.clock = lambda: os.kill(os.getpid(), number) or 0
        try:
            exports.write_export(room, str(tmp_path / "e.ndjson"), all_=True, force=False)
        except SystemExit as ended:
            os._exit(int(str(ended.code)))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 128 + number
    assert os.listdir(tmp_path) == []


def damage(content: bytes) -> Iterator[tuple[str, bytes]]:
    lines = content.splitlines(keepends=True)
    yield "truncated", content[:-1]
    yield "without its end", b"".join(lines[:-1])
    yield "out of order", b"".join([lines[0], lines[2], lines[1], *lines[3:]])
    yield "a line twice", b"".join([*lines[:3], lines[2], *lines[3:]])
    yield "a line less", b"".join([*lines[:2], *lines[3:]])
    yield "more at the end", content + b"\n"
    yield "NUL", content.replace(b'"a"', b'"\0"', 1)
    yield "Windows line ends", content.replace(b"\n", b"\r\n")
    yield "another attachment", content.replace(b'"data":"', b'"data":"AAAA', 1)


def test_a_damaged_export_restores_nothing(furnished: House, export: Path, tmp_path: Path) -> None:
    room, content = home_at(tmp_path / "home", furnished), export.read_bytes()
    for what, damaged in damage(content):
        export.write_bytes(damaged)
        assert refusal(bring_back, room, export).code == "corrupt", what
    for place in range(0, len(content), 97):
        export.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert refusal(bring_back, room, export).code in ("corrupt", "invalid", "newer_schema"), place
    assert not os.path.exists(room.store.home), "nothing was even begun"


@pytest.mark.parametrize(("content", "code"), [
    (b"", "invalid"), (b"\0" * 100, "invalid"), (b"{}\n", "invalid"), (b"[" * 5000 + b"\n", "invalid"),
    (b'{"format":"relay-export","version":2}\n', "newer_schema"),
    (b'{"format":"relay-export","version":1,"whole":true,"rooms":[{"room":1}]}\n', "invalid"),
    (b'{"format":"relay-export","version":true,"whole":true,"rooms":[]}\n', "invalid"),
    (backup.MAGIC + b"\0" * 200, "corrupt"),
], ids=["empty", "NUL", "JSON", "deep", "newer", "rooms", "version", "pages"])  # fmt: skip
def test_what_is_no_export_is_refused(furnished: House, tmp_path: Path, content: bytes, code: str) -> None:
    (tmp_path / "file").write_bytes(content)
    assert refusal(bring_back, home_at(tmp_path / "home", furnished), tmp_path / "file").code == code
    assert not (tmp_path / "home").exists()


def test_a_line_without_end_is_not_read_to_its_end(furnished: House, tmp_path: Path) -> None:
    with open(tmp_path / "file", "wb") as file:
        file.write(b'{"format":"relay-export","version":1,"whole":true,"at":"","rooms":[]}\n')
        file.truncate(1 << 30)
    fault = refusal(bring_back, home_at(tmp_path / "home", furnished), tmp_path / "file")
    assert (fault.code, "longer than any" in fault.message) == ("corrupt", True)


def test_a_database_that_is_not_relays_is_refused(furnished: House, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as db:
        db.execute("CREATE TABLE events (payload, hash)")
    assert refusal(bring_back, home_at(tmp_path / "home", furnished), tmp_path / "other.db").code == "invalid"
    backup.write_backup(furnished.room, str(tmp_path / "newer.db"), force=False)
    with closing(sqlite3.connect(tmp_path / "newer.db", isolation_level=None)) as db:
        db.execute("UPDATE events SET payload = CAST(replace(CAST(payload AS TEXT), 'src', 'lib') AS BLOB)")
    assert refusal(bring_back, home_at(tmp_path / "home", furnished), tmp_path / "newer.db").code == "corrupt"
    with closing(sqlite3.connect(tmp_path / "newer.db")) as db:
        db.execute("PRAGMA user_version = 99")
    assert refusal(bring_back, home_at(tmp_path / "home", furnished), tmp_path / "newer.db").code == "newer_schema"


def made_up(events: list[tuple[str, dict[str, Any]]], files: tuple[ndjson.KeptFile, ...] = ()) -> bytes:
    """An export whose every hash holds, of events that nobody checked."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute("CREATE TABLE events (seq, room, number, kind, at, hash, payload)")
        tx = Transaction(db, 1, "R1", Actor("a"), 5)
        for kind, data in events:
            try:
                tx.append(kind, data)
            except (sqlite3.OperationalError, *incoming.MADE_UP):
                tx = Transaction(db, 1, "R1", Actor("a"), 5)  # there is nothing to fold into
        rows = db.execute("SELECT payload, hash FROM events ORDER BY seq").fetchall()
    chains = incoming.IncomingChains()
    for row in rows:
        chains.follow(*row)
    return b"".join(ndjson.write_lines(ndjson.Header(True, chains.rooms), "", rows, files))


BEGUN = ("room.created", {"id": "R1", "name": "x", "root": "/", "repository": None, "family": 1, "own": True,
                          "operator": "operator"})  # fmt: skip

SENT = {"id": "M1", "from": "a", "audience": "direct", "to": "b", "summary": "", "reply_to": None, "thread": "M1",
        "expires_at": 9, "request": None, "recipients": [], "attachments": []}  # fmt: skip


@pytest.mark.parametrize("event", [
    ("agent.joined", {}), ("agent.joined", {"agent": [], "facts": {}}), ("work.resolved", {"path": "x", "id": "y"}),
    ("agent.joined", {"agent": "b", "facts": {"pid": 2**70}}), ("agent.joined", {"agent": "\ud800", "facts": {}}),
    ("message.sent", {"id": "M1", "attachments": 5}),
    ("message.sent", {**SENT, "attachments": [{"name": "x", "size": 1, "sha256": "../../../etc/passwd"}]}),
    ("agent.joined", {"agent": "x;touch pwned", "facts": {}}), ("message.sent", {**SENT, "from": "$(id)"}),
    ("message.sent", {**SENT, "id": "M1;id"}), ("message.sent", {**SENT, "thread": "`id`"}),
], ids=str)  # fmt: skip
def test_what_holds_but_was_never_written_restores_nothing(
    furnished: House, tmp_path: Path, event: tuple[str, dict[str, Any]]
) -> None:
    """Neither a traceback nor a part of it; the bytes of a file may stay, for a sender may have met them there."""
    sha256 = hashlib.sha256(b"x").hexdigest()
    (tmp_path / "file").write_bytes(made_up([BEGUN, event], (ndjson.KeptFile(sha256, b"x"),)))
    room = home_at(tmp_path / "home", furnished)
    for as_new in (False, True):
        assert refusal(bring_back, room, tmp_path / "file", as_new=as_new).code == "corrupt"
        assert has_no_rows(room)
        assert read_kept(room.store.home, sha256) == b"x"


def test_a_room_begins_once_and_may_say_what_nobody_knows_yet(furnished: House, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="begins twice"):
        made_up([BEGUN, BEGUN])
    (tmp_path / "file").write_bytes(made_up([BEGUN, ("relay.later", {"any": ["thing"]})]))
    assert bring_back(home_at(tmp_path / "home", furnished), tmp_path / "file").events == 2


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_bytes_are_answered_with_a_code(
    furnished: House, tmp_path_factory: pytest.TempPathFactory, data: Any
) -> None:
    folder = tmp_path_factory.mktemp("any")
    content = bytearray(b"".join(exports.stream_export(furnished.room, all_=True)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content)))
        gone = data.draw(st.integers(0, 40))
        content[place : place + gone] = data.draw(
            st.binary(max_size=20) | st.sampled_from([b"\n", b"{", b'"', b"9" * 30])
        )
    (folder / "file").write_bytes(bytes(content))
    room = home_at(folder / "home", furnished)
    try:
        bring_back(room, folder / "file")
    except RelayError as fault:
        assert fault.code in ("corrupt", "invalid", "newer_schema")
        assert is_empty(room)
    else:
        assert bytes(content) == b"".join(exports.stream_export(furnished.room, all_=True))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["a", "R1", "M1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        "id agent facts session claims holder note messages from to recipients attachments resources items".split()
    ), inner, max_size=6),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    kind=st.sampled_from(["agent.joined", "message.sent", "claim.taken", "claim.released", "handoff.requested",
                          "handoff.answered", "work.imported", "work.resolved", "question.asked", "message.expired"]),
    said=st.dictionaries(
        st.sampled_from("id agent facts session claims holder note messages items path".split()), json_values
    ),
    as_new=st.booleans(),
)  # fmt: skip
def test_any_data_of_an_event_is_folded_or_refused(
    furnished: House, tmp_path_factory: pytest.TempPathFactory, kind: str, said: dict[str, Any], as_new: bool
) -> None:
    folder = tmp_path_factory.mktemp("data")
    (folder / "file").write_bytes(made_up([BEGUN, (kind, said)]))
    room = home_at(folder / "home", furnished)
    try:
        bring_back(room, folder / "file", as_new=as_new)
    except RelayError as fault:
        assert fault.code == "corrupt"
        assert is_empty(room)


def test_a_new_room_has_nothing_in_common_with_a_copy(furnished: House, export: Path, tmp_path: Path) -> None:
    """Where the repository has no room yet, its first must not be taken for one of the copy's."""
    room = home_at(tmp_path / "home", furnished)
    bring_back(room, export, as_new=True)
    act(room, "newcomer", "join")
    assert claims.take(room, Actor("newcomer"), furnished.resources("src"), note=None).claimed


def test_a_file_that_is_there_is_written_over_only_when_that_is_said(furnished: House, tmp_path: Path) -> None:
    (tmp_path / "b.db").write_text("precious", encoding="utf-8")
    os.symlink(tmp_path / "b.db", tmp_path / "link.db")
    for target in ("b.db", "link.db"):
        assert refusal(backup.write_backup, furnished.room, str(tmp_path / target), force=False).code == "file_exists"
    assert refusal(backup.write_backup, furnished.room, str(tmp_path / "link.db"), force=True).code == "file_exists"
    assert (tmp_path / "b.db").read_text(encoding="utf-8") == "precious"
    backup.write_backup(furnished.room, str(tmp_path / "b.db"), force=True)
    assert (tmp_path / "b.db").read_bytes().startswith(backup.MAGIC)
    made = [*os.listdir(furnished.home), "archives", "setup", "wakers", "relay.toml", "mishaps.jsonl", "archives/b.db"]
    for own in made:
        fault = refusal(backup.write_backup, furnished.room, os.path.join(furnished.home, own), force=True)
        assert fault.code == ("no_file" if own == "archives/b.db" else "refused"), own


def test_a_place_that_cannot_be_written_is_said_and_nothing_is_left(furnished: House, tmp_path: Path) -> None:
    assert refusal(backup.write_backup, furnished.room, str(tmp_path / "gone" / "b.db"), force=False).code == "no_file"
    for bad in ("", "a\0b", f"{tmp_path}/"):
        assert refusal(exports.write_export, furnished.room, bad, all_=True, force=False).code == "invalid"
    for write in (backup.write_backup, exports.write_export):
        options = {} if write is backup.write_backup else {"all_": True}
        fault = refusal(write, furnished.room, "/proc/none.db", force=False, **options)
        assert fault.code == "storage"
    assert os.listdir(tmp_path) == []


def test_a_backup_is_not_kept_where_the_ledger_does_not_hold(tmp_path: Path) -> None:
    house = House(str(tmp_path))
    house.join("a")
    with house.room.store.writing() as db:
        db.execute(
            "UPDATE events SET payload = CAST(replace(CAST(payload AS TEXT), '\"a\"', '\"x\"') AS BLOB) WHERE seq = 2"
        )
    assert refusal(backup.write_backup, house.room, str(tmp_path / "b.db"), force=False).code == "corrupt"
    assert refusal(exports.write_export, house.room, str(tmp_path / "e"), all_=True, force=False).code == "corrupt"
    assert not {"b.db", "b.db.relay-part", "e", "e.relay-part"} & set(os.listdir(tmp_path))


def test_a_file_that_is_gone_keeps_nothing_from_being_kept(furnished: House, tmp_path: Path) -> None:
    house = House(str(tmp_path), repository=furnished.repository)
    a, _ = house.join("a"), house.join("b")
    house.send(a, "b", "x", attachments=read_attachments(house.room, ["README.md"]))
    ((sha256,),) = house.rows("SELECT sha256 FROM attachments")
    os.unlink(kept_path(house.home, sha256))
    told = backup.write_backup(house.room, str(tmp_path / "b.db"), force=False)
    assert (told.attachments, len(told.doubts)) == (0, 1)
    back = bring_back(home_at(tmp_path / "new", house), tmp_path / "b.db")
    assert any("not in it" in doubt for doubt in back.doubts)


def test_a_backup_in_the_place_of_relay_db_is_kept_whole_again(furnished: House, tmp_path: Path) -> None:
    """Somebody copies it there, without restore: the files sent along are in it alone."""
    home = home_at(tmp_path / "home", furnished)
    os.mkdir(tmp_path / "home", 0o700)
    backup.write_backup(furnished.room, home.store.path.replace("relay.db", "kept.db"), force=False)
    os.rename(tmp_path / "home" / "kept.db", home.store.path)
    told = backup.write_backup(home, str(tmp_path / "again.db"), force=False)
    assert (told.attachments, told.doubts) == (1, [])
    back = home_at(tmp_path / "back", furnished)
    bring_back(back, tmp_path / "again.db")
    assert_same(back, furnished)


def test_a_source_that_cannot_be_read_to_its_end_is_said_with_what_helps(furnished: House, tmp_path: Path) -> None:
    home = home_at(tmp_path / "home", furnished)
    backup.write_backup(furnished.room, str(tmp_path / "b.db"), force=False)
    os.truncate(tmp_path / "b.db", 60_000)
    fault = refusal(bring_back, home, tmp_path / "b.db")
    assert (fault.code, "another copy" in fault.hint) == ("corrupt", True)
    if sys.platform == "linux":  # a plain file whose first page cannot be read
        fault = refusal(bring_back, home, "/proc/self/mem")
        assert (fault.code, "cannot be read" in fault.message) == ("no_file", True)
    assert has_no_rows(home)


def test_a_ledger_whose_older_events_are_archived_is_kept_and_comes_back(furnished: House, tmp_path: Path) -> None:
    from relay_tui.room.archives import archive_events

    house = House(str(tmp_path), repository=furnished.repository)
    a, b = house.join("a"), house.join("b")
    house.ack(b, house.send(a, "b", "old").id)
    house.clock.advance(10)
    archive_events(house.room, house.operator, house.clock.now - 1)
    house.send(b, "a", "new")
    told = backup.write_backup(house.room, str(tmp_path / "b.db"), force=False)
    assert any("archive" in doubt for doubt in told.doubts)
    exports.write_export(house.room, str(tmp_path / "e.ndjson"), all_=True, force=False)
    bring_back(cut := home_at(tmp_path / "cut", house), tmp_path / "b.db")
    assert_same(cut, house)
    assert refusal(bring_back, home_at(tmp_path / "x", house), tmp_path / "b.db", as_new=True).code == "refused"
    bring_back(all_of_it := home_at(tmp_path / "all", house), tmp_path / "e.ndjson")
    found = contents(all_of_it)
    assert [len(found["events"]), found["base"]] == [found["events"][-1][0], []]
    assert all(found[table] == contents(house.room)[table] for table in schema.PROJECTIONS)


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
left = int(sys.argv[2])
def trace(frame, event, _):
    global left
    if "relay_tui" not in frame.f_code.co_filename:
        return None
    left -= 1
    if left <= 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return trace
from relay_tui.room import backup, exports, restoring
from relay_tui.room.ledger import Actor
from relay_tui.room.rooms import Room, list_rooms
from relay_tui.room.store import Store
store = Store(sys.argv[3])
row = None
if store.exists:
    with store.reading() as db:
        row = next(iter(list_rooms(db)), None)
room = Room(store, row, "/")
sys.settrace(trace)
if sys.argv[4] == "backup":
    backup.write_backup(room, sys.argv[5], force=False)
elif sys.argv[4] == "export":
    exports.write_export(room, sys.argv[5], all_=True, force=False)
else:
    restoring.restore(room, Actor("operator"), sys.argv[5], None, as_new=False)
"""


def killed_after(lines: int, home: str, job: str, file: Path) -> bool:
    """Whether a process that does this was killed after so many lines of relay's own; False where it was done."""
    words = [sys.executable, "-c", KILLED, PROJECT, str(lines), home, job, str(file)]
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
    return done.returncode != 0


@pytest.mark.parametrize("job", ["backup", "export", "restore"])
def test_whoever_is_killed_in_the_middle_leaves_nothing_half_and_nothing_in_the_way(
    furnished: House, export: Path, tmp_path: Path, job: str
) -> None:
    home, target = tmp_path / "home", tmp_path / "target"
    step, lines = {"backup": 170, "export": 370, "restore": 700}[job], 5
    while killed_after(lines, str(home) if job == "restore" else furnished.home, job,
                       export if job == "restore" else target):  # fmt: skip
        assert has_no_rows(home_at(home, furnished)), "a file sent along may be there, which is taken over"
        lines += step
        if target.exists():
            break  # it had its name already, so it is whole
    assert lines > 4 * step, "it was killed several times"
    if job != "restore":
        bring_back(home_at(home, furnished), target)
        assert sorted(os.listdir(tmp_path)) == ["home", "room.ndjson", "target"]
    assert_same(home_at(home, furnished), furnished)


def test_a_full_disk_leaves_no_file_and_no_room(furnished: House, export: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk: both end in an error of the very same write."""
    limited = "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" \
              "resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))\n"  # fmt: skip
    quiet = KILLED.replace("sys.settrace(trace)\n", limited)
    for job, home, file in (("backup", furnished.home, tmp_path / "b"), ("export", furnished.home, tmp_path / "e"),
                            ("restore", str(tmp_path / "home"), export)):  # fmt: skip
        words = [sys.executable, "-c", quiet, PROJECT, "0", home, job, str(file)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert "RelayError" in done.stderr.splitlines()[-1], done.stderr
        assert job == "restore" or not {file.name, f"{file.name}.relay-part"} & set(os.listdir(tmp_path))
    bring_back(room := home_at(tmp_path / "home", furnished), export)
    assert_same(room, furnished)


def test_what_a_person_keeps_beside_is_not_written_over(house: House, tmp_path: Path) -> None:
    house.join("a")
    mine = tmp_path / "mine"
    mine.write_text("precious")
    os.link(mine, tmp_path / "b.db.relay-part")
    with pytest.raises(RelayError) as caught, PartFile(str(tmp_path / "b.db"), force=True):
        pass
    assert caught.value.code == "file_exists"
    assert mine.read_text() == "precious"
