"""A reading for the screen ends in an answer, whatever happens in its thread."""

from __future__ import annotations

from relay_tui.base.errors import RelayError
from relay_tui.tui.door import attempt


def test_a_fault_of_relays_own_becomes_an_answer():
    found, fault = attempt(lambda: [][0])
    assert found is None and fault is not None
    assert (fault.code, fault.message) == ("internal", "relay failed: IndexError: list index out of range.")


def test_a_refusal_is_handed_on_as_it_is_and_a_result_too():
    refusal = RelayError("refused", "No.", "Ask.")

    def refuse() -> None:
        raise refusal

    assert attempt(refuse) == (None, refusal)
    assert attempt(lambda: 7) == (7, None)
