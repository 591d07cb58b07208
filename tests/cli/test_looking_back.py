"""`--at` and archives as lines: what is printed, and what `relay doctor` says of an archive that went elsewhere."""

from __future__ import annotations

import os
import shutil
from typing import Any

from relay_tui.base.times import MINUTE, local_date
from tests.cli.conftest import CommandLine


def test_an_answer_of_the_past_says_so_first_and_has_the_ages_of_then(room: CommandLine) -> None:
    room.ok("claim --as alice src --note tests")
    claimed_at = room.clock.now
    room.ok("status working --as bob")
    room.ok("release --as alice src")
    first, claim, *notes = room.ok("claims --at '3m ago'").splitlines()
    assert (first, claimed_at) == (f"As it was at {local_date(claimed_at)}:", room.clock.now - 3 * MINUTE)
    assert claim.split()[:4] == ["Held", "src", "alice", "0s"]
    assert [note[:5] for note in notes] == ["note:"]
    assert room.data("claims --at '4m ago'")["at"] == "2026-11-30T09:03:00.000000Z"


def test_an_archive_is_made_missed_and_brought_back(room: CommandLine) -> None:
    room.ok("claim --as alice src")
    told = room.ok("log archive --as operator --before 0s").splitlines()
    assert told[0].startswith("4 events until")
    assert told[1].endswith("and so does the last event of each room.")
    assert told[-1].split()[1].startswith("4:")
    path = os.path.join(room.home, "archives", room.data("log verify")["archive"])
    assert room.ok("claims --at '2m ago'").splitlines()[1].split()[:2] == ["Held", "src"]
    assert archives_check(room)["ok"] is True
    left = shutil.copy(path, os.path.join(room.home, "archives", "ledger-1-2-01234567.db"))
    check = archives_check(room)
    assert (check["ok"], "not needed: ledger-1-2-01234567.db" in check["text"]) == (None, True)
    os.remove(left)

    os.rename(path, "moved.db")
    assert room.fault("agents --at '7m ago'")["code"] == "no_file"
    check = archives_check(room)
    assert (check["ok"], os.path.basename(path) in check["text"]) == (None, True)
    assert "There is no archive" in room.fault("log attach --as operator nowhere.db")["message"]
    assert "every hash holds." in room.ok("log verify --archive moved.db")
    assert "are back in the ledger" in room.ok("log attach --as operator moved.db")
    assert room.data("log verify")["archive"] is None


def test_the_name_of_an_archive_is_enough_where_relay_wrote_it(room: CommandLine) -> None:
    room.ok("claim --as alice src")
    room.ok("log archive --as operator --before 0s")
    name = room.data("log verify")["archive"]
    assert "every hash holds." in room.ok(f"log verify --archive {name}")
    assert "are back in the ledger" in room.ok(f"log attach --as operator {name}")


def test_archiving_before_there_is_a_room_makes_nothing_that_is_in_its_way(relay: CommandLine) -> None:
    assert relay.fault("log archive --as operator --before 0s")["code"] == "unknown_room"
    assert not os.path.exists(relay.home)
    relay.ok("join --as alice")


def archives_check(room: CommandLine) -> Any:
    return next(one for one in room.data("doctor")["checks"] if one["name"] == "archives")
