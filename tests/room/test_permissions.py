from __future__ import annotations

import pytest

from relay_tui.base.names import RESERVED
from relay_tui.room.ledger import Actor
from relay_tui.room.permissions import OPERATORS_ACTS, allowed, require_allowed
from tests.room_fixture import refusal

ACTS = ("send", "join", "log verify", *OPERATORS_ACTS)


@pytest.mark.parametrize("act", ACTS)
def test_an_agent_may_what_is_not_the_operators(act: str) -> None:
    for via in ("cli", "tui", "hook", "mcp"):
        assert allowed(Actor("a", None, via), act, "kim") == (act not in OPERATORS_ACTS)
        if act in OPERATORS_ACTS:
            fault = refusal(require_allowed, Actor("a", None, via), act, "kim")
            assert (fault.code, fault.exit_code) == ("not_operator", 8)
            assert fault.hint


@pytest.mark.parametrize("act", ACTS)
def test_the_operator_may_everything_but_not_through_an_agents_door(act: str) -> None:
    for via in ("cli", "tui"):
        assert allowed(Actor("kim", None, via), act, "kim")
    for via in ("hook", "mcp"):
        for name in ("kim", "7", *RESERVED):
            fault = refusal(require_allowed, Actor(name, None, via), act, "kim")
            assert (fault.code, fault.exit_code) == ("reserved_name", 8)


def test_the_person_at_the_keyboard_takes_a_name_over_and_nothing_more() -> None:
    taking = Actor("a", "s-2", "cli", at_keyboard=True)
    assert [act for act in OPERATORS_ACTS if allowed(taking, act, "kim")] == ["join --takeover"]
