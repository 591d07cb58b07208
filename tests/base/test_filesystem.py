from __future__ import annotations

import os
from pathlib import Path

import pytest

from relay_tui.base.filesystem import filesystem_type, read_plain, replace_file
from tests.room_fixture import disk_full_after


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o666)
    with disk_full_after(10), pytest.raises(OSError, match="large"):
        replace_file(str(path), bytes(100))
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", ["file"])
    replace_file(str(path), b"new")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o666), "its mode stays, whatever the umask"
    replace_file(str(path), b"hook", 0o700)
    assert path.stat().st_mode & 0o777 == 0o700


def test_the_file_system_of_a_path_that_is_not_there_yet(tmp_path: Path) -> None:
    assert filesystem_type(f"{tmp_path}/not/yet") == filesystem_type(str(tmp_path))


def test_a_plain_file_is_read_up_to_a_limit_and_one_byte_more(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert [read_plain(str(path), most) for most in (6, 5, 4)] == [b"12345", b"12345", b"12345"]
    assert read_plain(str(path), 3) == b"1234"
    assert read_plain("/proc/self/status", 10_000).startswith(b"Name:"), "one that says it has no bytes"
    assert len(read_plain("/proc/self/status", 100)) == 101
    with pytest.raises(OSError, match="plain file"):
        read_plain("/dev/zero", 10)
