"""A disk that is really full refuses with a sentence, loses nothing, and is gone on with once there is room."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.room.workers import REPOSITORY_OF_RELAY
from tests.room_fixture import House

# In a user and mount namespace of its own, so that no mount is left behind.
OWN = ("unshare", "--user", "--map-root-user", "--mount")


def run_on_small_disk(house: House, job: str) -> list[str]:
    """What a job of `full_disk` printed; a job that failed fails the test."""
    try:
        able = subprocess.run([*OWN, "mount", "-t", "tmpfs", "tmpfs", house.folder], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("no unshare here, so no small file system can be made")
    if able.returncode:
        pytest.skip(f"a small file system cannot be made here: {able.stderr.decode().strip()}")
    words = [sys.executable, "-m", "tests.room.full_disk", job, os.path.join(house.folder, "small"), house.repository]
    done = subprocess.run([*OWN, *words], cwd=REPOSITORY_OF_RELAY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_full_disk_refuses_and_loses_nothing(house: House) -> None:
    assert run_on_small_disk(house, "send") == ["storage 1"]


def test_what_is_kept_is_whole_or_not_there_however_much_space_is_left(house: House) -> None:
    """Each is refused several times, with more space each time, before it fits."""
    told = [line.rsplit(" ", 1) for line in run_on_small_disk(house, "keep")]
    assert [what for what, _ in told] == ["restore", "backup", "export --all", "log archive"]
    assert all(int(refusals) > 1 for _, refusals in told), told
