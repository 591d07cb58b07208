"""Files sent along: all checked before any is kept, kept once, and named by the event after they are there."""

from __future__ import annotations

import hashlib
import os

import pytest

from relay_tui.base.errors import RelayError
from relay_tui.room.attachments import FILE_BYTES, FILES, keep_bytes, kept_path, read_attachments, read_kept
from tests.room_fixture import House


def make(house: House, name: str, content: bytes = b"bytes \x00\xff") -> str:
    path = os.path.join(house.folder, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


def kept(house: House) -> list[str]:
    folder = os.path.join(house.home, "attachments")
    return sorted(name for _, _, names in os.walk(folder) for name in names)


def test_bytes_are_kept_once_under_their_hash_and_arrive(house: House) -> None:
    a = house.join("a")
    files = read_attachments(house.room, [make(house, "one.txt"), make(house, "two.txt")])
    house.send(a, "operator", "see", attachments=files)
    digest = hashlib.sha256(b"bytes \x00\xff").hexdigest()
    assert kept(house) == [digest]
    with open(kept_path(house.home, digest), "rb") as file:
        assert file.read() == b"bytes \x00\xff"
    assert os.stat(kept_path(house.home, digest)).st_mode & 0o777 == 0o600
    (message,) = house.poll(house.operator).messages
    assert message.attachments == [("one.txt", 8, digest), ("two.txt", 8, digest)]
    house.assert_whole()


@pytest.mark.parametrize("bad", ["missing.txt", "folder", "big.bin", "caf\udce9", "a\x1b[31mb"])
def test_one_bad_file_keeps_none(house: House, bad: str) -> None:
    os.mkdir(os.path.join(house.folder, "folder"))
    if bad == "big.bin":
        os.truncate(make(house, bad), FILE_BYTES + 1)
    elif bad not in ("missing.txt", "folder"):
        make(house, bad)
    with pytest.raises(RelayError) as refused:
        read_attachments(house.room, [make(house, "good.txt"), os.path.join(house.folder, bad)])
    assert refused.value.code in ("no_file", "too_large", "invalid")
    assert kept(house) == []


def test_there_are_at_most_so_many(house: House) -> None:
    with pytest.raises(RelayError) as refused:
        read_attachments(house.room, [make(house, "one.txt")] * (FILES + 1))
    assert refused.value.code == "too_large"


def test_a_dry_run_keeps_nothing(house: House) -> None:
    rehearsal = house.enter(house.repository, dry_run=True)
    assert len(read_attachments(rehearsal, [make(house, "one.txt")])) == 1
    assert kept(house) == []


def test_a_folder_that_cannot_be_made_is_told(house: House) -> None:
    house.join("a")
    make(house, "home/attachments")
    with pytest.raises(RelayError) as refused:
        read_attachments(house.room, [make(house, "one.txt")])
    assert refused.value.code == "storage"


def test_a_kept_copy_that_was_damaged_is_mended_by_who_sends_it_again(house: House) -> None:
    house.join("a")
    content = b"content"
    sha256 = keep_bytes(house.home, content)
    os.truncate(kept_path(house.home, sha256), 0)
    assert read_kept(house.home, keep_bytes(house.home, content)) == content


def test_a_pipe_in_the_place_of_kept_bytes_is_not_waited_for(house: House) -> None:
    house.join("a")
    (kept,) = read_attachments(house.room, ["README.md"])
    path = kept_path(house.home, kept["sha256"])
    os.unlink(path)
    os.mkfifo(path)
    assert read_kept(house.home, kept["sha256"]) is None
