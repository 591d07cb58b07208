"""Every text of every command as an enemy would write it: it is kept or refused, and never a fault of relay's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from relay_tui.actions.call import Call
from relay_tui.actions.perform import perform
from relay_tui.actions.signature import Parameter, read_signature
from relay_tui.actions.table import ACTIONS
from relay_tui.base.canonical import encode
from relay_tui.base.errors import LONGEST, RelayError
from relay_tui.cli.output import to_json
from relay_tui.room.ledger import Actor
from tests.actions.acting import act
from tests.room_fixture import House

HOSTILE = {
    "controls": "a\x1b]52;c;aGk=\x07\x9b31m\r\n\t\x7f\u202e\u2066[/x]" + "".join(map(chr, range(1, 32))),
    "nul": "a\0b",
    "long": "x" * 1_000_000,
    "lone": "a\udcff\ud800b",
}
# What a command needs besides the one text that is tried.
NEEDED: dict[str, Any] = {
    "id": "M0000001", "ids": ["M0000001"], "to": "bob", "message": "x", "resources": ["docs"], "branch": "main",
    "paths": ["docs"], "title": "x", "text": "x", "name": "bob", "file": "PLAN.md", "field": "title", "side": "file",
    "sql": "SELECT 1", "client": "claude", "event": "prompt", "before": "1d", "status": "working", "question": "x",
    "needs": "bob", "reason": "x",
}  # fmt: skip
# A screen, a server and a player are no commands of one answer; a hook reads standard input.
ELSEWHERE = {"screen", "mcp", "demo", "hook"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    made = House(str(tmp_path_factory.mktemp("hostile")))
    Path(made.repository, "PLAN.md").write_text("# Plan\n\n- [ ] one\n", encoding="utf-8")
    for name in ("alice", "bob"):
        made.join(name)
    act(made.room, "alice", "send --to bob --message word")
    act(made.room, "alice", "work import --file PLAN.md")
    yield made
    made.assert_whole()


def texts_of(action: str) -> list[Parameter]:
    return [one for one in read_signature(ACTIONS[action]).parameters if one.kind in ("str", "list")]


def calls(action: str) -> Iterator[tuple[str, Call]]:
    """Each text of the command in turn, in each hostile way, with what the command cannot be without."""
    parameters = read_signature(ACTIONS[action]).parameters
    for one in texts_of(action):
        others = {other.name: NEEDED[other.name] for other in parameters if other.required and other is not one}
        for kind, text in HOSTILE.items():
            value: Any = [text] if one.kind == "list" else text
            yield f"{one.name} {kind}", Call(action, {**others, one.name: value})


@pytest.mark.parametrize("action", [name for name in ACTIONS if name not in ELSEWHERE and texts_of(name)])
def test_every_text_of_a_command(house: House, action: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", house.folder)
    monkeypatch.chdir(house.repository)
    for what, call in calls(action):
        fault = refusal_of(house, call, Actor("alice"))
        if fault is not None and fault.code == "not_operator":
            fault = refusal_of(house, call, house.operator)
        if fault is not None:
            assert fault.code != "internal", (what, fault)
            assert max(len(fault.message), len(fault.hint)) <= LONGEST, what
            encode(to_json(fault.details))
            fault.told.encode()


def refusal_of(house: House, call: Call, me: Actor) -> RelayError | None:
    """Perform it and make JSON of the answer; anything but an answer or a refusal fails the test."""
    try:
        result: Any = perform(call, house.room, me)
        encode(to_json(next(result, None) if hasattr(result, "__next__") else result)).encode()
    except RelayError as fault:
        return fault
    return None
