"""The home is its owner's alone: what is made there under any umask, links that lead elsewhere, others' homes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.room import backup, exports
from relay_tui.room.attachments import fetch_attachments, read_attachments
from relay_tui.room.mishaps import Mishap, note_mishap
from relay_tui.room.store import Store
from tests.room_fixture import House, refusal

SOMEBODY = 65534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make what belongs to somebody else")


@pytest.fixture(params=[0o000, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_everything_that_is_made_is_the_owners_alone(house: House, tmp_path: Path) -> None:
    a = house.join("a")
    sent = house.send(a, "operator", "x", attachments=read_attachments(house.room, ["README.md"]))
    house.room = house.enter(house.repository, keep_open=True)
    house.send(a, "operator", "with a -wal and a -shm")
    note_mishap(house.home, Mishap(1, "hook", "/x", "x"))
    out = tmp_path / "out"
    fetch_attachments(house.room, "operator", sent.id, str(out), force=False)
    backup.write_backup(house.room, str(tmp_path / "x.db"), force=False)
    exports.write_export(house.room, str(tmp_path / "x.ndjson"), all_=True, force=False)
    made = [os.path.join(folder, name) for folder, _, names in os.walk(house.home) for name in ("", *names)]
    made += [str(out / "README.md"), str(tmp_path / "x.db"), str(tmp_path / "x.ndjson")]
    modes = {path: stat.S_IMODE(os.stat(path).st_mode) for path in made}
    assert {mode for path, mode in modes.items() if path.endswith("/")} == {0o700}, modes
    assert {mode for path, mode in modes.items() if not path.endswith("/")} == {0o600}, modes
    assert len(modes) >= 11
    house.room.store.close()


@pytest.mark.parametrize("name", ["relay.line", "relay.lock", "relay.db", "relay.db.new"])
def test_a_link_in_the_home_is_not_written_through(house: House, tmp_path: Path, name: str) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    os.mkdir(house.home, 0o700)
    os.symlink(precious, os.path.join(house.home, name))
    try:
        house.join("a")
    except RelayError as fault:
        assert fault.code in ("storage", "corrupt") and fault.hint
    assert precious.read_text() == "mine"
    assert sorted(os.listdir(tmp_path)) == ["home", "precious"]


def test_bytes_sent_along_are_not_written_through_a_link(house: House, tmp_path: Path) -> None:
    house.join("a")
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (kept,) = read_attachments(house.room, ["README.md"])
    path = Path(house.home, "attachments", kept["sha256"][:2], kept["sha256"])
    path.unlink()
    path.symlink_to(precious)
    read_attachments(house.room, ["README.md"])
    assert precious.read_text() == "mine"


@as_root
def test_a_link_that_somebody_else_made_is_no_home(house: House, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir(mode=0o700)
    os.symlink(mine, house.home)
    house.join("a")
    house.room.store.close()
    for file in mine.glob("relay.db*"):
        file.unlink()
    os.lchown(house.home, SOMEBODY, SOMEBODY)
    assert refusal(house.join, "a").code == "refused"
    assert not (mine / "relay.db").exists()


@as_root
def test_a_home_of_somebody_else_is_neither_read_nor_written(house: House) -> None:
    house.join("a")
    house.room.store.close()
    for path in (house.home, house.room.store.path):
        os.chown(path, SOMEBODY, SOMEBODY)
    before = Path(house.room.store.path).read_bytes(), sorted(os.listdir(house.home))
    for act_there in (lambda: house.enter(house.repository), lambda: house.join("b"), Store(house.home).ensure):
        fault = refusal(act_there)
        assert (fault.code, fault.exit_code) == ("refused", 8)
        assert "another user" in fault.message and "RELAY_HOME" in fault.hint
    assert (Path(house.room.store.path).read_bytes(), sorted(os.listdir(house.home))) == before
