"""What hooks failed at, noted where a broken database does not matter."""

from __future__ import annotations

import os
from pathlib import Path

from relay_tui.room.mishaps import FILE, FILE_BYTES, Mishap, forget_mishaps, note_mishap, read_mishaps


def test_what_was_noted_is_read_since_a_moment(tmp_path: Path) -> None:
    noted = [Mishap(at, "hook prompt", "/x", f"fault {at}\n\x1b[31m") for at in (1, 2, 3)]
    for mishap in noted:
        note_mishap(str(tmp_path), mishap)
    assert read_mishaps(str(tmp_path), 2) == noted[1:]
    assert os.stat(tmp_path / FILE).st_mode & 0o777 == 0o600


def test_lines_that_are_none_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b'\xff\n{"at": "x", "where": "", "folder": "", "text": ""}\n[]\n\n')
    note_mishap(str(tmp_path), Mishap(5, "hook", "/x", "x"))
    assert read_mishaps(str(tmp_path), 0) == [Mishap(5, "hook", "/x", "x")]


def test_the_file_stays_small_and_keeps_the_newest(tmp_path: Path) -> None:
    for at in range(1000):
        note_mishap(str(tmp_path), Mishap(at, "hook prompt", "/x", "x" * 2000))
    assert os.path.getsize(tmp_path / FILE) <= FILE_BYTES + 1000
    assert read_mishaps(str(tmp_path), 0)[-1].at == 999
    assert os.listdir(tmp_path) == [FILE]


def test_a_home_is_made_for_the_first_note(tmp_path: Path) -> None:
    note_mishap(str(tmp_path / "home"), Mishap(1, "hook", "/x", "x"))
    assert read_mishaps(str(tmp_path / "home"), 0) == [Mishap(1, "hook", "/x", "x")]
    assert os.stat(tmp_path / "home").st_mode & 0o777 == 0o700


def test_where_nothing_can_be_noted_nothing_is_raised(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    note_mishap(str(tmp_path / "file" / "home"), Mishap(1, "hook", "/x", "x"))
    assert read_mishaps(str(tmp_path / "file" / "home"), 0) == []
    os.symlink(tmp_path / "elsewhere", tmp_path / FILE)
    note_mishap(str(tmp_path), Mishap(1, "hook", "/x", "x"))
    assert not (tmp_path / "elsewhere").exists()


def test_what_worked_again_is_forgotten_and_nothing_else(tmp_path: Path) -> None:
    home = str(tmp_path)
    failed, elsewhere, other = (Mishap(1, *at, "x") for at in (("hook a", "/x"), ("hook a", "/y"), ("hook b", "/x")))
    for mishap in (failed, elsewhere, failed, other):
        note_mishap(home, mishap)
    forget_mishaps(home, "hook a", "/x")
    assert read_mishaps(home, 0) == [elsewhere, other]
    assert os.stat(tmp_path / FILE).st_mode & 0o777 == 0o600
    before = os.stat(tmp_path / FILE).st_ino
    forget_mishaps(home, "hook c", "/x")
    assert os.stat(tmp_path / FILE).st_ino == before, "nothing is written where nothing is forgotten"
    forget_mishaps(home)
    assert read_mishaps(home, 0) == []
