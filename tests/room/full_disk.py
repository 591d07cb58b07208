"""A disk that is really full: `python -m tests.room.full_disk JOB FOLDER REPOSITORY`, in a mount namespace of its own.

Each job mounts a small file system on FOLDER and prints what it was answered.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from relay_tui.base.errors import RelayError
from relay_tui.base.times import HOUR
from relay_tui.room.archive_files import spare_archives
from relay_tui.room.attachments import read_attachments
from relay_tui.room.ledger import Actor
from relay_tui.room.rooms import Room
from tests.actions.acting import act
from tests.room.round_trips import assert_same, bring_back, home_at
from tests.room_fixture import House

_STEP = 96 * 1024  # bytes


def send_until_refused(folder: str, repository: str) -> None:
    """Send until the disk is full, make room, and go on with the same room."""
    house = _begin(folder, repository, "1500k")
    house.room = house.enter(repository, keep_open=True)
    a = house.join("a")
    answered = [house.send(a, "operator", "x" * 1000).id]
    with _all_but(folder, 0):
        refused = _send_on(house, a, answered)
    answered.append(house.send(a, "operator", "after").id)
    assert [row[0] for row in house.rows("SELECT id FROM messages ORDER BY seq")] == answered
    house.assert_whole()
    print(refused.code, refused.exit_code)


def keep_until_it_fits(folder: str, repository: str) -> None:
    """Try each with ever more space left. Whenever it is refused nothing of it stays, and the room is written on."""
    house = _begin(folder, repository, "8m")
    a = house.join("a")
    for number in range(6):
        _write_file(repository, number)
        house.send(a, "operator", "x" * 40_000, attachments=read_attachments(house.room, ["sent.bin"]))
    source, asked = os.path.join(repository, "source.db"), os.path.join(folder, "asked")
    os.mkdir(asked)
    act(house.room, "operator", f"backup {source}")
    other = home_at(os.path.join(folder, "other"), house)
    print("restore", _try_until_it_fits(house, other, f"restore {source}", asked))
    for name, line in (("made.db", "backup"), ("made.ndjson", "export --all")):
        made = os.path.join(asked, name)
        print(line, _try_until_it_fits(house, house.room, f"{line} {made}", asked))
        bring_back(back := home_at(os.path.join(repository, name), house), made)
        assert_same(back, house)
        os.remove(made)
    house.clock.advance(HOUR)
    kept = os.path.join(house.home, "archives")
    print("log archive", _try_until_it_fits(house, house.room, "log archive --before '0s ago'", kept))
    house.assert_whole()


def _try_until_it_fits(house: House, room: Room, line: str, asked: str) -> int:
    """How often it was refused; `asked` is the folder of what it makes."""
    for refusals in count():
        with _all_but(os.path.dirname(house.home), refusals * _STEP):
            try:
                act(room, "operator", line)
            except RelayError as fault:
                assert (fault.code, fault.exit_code) == ("storage", 1), fault
                assert fault.message.endswith("."), fault
                assert fault.hint, fault
            else:
                return refusals
        with house.room.reading() as db:
            assert set(os.listdir(asked)) <= {"lock", *spare_archives(house.home, db)}, (line, refusals)
        house.send(Actor("a"), "operator", f"{line} {refusals}")
        house.assert_whole()
    raise AssertionError


def _begin(folder: str, repository: str, size: str) -> House:
    os.makedirs(folder)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    return House(folder, repository=repository)


def _write_file(repository: str, number: int) -> None:
    with open(os.path.join(repository, "sent.bin"), "wb") as file:
        file.write(bytes([number]) * 30_000)


def _send_on(house: House, me: Actor, answered: list[str]) -> RelayError:
    while True:
        try:
            answered.append(house.send(me, "operator", "x" * 60_000).id)
        except RelayError as fault:
            return fault


@contextmanager
def _all_but(folder: str, left: int) -> Iterator[None]:
    """Everything of the disk is taken but so many bytes."""
    filler = os.path.join(folder, "filler")
    with open(filler, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            file.truncate(max(0, file.tell() - left))
    try:
        yield
    finally:
        os.remove(filler)


JOBS = {"send": send_until_refused, "keep": keep_until_it_fits}

if __name__ == "__main__":
    JOBS[sys.argv[1]](*sys.argv[2:])
