from __future__ import annotations

import pytest

from relay_tui.tui.acts.claim_keys import Looker, other_party, what_keys_do
from tests.tui.rows_of.test_claims import HELD, OFFER

OFFERED = HELD._replace(handoff="H1")


@pytest.mark.parametrize(("me", "does"), [
    ("codex-3", {"act.release": "release", "act.transfer": "hand over"}),
    ("claude-1", {"act.transfer": "ask for it", "act.message": "message"}),
    ("operator", {"act.transfer": "ask for it", "act.force": "force", "act.message": "message"}),
])  # fmt: skip
def test_a_claim_is_its_holders_to_release_and_others_ask(me: str, does: dict[str, str]):
    assert what_keys_do(HELD, None, Looker(me, "operator", HELD.room)) == does


@pytest.mark.parametrize(("me", "ids"), [
    ("codex-3", ["act.release"]),
    ("claude-1", ["act.accept", "act.decline", "act.transfer", "act.message"]),
    ("operator", ["act.release", "act.transfer", "act.force", "act.message"]),
    ("nimbus-2", ["act.transfer", "act.message"]),
])  # fmt: skip
def test_a_claim_that_is_offered_has_the_keys_of_its_offer_first(me: str, ids: list[str]):
    does = what_keys_do(OFFERED, OFFER, Looker(me, "operator", HELD.room))
    assert list(does) == ids
    assert does.get("act.release", "take it back") == "take it back"


@pytest.mark.parametrize(("me", "does"), [
    ("codex-3", {"act.release": "take it back", "act.message": "message claude-1"}),
    ("claude-1", {"act.accept": "accept", "act.decline": "decline", "act.message": "message codex-3"}),
    ("operator", {"act.release": "take it back", "act.message": "message claude-1"}),
])  # fmt: skip
def test_an_offer_is_answered_by_its_recipient_and_taken_back_by_who_made_it(me: str, does: dict[str, str]):
    assert what_keys_do(OFFER, OFFER, Looker(me, "operator", HELD.room)) == does


def test_what_was_answered_leaves_only_the_message():
    answered = OFFER._replace(state="declined")
    assert what_keys_do(answered, answered, Looker("codex-3", "operator", HELD.room)) == {
        "act.message": "message claude-1"
    }


def test_the_other_party_is_never_oneself():
    assert [other_party(OFFER, me) for me in ("codex-3", "claude-1", "operator")] == ["claude-1", "codex-3", "claude-1"]
