"""A power cut at any byte: whatever reached the disk opens, holds, and has every message that was answered before.

`synchronous = FULL` has the -wal on the disk when a write is answered, so a cut is a prefix of the -wal as it was at
some moment, or a checkpoint of which some pages came to the file and others did not.
"""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import NamedTuple

import pytest

from relay_tui.room.rooms import Room
from relay_tui.room.store import Store
from tests.room_fixture import House

PAGE, HEAD, FRAME = 4096, 32, 4096 + 24  # bytes: a page, the header of a -wal, one page in it


class Disk(NamedTuple):
    """The file and its -wal, and how long the -wal was when each message was answered."""

    file: bytes
    wal: bytes
    answered: dict[str, int]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(str(tmp_path_factory.mktemp("power")))


@pytest.fixture(scope="module")
def disk(house: House) -> Disk:
    """Six messages by a process that keeps the file open, so that nothing is checkpointed between them."""
    a = house.join("a")
    house.room.store.close()
    file = Path(house.room.store.path).read_bytes()
    house.room = house.enter(house.repository, keep_open=True)
    wal = f"{house.room.store.path}-wal"
    answered = {}
    for number in range(6):
        sent = house.send(a, "operator", f"{number} " + "x" * 3000 * number)
        answered[sent.id] = os.path.getsize(wal)
    return Disk(file, Path(wal).read_bytes(), answered)


def after(house: House, folder: Path, file: bytes, wal: bytes) -> list[str]:
    """The messages that are there after a cut that left these bytes; the home must hold, and take another write."""
    home = folder / "home"
    home.mkdir(mode=0o700)
    (home / "relay.db").write_bytes(file)
    (home / "relay.db-wal").write_bytes(wal)
    found = House.__new__(House)
    found.room = Room(Store(str(home)), house.room.row, house.repository, clock=house.clock, new_id=house.new_id)
    stored = [row[0] for row in found.rows("SELECT id FROM messages ORDER BY seq")]
    found.assert_whole()
    assert not found.send(found.operator, "a", "after the cut").duplicate
    found.room.store.close()
    found.assert_whole()
    found.room.store.close()
    return stored


def cuts(disk: Disk) -> list[int]:
    """Every moment at which a message was answered, one byte before and after it, frames, and bytes in between."""
    chance = random.Random(8)
    frames = range(HEAD, len(disk.wal), FRAME)
    answered = [end + by for end in disk.answered.values() for by in (-1, 0, 1)]
    return sorted({0, 1, HEAD - 1, *answered, *chance.sample(frames, 8), *(chance.sample(range(len(disk.wal)), 12))})


def test_every_prefix_of_the_wal_has_what_was_answered_before_it(house: House, disk: Disk, tmp_path: Path) -> None:
    assert len(disk.wal) == max(disk.answered.values())
    for place, end in enumerate(cuts(disk)):
        folder = tmp_path / str(place)
        folder.mkdir()
        stored = after(house, folder, disk.file, disk.wal[:end])
        assert stored == [message for message, needed in disk.answered.items() if needed <= end], end


@pytest.mark.parametrize("rest", [b"\0", b"\xff"])
def test_what_was_allocated_and_never_written_is_no_message(
    house: House, disk: Disk, tmp_path: Path, rest: bytes
) -> None:
    """Some file systems show the new length of a file before its bytes."""
    *kept, last = disk.answered
    end = disk.answered[last] - FRAME - 100
    assert after(house, tmp_path, disk.file, disk.wal[:end] + rest * (len(disk.wal) - end)) == kept


@pytest.mark.parametrize("seed", range(3))
def test_a_checkpoint_of_which_a_part_was_written_loses_nothing(
    house: House, disk: Disk, tmp_path: Path, seed: int
) -> None:
    """The -wal is whole until every page is in the file, whatever the order in which pages get there."""
    chance = random.Random(seed)
    pages = dict(enumerate(disk.file[at : at + PAGE] for at in range(0, len(disk.file), PAGE)))
    for at in range(HEAD, len(disk.wal), FRAME):
        if chance.random() < 0.5:
            pages[int.from_bytes(disk.wal[at : at + 4]) - 1] = disk.wal[at + 24 : at + FRAME]
    file = b"".join(pages.get(place, bytes(PAGE)) for place in range(max(pages) + 1))
    assert after(house, tmp_path, file, disk.wal) == list(disk.answered)
