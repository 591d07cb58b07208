"""`relay doctor` where no room can be opened: its document, with every check that it could make."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import CommandLine


def test_garbage_for_a_database_is_a_finding_among_the_others(room: CommandLine) -> None:
    path = os.path.join(room.home, "relay.db")
    for name in os.listdir(room.home):
        if name.startswith("relay.db-"):
            os.unlink(os.path.join(room.home, name))
    with open(path, "wb") as file:
        file.write(b"garbage " * 1000)
    answer = room.run("doctor --json")
    assert answer.code == 4
    checks = {check["name"]: check for check in json.loads(answer.out)["data"]["checks"]}
    assert checks["database"]["ok"] is False and "damaged" in checks["database"]["text"]
    assert "relay restore" in checks["database"]["hint"]
    assert checks["sqlite"]["text"].startswith("SQLite") and checks["git"]["ok"] is True
    assert room.run("agents").code == 4


def test_what_keeps_every_write_out_is_wrong(room: CommandLine) -> None:
    lock = os.path.join(room.home, "relay.lock")
    os.unlink(lock)
    os.mkdir(lock)
    Path(room.home, "attachments").touch()
    assert lock in room.fault("send --as alice --to bob --message x")["message"]
    answer = room.run("doctor --json")
    wrong = [check for check in json.loads(answer.out)["data"]["checks"] if check["ok"] is False]
    assert [check["name"] for check in wrong] == ["writers", "attachments"]
    assert all("away" in check["hint"] for check in wrong)


def test_a_home_that_is_protected_is_wrong(room: CommandLine) -> None:
    """Told by the system, which keeps nothing from root."""
    if os.geteuid() == 0:
        pytest.skip("root may write everything")
    os.chmod(os.path.join(room.home, "relay.db"), 0o400)
    os.chmod(room.home, 0o500)
    checks = {check["name"]: check["ok"] for check in room.data("doctor")["checks"]}
    os.chmod(room.home, 0o700)
    assert (checks["home"], checks["database"]) == (False, False)
