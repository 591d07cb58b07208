"""A reading for the screen ends in an answer, whatever happens in its thread."""

from __future__ import annotations

import re

from relay_tui.base.errors import RelayError
from relay_tui.tui.beside import start_beside
from relay_tui.tui.door import attempt
from tests.room_fixture import House
from tests.tui.visits import visit


def test_a_fault_of_relays_own_becomes_an_answer():
    found, fault = attempt(lambda: [][0])
    assert found is None and fault is not None
    assert fault.code == "internal"
    assert re.fullmatch(r"relay failed: IndexError: list index out of range \(test_door.py:\d+\)\.", fault.message)


def test_a_refusal_is_handed_on_as_it_is_and_a_result_too():
    refusal = RelayError("refused", "No.", "Ask.")

    def refuse() -> None:
        raise refusal

    assert attempt(refuse) == (None, refusal)
    assert attempt(lambda: 7) == (7, None)


async def test_what_plays_beside_the_screen_ends_in_an_answer_too(house: House):
    async with visit(house, "agents") as here:
        start_beside(lambda: [][0], here.app.post_message, "relay-play")
        for _ in range(200):
            await here.settle()
            if here.toasts:
                break
        assert "relay failed: IndexError" in here.toasts
