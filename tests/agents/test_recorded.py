"""What real clients said to relay's hooks, said again: each file has a client's own JSON and what it is answered.

`tests/clients` records them. Where an answer is meant to change, run this with UPDATE_GOLDEN=1.
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from relay_tui.room.mishaps import read_mishaps
from tests.cli.conftest import CommandLine, crew, relay, room

__all__ = ["crew", "relay", "room"]

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded")
NAMES = sorted(os.path.splitext(name)[0] for name in os.listdir(FOLDER))


def recorded(name: str, relay: CommandLine) -> Any:
    """A recording with the places and the process of this test in it."""
    with open(os.path.join(FOLDER, f"{name}.json"), encoding="utf-8") as file:
        text = file.read()
    folder = os.path.dirname(relay.repository)
    here = {"{repository}": relay.repository, "{process}": str(os.getpid()), "{folder}": folder}
    for mark, said in here.items():
        text = text.replace(mark, said)
    return json.loads(text)


def answer(relay: CommandLine, call: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    with monkeypatch.context() as environment:
        for variable, value in call["environ"].items():
            environment.setenv(variable, value)
        given = relay.run(call["line"], stdin=json.dumps(call["stdin"]).encode())
    return {"exit": given.code, "stdout": json.loads(given.out or b"null"), "stderr": given.err.decode()}


def arrange(relay: CommandLine, client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session has begun; since then bob holds what is changed, and has written and asked."""
    with open(os.path.join(relay.home, "relay.toml"), "w", encoding="utf-8") as file:
        file.write('wake = ["*"]\n')
    answer(relay, recorded(f"{client}-session-start-startup", relay), monkeypatch)
    (me,) = (one["agent"] for one in relay.data("agents")["agents"] if one["runner"] == client)
    relay.ok("claim --as bob src/a.py --note rewrite")
    relay.ok(f"send --as bob --to {me} --message 'Look at a.py first'")
    relay.ok(f"status waiting --as bob --needs {me} --question 'Which base?'")
    changed = os.path.join(relay.repository, "src/a.py")
    with open(changed, "w", encoding="utf-8") as file:
        file.write("a = 3\n")
    os.utime(changed, ns=(relay.clock.now * 1000, relay.clock.now * 1000))


@pytest.mark.parametrize("name", NAMES)
def test_a_client_is_answered_as_before(name: str, room: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    arrange(room, name.partition("-")[0], monkeypatch)
    call = recorded(name, room)
    given = answer(room, call, monkeypatch)
    if os.environ.get("UPDATE_GOLDEN") == "1":
        path = os.path.join(FOLDER, f"{name}.json")
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps({**kept, "answer": given}, indent=2, ensure_ascii=False) + "\n")
    assert given == recorded(name, room)["answer"]
    assert read_mishaps(room.home, 0) == []
