"""`relay doctor` where no room can be opened: its document, with every check that it could make."""

from __future__ import annotations

import json
import os

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
